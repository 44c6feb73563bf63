import { production } from '@agent-trust/contracts';
import type { Rows } from '@agent-trust/projections';
import { agents } from '../agent-directory/table.ts';
import { archivedExchanges, exchangesArchivedBy } from '../exchange-archive/projection.ts';
import { wantArchived, wasSeenToEnd } from '../exchange-ledger/archived-ends.ts';
import { exchanges } from '../exchange-ledger/projection.ts';
import { organisationMembers, switchedMembers, wantSwitchedMembers } from '../organisation-directory/projection.ts';
import { livenessText } from '../recent-exchanges/liveness.ts';
import { agentsWithNewExchanges, recentExchanges } from '../recent-exchanges/projection.ts';
import {
  agentsChangedBy,
  agentsTouchedBy,
  knownAgentsChangedBy,
  knownAgentsTouchedBy,
  type ProjectedRegistryEvent,
  type RegistryProjection,
} from '../registry-event.ts';
import type { RescoredBy } from '../trust-evidence/projection.ts';
import { trustEvidence } from '../trust-evidence/tables.ts';
import { universeKey } from '../universe-key.ts';
import { voidedBy } from '../voided-reviews/projection.ts';
import { packConfidence } from './confidence.ts';
import { matchBase } from './match-base.ts';
import { ownActivityOf } from './own-activity.ts';
import { keepPastStanding, openPastStandings, pastStandings } from './past.ts';
import { countInRegistry } from './registry-counts.ts';
import { agentStandings, type AgentStandingRow, registrySizes } from './tables.ts';

type EventOf<Type extends ProjectedRegistryEvent['type']> = Extract<ProjectedRegistryEvent, { type: Type }>;

const later = (a: Date | null, b: Date): Date => (a !== null && a > b ? a : b);

const withMatchBase = (standing: Omit<AgentStandingRow, 'matchBase'>): AgentStandingRow => ({
  ...standing,
  matchBase: matchBase(standing),
});

/** Where an event itself says that agents are, before it or after. */
const universesOf = (event: ProjectedRegistryEvent): string[] => {
  switch (event.type) {
    case 'AgentRegistered':
      return [universeKey(event.data.universe)];
    case 'AgentPublished':
    case 'AgentWithdrawn':
    case 'OrganisationDisabled':
    case 'OrganisationEnabled':
      return [universeKey(production), universeKey({ kind: 'sandbox', orgId: event.data.orgId })];
    default:
      return [];
  }
};

/** Counts and scores: what agents have earned. Sandbox exchanges and reviews show that an agent is active and count for nothing else. */
export function agentStandingProjection(rescoredBy: RescoredBy | null): RegistryProjection {
  if (rescoredBy === null) return agentStanding;
  return {
    ...agentStanding,
    // Agents whose scores change with the record of their organisation; whose evidence has been computed by now.
    readsLast: (event, rows) => {
      const { rescored } = rescoredBy(event);
      for (const agentId of rescored) rows.row(agentStandings, agentId);
      for (const agentId of rescored) {
        const universe = rows.get(agentStandings, agentId)?.universe;
        if (universe !== undefined) rows.row(registrySizes, universe);
      }
    },
    apply: (event, rows) => {
      agentStanding.apply(event, rows);
      followScores(rows, rescoredBy(event).rescored);
    },
  };
}

const agentStanding: RegistryProjection = {
  name: 'agent-standing',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [agentStandings, registrySizes, pastStandings, openPastStandings],
  readsFrom: [agents, trustEvidence, organisationMembers, exchanges, archivedExchanges, recentExchanges],
  reads: (event, wanted) => {
    for (const agentId of knownAgentsTouchedBy(event)) {
      wanted.row(agentStandings, agentId);
      wanted.row(openPastStandings, agentId);
    }
    for (const agentId of knownAgentsChangedBy(event)) wanted.row(agents, agentId);
    for (const agentId of agentsWithNewExchanges(event)) wanted.row(recentExchanges, agentId);
    wantArchived(event, wanted);
    if (event.type === 'ExchangeCompleted') wanted.row(exchanges, event.data.transactionId);
    if (event.type === 'ExchangeCompleted' && event.data.universe.kind === 'production') {
      wanted.row(agents, event.data.callerAgentId);
      wanted.row(agents, event.data.receiverAgentId);
    }
    for (const universe of universesOf(event)) wanted.row(registrySizes, universe);
    wantSwitchedMembers(event, wanted);
    if (event.type === 'ExchangeReviewed') wanted.row(trustEvidence, event.data.receiverAgentId);
    if (event.type === 'ReviewsVoided') wanted.row(trustEvidence, event.data.agentId);
  },
  // An agent may have moved since the exchange that is reviewed, so only its own row says where it counts. What moves it within a
  // batch names its universes itself.
  readsThen: (event, rows, wanted) => {
    for (const agentId of knownAgentsTouchedBy(event)) {
      const universe = rows.get(agentStandings, agentId)?.universe;
      if (universe !== undefined) wanted.row(registrySizes, universe);
    }
    for (const agentId of switchedMembers(event, rows)) {
      wanted.row(agents, agentId);
      wanted.row(agentStandings, agentId);
    }
  },
  apply: (event, rows) => {
    update(event, rows);
    for (const agentId of agentsWithNewExchanges(event)) followExchanges(rows, agentId);
    for (const agentId of agentsTouchedBy(event)) keepPastStanding(rows, agentId, event.position);
  },
};

