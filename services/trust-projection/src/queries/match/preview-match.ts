import {
  DomainError,
  type MatchedAgent,
  type MatchReason,
  matchScoreSteps,
  matchWeights,
  production,
  type previewMatch as previewMethod,
} from '@agent-trust/contracts';
import { cautionScoreMin } from '@agent-trust/domain';
import type { Lookup } from '@agent-trust/limits';
import type { z } from 'zod';
import type { AgentRecord } from '../../projector/read-models/agent-directory/queries.ts';
import { matchBase, matchPartValuesOf } from '../../projector/read-models/agent-standing/match-base.ts';
import { universeKey } from '../../projector/read-models/universe-key.ts';
import { publicView } from '../agent-view.ts';
import type { ResolvedCapability } from '../resolve-capabilities.ts';
import { bestWeightGain, type Contender, contenderOf, sharedReasons } from './contender.ts';
import { explainPreview } from './explain-preview.ts';
import type { FreshMatchIndex } from './fresh-match-index.ts';
import type { MatchQuestion } from './match-index.ts';
import type { PreviewField } from './preview-field.ts';

export type PreviewQuestion = z.output<typeof previewMethod.input>;
export type Preview = z.output<typeof previewMethod.output>;

export type PreviewParts = {
  index: FreshMatchIndex;
  agentsInOrder: (agentIds: readonly string[]) => Promise<AgentRecord[]>;
  agentById: Lookup<AgentRecord>;
  /** Resolves names as /match does in production. */
  resolve: (required: readonly string[]) => Promise<ResolvedCapability[]>;
  /** Hears why an explanation could not be made. */
  onError: (error: unknown) => void;
};

const market = universeKey(production);

/**
 * Ranks a sandbox draft by match_score among the live agents that are verified and trusted with caution at least, even if /match would not
 * find the draft; the explanation then says so. Writes nothing.
 *
 * @returns a page of the best `question.resultsMax`, the draft among them: in its place, or last if it ranks behind them
 * @throws DomainError agent_not_found; database errors
 */
export async function previewMatch(parts: PreviewParts, question: PreviewQuestion): Promise<Preview> {
  const { draft, live } = await findDraft(parts.agentById, question);
  const { capabilities } = draft.configuration;
  const required = question.requiredCapabilities ?? capabilities.map(({ name }) => name);
  const resolved = required.length === 0 ? null : meantByDraft(draft, await parts.resolve(required));
  const asked: MatchQuestion = {
    universe: market,
    capabilities: resolved,
    filters: { settlementRail: question.settlementRail, orgName: null, messageProtocol: null, live: false },
  };
  const contender = contenderOf({ ...draft, capabilities }, resolved ?? []);
  const field = (await parts.index.fresh()).field(
    asked,
    ({ agentId, verified, trustScore }) => verified && trustScore >= cautionScoreMin && agentId !== live?.agentId,
  );
  const total = field.size + 1;
  const draftRank = field.countAhead(contender) + 1;
  const neighbours = field.neighbours(contender);
  const page = bestWithDraft(field, draftRank, question);
  const [shown, explanation] = await Promise.all([
    parts.agentsInOrder(page.flatMap((entry) => (entry === 'draft' ? [] : entry.agentId))),
    explained(parts, async () => {
      // Before anything is awaited: the field holds for this turn.
      const gain = bestWeightGain({ ...draft, capabilities }, resolved ?? []);
      const gained = gain === null ? null : { ...gain, rank: field.countAhead(gain.after) + 1 };
      const standing = async (ranked: { agentId: string } | null): Promise<Contender | null> => {
        const agent = ranked === null ? null : await parts.agentById(ranked.agentId);
        if (agent === null || agent.universe !== market) return null;
        return contenderOf({ ...agent, capabilities: agent.configuration.capabilities }, resolved ?? []);
      };
      const [ahead, behind] = await Promise.all([standing(neighbours.ahead), standing(neighbours.behind)]);
      const obstacles = obstaclesOf(draft, contender, asked);
      const liveAgentId = live?.agentId ?? null;
      return explainPreview({
        rank: draftRank,
        total,
        draft: contender,
        liveAgentId,
        obstacles,
        ahead,
        behind,
        gain: gained,
      });
    }),
  ]);
  // One may have left the market since it was ranked.
  const onMarket = new Map(shown.filter(({ universe }) => universe === market).map((agent) => [agent.agentId, agent]));
  const shared = sharedReasons(resolved ?? []);
  const results = page.flatMap((entry): Preview['results'] => {
    if (entry === 'draft') return [{ ...scored(contender), agent: publicView(draft), isDraft: true }];
    const { agentId, matchScore, capabilities } = entry;
    const agent = onMarket.get(agentId);
    if (agent === undefined) return [];
    const { reasons, metBy } = shared;
    const { places, capability } = metBy(capabilities);
    const match = {
      matchScore,
      matchParts: matchPartValuesOf(capability, entry),
      matchReasons: places.map((at) => reasons[at] as MatchReason),
    };
    return [{ agent: publicView(agent), ...match, isDraft: false }];
  });
  return { draftRank, total, results, explanation };
}

