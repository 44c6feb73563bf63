import { anyTable, type Rows } from '@agent-trust/projections';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';
import { trustEvidence } from '../trust-evidence/tables.ts';
import { universeKey } from '../universe-key.ts';
import { matchBase, matchScoreSteps } from './match-base.ts';
import { agentStandings, type AgentStandingRow, registrySizes } from './tables.ts';

const later = (a: Date | null, b: Date): Date => (a !== null && a > b ? a : b);

const withMatchBase = (standing: Omit<AgentStandingRow, 'matchBase' | 'matchBaseRounded'>): AgentStandingRow => {
  const base = matchBase(standing);
  return { ...standing, matchBase: base, matchBaseRounded: Math.floor(base * matchScoreSteps + 0.5) };
};

const noAgents: readonly number[] = Array.from({ length: 101 }, () => 0);

/** Moves a routable agent in the registry's counts; null stands for outside of it. */
const countInRegistry = (rows: Rows, universe: string, from: number | null, to: number | null): void => {
  if (from === to) return;
  const agentsByScore = [...(rows.get(registrySizes, universe)?.agentsByScore ?? noAgents)];
  if (from !== null) agentsByScore[from] = (agentsByScore[from] ?? 0) - 1;
  if (to !== null) agentsByScore[to] = (agentsByScore[to] ?? 0) + 1;
  rows.put(registrySizes, { universe, agentsByScore });
};

const wantedOf = (event: ProjectedRegistryEvent): string[] => {
  switch (event.type) {
    case 'AgentRegistered':
    case 'KeyRotated':
      return [event.data.agentId];
    case 'ExchangeCompleted':
    case 'ExchangeReviewed':
      return [event.data.callerAgentId, event.data.receiverAgentId];
    case 'ExchangeFailed':
      return [event.data.callerAgentId];
    default:
      return [];
  }
};

/** Counts and scores: what agents have earned. Sandbox exchanges and reviews show that an agent is active and count for nothing else. */
export const agentStandingProjection: RegistryProjection = {
  name: 'agent-standing',
  tables: [anyTable(agentStandings), anyTable(registrySizes)],
  reads: (event, wanted) => {
    for (const agentId of wantedOf(event)) wanted.row(agentStandings, agentId);
    if (event.type !== 'AgentRegistered' && event.type !== 'ExchangeReviewed') return;
    wanted.row(trustEvidence, event.type === 'AgentRegistered' ? event.data.agentId : event.data.receiverAgentId);
    wanted.row(registrySizes, universeKey(event.data.universe));
  },
  apply: (event, rows) => {
    switch (event.type) {
      case 'AgentRegistered': {
        const { agentId, universe, configuration, registeredAt } = event.data;
        const evidence = rows.get(trustEvidence, agentId);
        if (evidence === undefined) throw new Error(`agent ${agentId} has no evidence`);
        const standing = withMatchBase({
          agentId,
          universe: universeKey(universe),
          routable: configuration.endpointUrl !== null,
          trustPolicy: evidence.trustPolicy,
          trustScore: evidence.trustScore,
          transactionCount: 0,
          reviewCount: 0,
          successCount: 0,
          lastActive: new Date(registeredAt),
          lastTransactionAt: null,
        });
        rows.put(agentStandings, standing);
        if (standing.routable) countInRegistry(rows, standing.universe, null, standing.trustScore);
        return;
      }
      case 'KeyRotated':
        touch(rows, event.data.agentId, event.data.rotatedAt);
        return;
      case 'ExchangeFailed':
        touch(rows, event.data.callerAgentId, event.data.failedAt);
        return;
      case 'ExchangeCompleted':
        touch(rows, event.data.callerAgentId, event.data.completedAt);
        countTransaction(rows, event.data);
        return;
      case 'ExchangeReviewed':
        touch(rows, event.data.callerAgentId, event.data.reviewedAt);
        if (event.data.universe.kind === 'production') countReview(rows, event.data);
        return;
      default:
    }
  },
};

const standingOf = (rows: Rows, agentId: string): AgentStandingRow => {
  const standing = rows.get(agentStandings, agentId);
  if (standing === undefined) throw new Error(`agent ${agentId} was never registered`);
  return standing;
};

const touch = (rows: Rows, agentId: string, at: string): void => {
  const standing = standingOf(rows, agentId);
  rows.put(agentStandings, { ...standing, lastActive: later(standing.lastActive, new Date(at)) });
};

const countTransaction = (
  rows: Rows,
  { receiverAgentId, universe, completedAt }: Extract<ProjectedRegistryEvent, { type: 'ExchangeCompleted' }>['data'],
): void => {
  touch(rows, receiverAgentId, completedAt);
  if (universe.kind !== 'production') return;
  const standing = standingOf(rows, receiverAgentId);
  rows.put(
    agentStandings,
    withMatchBase({
      ...standing,
      transactionCount: standing.transactionCount + 1,
      lastTransactionAt: later(standing.lastTransactionAt, new Date(completedAt)),
    }),
  );
};

const countReview = (
  rows: Rows,
  { receiverAgentId, success }: Extract<ProjectedRegistryEvent, { type: 'ExchangeReviewed' }>['data'],
): void => {
  const before = standingOf(rows, receiverAgentId);
  const evidence = rows.get(trustEvidence, receiverAgentId);
  if (evidence === undefined) throw new Error(`agent ${receiverAgentId} has no evidence`);
  const after = withMatchBase({
    ...before,
    trustPolicy: evidence.trustPolicy,
    trustScore: evidence.trustScore,
    reviewCount: before.reviewCount + 1,
    successCount: before.successCount + (success ? 1 : 0),
  });
  rows.put(agentStandings, after);
  if (after.routable) countInRegistry(rows, after.universe, before.trustScore, after.trustScore);
};