const update = (event: ProjectedRegistryEvent, rows: Rows): void => {
  switch (event.type) {
    case 'AgentRegistered':
      register(rows, event);
      return;
    case 'KeyRotated':
      touch(rows, event.data.agentId, event.data.rotatedAt);
      return;
    case 'ExchangeFailed':
      touch(rows, event.data.callerAgentId, event.data.failedAt);
      return;
    case 'ExchangeCompleted':
      touch(rows, event.data.callerAgentId, event.data.completedAt);
      // Without its start it has been archived, and the event that archived it counts it.
      if (rows.getBefore(exchanges, event.data.transactionId) !== undefined) countTransaction(rows, event);
      return;
    case 'ExchangesArchived':
      countArchived(rows, event);
      return;
    case 'ExchangeReviewed':
      touch(rows, event.data.callerAgentId, event.data.reviewedAt);
      if (event.data.universe.kind === 'production') {
        const { receiverAgentId, success } = event.data;
        countReviews(rows, receiverAgentId, { reviews: 1, successes: success ? 1 : 0 });
      }
      return;
    case 'ReviewsVoided': {
      const voided = voidedBy(event, rows);
      const successes = voided.filter(({ success }) => success).length;
      if (voided.length > 0) countReviews(rows, event.data.agentId, { reviews: -voided.length, successes: -successes });
      return;
    }
    case 'OrganisationDisabled':
    case 'OrganisationEnabled':
      for (const agentId of switchedMembers(event, rows)) followDirectory(rows, agentId);
      return;
    default: {
      for (const agentId of agentsChangedBy(event)) followDirectory(rows, agentId);
      const own = ownActivityOf(event);
      if (own !== null) touch(rows, own.agentId, own.at);
    }
  }
};

const standingOf = (rows: Rows, agentId: string): AgentStandingRow => {
  const standing = rows.get(agentStandings, agentId);
  if (standing === undefined) throw new Error(`agent ${agentId} was never registered`);
  return standing;
};

/** The score that the present event has put. */
const newScoreOf = (
  rows: Rows,
  agentId: string,
): Pick<AgentStandingRow, 'trustPolicy' | 'trustScore' | 'confidence'> => {
  const evidence = rows.get(trustEvidence, agentId);
  if (evidence?.confidence === undefined) throw new Error(`the event has not scored agent ${agentId}`);
  const { trustPolicy, trustScore, confidence } = evidence;
  return { trustPolicy, trustScore, confidence: packConfidence(confidence) };
};

const register = (rows: Rows, { data }: EventOf<'AgentRegistered'>): void => {
  const standing = withMatchBase({
    agentId: data.agentId,
    universe: universeKey(data.universe),
    routable: data.configuration.endpointUrl !== null,
    ...newScoreOf(rows, data.agentId),
    transactionCount: 0,
    otherOrgTransactionCount: 0,
    reviewCount: 0,
    successCount: 0,
    lastActive: new Date(data.registeredAt),
    lastTransactionAt: null,
    liveness: null,
  });
  rows.put(agentStandings, standing);
  countInRegistry(rows, [{ before: null, after: standing }]);
};