/** A draft with the record that counts for it: its own, or that of the live agent with which it is a confirmed pair. */
const findDraft = async (
  agentById: Lookup<AgentRecord>,
  { orgId, sandboxAgentId }: PreviewQuestion,
): Promise<{ draft: AgentRecord; live: AgentRecord | null }> => {
  const draft = await agentById(sandboxAgentId);
  if (draft === null || draft.universe !== universeKey({ kind: 'sandbox', orgId }) || draft.orgId !== orgId) {
    throw new DomainError('agent_not_found', "no agent of this id is in the organisation's sandbox");
  }
  const live = draft.relatedAgentId === null ? null : await agentById(draft.relatedAgentId);
  const isPair = live?.relatedAgentId === draft.agentId && live.orgId === orgId && live.universe === market;
  if (live === null || !isPair) return { draft, live: null };
  const { verified, trustPolicy, trustScore, confidence, reviewCount, successCount, lastTransactionAt, liveness } =
    live;
  const { transactionCount, otherOrgTransactionCount } = live;
  const transactions = { transactionCount, otherOrgTransactionCount, lastTransactionAt };
  const score = { trustPolicy, trustScore, confidence };
  const earned = { verified, ...score, reviewCount, successCount, liveness, ...transactions };
  return { draft: { ...draft, ...earned }, live };
};

/** A name that the draft has would be canonical once the draft is live; close names then no longer meet it. */
const meantByDraft = (draft: AgentRecord, resolved: readonly ResolvedCapability[]): ResolvedCapability[] => {
  const own = new Set(draft.configuration.capabilities.map(({ name }) => name));
  return resolved.filter(({ how, required }) => how !== 'close' || !own.has(required));
};

const obstaclesOf = (draft: AgentRecord, contender: Contender, asked: MatchQuestion): string[] => {
  const { endpointUrl, settlementRail } = draft.configuration;
  const rails = asked.filters.settlementRail;
  const obstacles: [boolean, string][] = [
    [endpointUrl === null, 'it has no endpoint_url'],
    [
      rails !== null && !(settlementRail ?? []).some((rail) => rails.includes(rail)),
      'it accepts none of the settlement rails asked for',
    ],
    [asked.capabilities !== null && contender.matchReasons.length === 0, 'it has none of the capabilities asked for'],
  ];
  return obstacles.filter(([holds]) => holds).map(([, words]) => words);
};

type Entry = ReturnType<PreviewField['best']>[number] | 'draft';

const bestWithDraft = (
  field: PreviewField,
  draftRank: number,
  { resultsMax, limit, offset }: PreviewQuestion,
): Entry[] => {
  const others: Entry[] = field.best(resultsMax - 1);
  others.splice(Math.min(draftRank - 1, others.length), 0, 'draft');
  return others.slice(offset, offset + limit);
};

const scored = (draft: Contender): Omit<MatchedAgent, 'agent'> => ({
  matchScore: draft.steps / matchScoreSteps,
  matchParts: matchPartValuesOf(draft.parts.capability / matchWeights.capability, {
    ...draft,
    matchBase: matchBase(draft),
  }),
  matchReasons: draft.matchReasons,
});

/** Without its explanation a preview is still good. */
const explained = async ({ onError }: PreviewParts, make: () => Promise<string>): Promise<string | null> => {
  try {
    return await make();
  } catch (error) {
    onError(error);
    return null;
  }
};
