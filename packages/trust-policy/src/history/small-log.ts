import { z } from 'zod';
import { policyV2 } from '../policy/trust-policy-v2.ts';
import { NO_ROOT } from '../v1/constants.ts';
import { compareRoots } from '../v1/review.ts';
import { TrustLedgerV2 } from '../v2/ledger/trust-ledger-v2.ts';
import { PRIOR_AFFILIATED, PRIOR_UNAFFILIATED } from '../v2/rules.ts';
import { instant, oldestFirst, parseLine, sharesSchema } from './history-line.ts';

/** A small log, whose agents keep their organisation from the first to the last review. */
export type SmallLog = {
  anchors: string[];
  agents: { agent: string; organisation: string | null; base: number }[];
  reviews: SmallLogReview[];
};

type SmallLogReview = {
  reviewedAt: number;
  reviewer: string;
  receiver: string;
  success: boolean;
  score: number;
  /** Null: what the policy makes of the log so far. */
  trust: number | null;
  roots: Record<string, number> | null;
};

/** What policy v2 makes of a small log, in the members of `trust:score --policy v2`. */
export type SmallLogScores = {
  scores: Record<string, number>;
  priors: Record<string, number>;
  established: string[];
};

/** Parses one line of `trust:score --policy v2`, or throws BadHistoryError. Unknown members are ignored. */
export function parseSmallLog(line: string): SmallLog {
  return parseLine(line, smallLogSchema, 'log');
}

/** The score of each agent, the record of each of their organisations, and which of these are established, after the last review. */
export function scoreSmallLog({ anchors, agents, reviews }: SmallLog): SmallLogScores {
  const ledger = new TrustLedgerV2({ ...policyV2, constants: { ...policyV2.constants, anchors } });
  const organisationOf = new Map(agents.map(({ agent, organisation }) => [agent, organisation]));
  for (const each of agents) ledger.apply({ type: 'registered', ...each });
  for (const [index, { reviewer: agent, trust, roots, ...said }] of reviews.entries()) {
    const reviewer = {
      agent,
      organisation: organisationOf.get(agent) ?? null,
      orgDomain: null,
      trust: trust ?? ledger.verdict(agent).score,
      roots: roots ?? ledger.rootsOf(agent, null),
    };
    ledger.apply({ type: 'reviewed', review: { id: String(index), ...said, reviewer, inProduction: true } });
  }
  const organisations = [...new Set([...organisationOf.values()].filter((each) => each !== null))];
  return {
    scores: Object.fromEntries(agents.map(({ agent }) => [agent, ledger.verdict(agent).score])),
    priors: Object.fromEntries(organisations.map((each) => [each, ledger.record(each)])),
    established: organisations.filter((each) => ledger.isEstablished(each)).sort(compareRoots),
  };
}

const named = z.string().min(1);

const agentSchema = z
  .object({
    agent_id: named,
    // The name of the root of everybody without an organisation.
    organisation: named.refine((name) => name !== NO_ROOT, { message: `must not be ${NO_ROOT}` }).nullish(),
    prior: z.literal([PRIOR_UNAFFILIATED, PRIOR_AFFILIATED]),
  })
  .transform(({ agent_id: agent, organisation, prior: base }) => ({ agent, organisation: organisation ?? null, base }));

const reviewSchema = z
  .object({
    reviewed_at: instant,
    reviewer: named,
    receiver: named,
    success: z.boolean(),
    score: z.int().min(1).max(10),
    trust: z.number().min(0).max(100).nullish(),
    // Looked at below, and only if the reviewer has no organisation.
    roots: z.unknown().optional(),
  })
  .transform(({ reviewed_at: reviewedAt, trust, ...review }) => ({ ...review, reviewedAt, trust: trust ?? null }));

const smallLogSchema = z
  .object({
    anchors: z
      .array(named)
      .nullish()
      .transform((anchors) => anchors ?? []),
    agents: z.array(agentSchema),
    reviews: z.array(reviewSchema).superRefine(oldestFirst),
  })
  .transform(({ reviews, ...log }, context): SmallLog => {
    const organisations = new Map<string, string | null>();
    const fault = (path: (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path, message });
    for (const [index, { agent, organisation }] of log.agents.entries()) {
      if (organisations.has(agent)) fault(['agents', index, 'agent_id'], 'is the id of an agent above it, too');
      organisations.set(agent, organisation);
    }
    const checked = reviews.map((review, index): SmallLogReview => {
      for (const side of ['reviewer', 'receiver'] as const) {
        if (!organisations.has(review[side])) fault(['reviews', index, side], 'is not among the agents');
      }
      const isLookedAt = organisations.get(review.reviewer) === null && review.roots != null;
      const roots = isLookedAt ? sharesSchema.safeParse(review.roots) : null;
      const [issue] = roots?.error?.issues ?? [];
      if (issue !== undefined) fault(['reviews', index, 'roots', ...issue.path.map(String)], issue.message);
      return { ...review, roots: roots?.data ?? null };
    });
    return { ...log, reviews: checked };
  });
