import type { AgentProfile, ExplainedTrustPage } from '@agent-trust/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { type AskOptions, useAsk } from '../../session/use-ask.ts';

/** Reviews of a page. */
const reviewsShown = 200;

/** The agent at a moment. @param asOf a position or a time; undefined for now */
export function useProfile(
  agentId: string,
  asOf: string | undefined,
  options: AskOptions<AgentProfile> = {},
): UseQueryResult<AgentProfile> {
  return useAsk(
    ['agent', agentId, 'profile', asOf],
    (client, signal) => client.getAgent(agentId, { as_of: asOf, signal }),
    options,
  );
}

/** The parts of its score at a moment, with its newest reviews. */
export function useTrust(
  agentId: string,
  asOf: string | undefined,
  options: AskOptions<ExplainedTrustPage> = {},
): UseQueryResult<ExplainedTrustPage> {
  return useAsk(
    ['agent', agentId, 'trust', asOf],
    (client, signal) =>
      client.trust(agentId, { limit: reviewsShown, ...(asOf === undefined ? {} : { as_of: asOf }) }, { signal }),
    options,
  );
}

/** A page of reviews that are not the newest. */
export type OlderReviews = {
  /** The position that all its neighbours are of: so a new review moves none from one page to the next. */
  asOf: string;
  /** How many newer ones there are. */
  offset: number;
};

/** Reads older reviews. @param older null asks nothing */
export function useOlderReviews(
  agentId: string,
  older: OlderReviews | null,
): UseQueryResult<ExplainedTrustPage & OlderReviews> {
  const { asOf, offset } = older ?? { asOf: '', offset: 0 };
  return useAsk(
    ['agent', agentId, 'reviews', asOf, offset],
    async (client, signal) => ({
      ...(await client.trust(agentId, { limit: reviewsShown, as_of: asOf, offset }, { signal })),
      asOf,
      offset,
    }),
    { enabled: older !== null },
  );
}

/** The page of newer reviews beside one; null for the newest, which are those of now. */
export function newerReviews({ asOf, offset }: OlderReviews): OlderReviews | null {
  return offset <= reviewsShown ? null : { asOf, offset: offset - reviewsShown };
}