/** Takes over where an agent is and whether it can be reached; what it has earned goes with it. */
const followDirectory = (rows: Rows, agentId: string): void => {
  const agent = rows.get(agents, agentId);
  const before = rows.get(agentStandings, agentId);
  if (agent === undefined || before === undefined) return;
  if (agent.universe === before.universe && agent.routable === before.routable) return;
  const after = { ...before, universe: agent.universe, routable: agent.routable };
  rows.put(agentStandings, after);
  countInRegistry(rows, [{ before, after }]);
};

/** Takes over what an agent's recent exchanges say of it, if the event has added any. */
const followExchanges = (rows: Rows, agentId: string): void => {
  const recent = rows.get(recentExchanges, agentId);
  if (recent === undefined || recent === rows.getBefore(recentExchanges, agentId)) return;
  rows.put(agentStandings, { ...standingOf(rows, agentId), liveness: livenessText(recent.exchanges) });
};

const touch = (rows: Rows, agentId: string, at: string): void => {
  const standing = standingOf(rows, agentId);
  rows.put(agentStandings, { ...standing, lastActive: later(standing.lastActive, new Date(at)) });
};

const countTransaction = (
  rows: Rows,
  { data: { callerAgentId, receiverAgentId, universe, completedAt } }: EventOf<'ExchangeCompleted'>,
): void => {
  if (universe.kind !== 'production') {
    touch(rows, receiverAgentId, completedAt);
    return;
  }
  const otherOrg = isOfOtherOrganisation(rows, callerAgentId, receiverAgentId) ? 1 : 0;
  addTransactions(rows, receiverAgentId, { all: 1, otherOrg, at: new Date(completedAt) });
};

type Transactions = { all: number; otherOrg: number; at: Date };

const addTransactions = (rows: Rows, agentId: string, { all, otherOrg, at }: Transactions): void => {
  const before = standingOf(rows, agentId);
  rows.put(
    agentStandings,
    withMatchBase({
      ...before,
      transactionCount: before.transactionCount + all,
      otherOrgTransactionCount: before.otherOrgTransactionCount + otherOrg,
      lastActive: later(before.lastActive, at),
      lastTransactionAt: later(before.lastTransactionAt, at),
    }),
  );
};

/** Counts the archived exchanges whose ends did not come as events. */
const countArchived = (rows: Rows, event: EventOf<'ExchangesArchived'>): void => {
  const counted = new Map<string, Transactions>();
  for (const { transactionId, callerAgentId, receiverAgentId, ...archived } of exchangesArchivedBy(event)) {
    const { outcome, isProduction, isOfOtherOrganisation: isOther } = archived;
    if (outcome === 'abandoned' || wasSeenToEnd(rows, transactionId)) continue;
    const at = new Date(archived.endedAtMs);
    touch(rows, callerAgentId, at.toISOString());
    if (outcome === 'failed') continue;
    const before = counted.get(receiverAgentId) ?? { all: 0, otherOrg: 0, at };
    if (isProduction) {
      counted.set(receiverAgentId, {
        all: before.all + 1,
        otherOrg: before.otherOrg + (isOther ? 1 : 0),
        at: later(before.at, at),
      });
    } else touch(rows, receiverAgentId, at.toISOString());
  }
  for (const [agentId, transactions] of counted) addTransactions(rows, agentId, transactions);
};

/** Whether a caller belongs to an organisation, and to another than the receiver, when the exchange ends. */
const isOfOtherOrganisation = (rows: Rows, callerAgentId: string, receiverAgentId: string): boolean => {
  const callerOrgId = rows.get(agents, callerAgentId)?.orgId ?? null;
  return callerOrgId !== null && callerOrgId !== rows.get(agents, receiverAgentId)?.orgId;
};

/** Takes over other scores of the same reviews: those of an organisation's agents, which may be many. */
const followScores = (rows: Rows, agentIds: readonly string[]): void => {
  const moves = agentIds.map((agentId) => {
    const before = standingOf(rows, agentId);
    const after = withMatchBase({ ...before, ...newScoreOf(rows, agentId) });
    rows.put(agentStandings, after);
    return { before, after };
  });
  countInRegistry(rows, moves);
};

const countReviews = (rows: Rows, agentId: string, more: { reviews: number; successes: number }): void => {
  const before = standingOf(rows, agentId);
  const after = withMatchBase({
    ...before,
    ...newScoreOf(rows, agentId),
    reviewCount: before.reviewCount + more.reviews,
    successCount: before.successCount + more.successes,
  });
  rows.put(agentStandings, after);
  countInRegistry(rows, [{ before, after }]);
};
