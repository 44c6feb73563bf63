import type { AgentProfile, ExplainedTrustPage } from '@agent-trust/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { type AskOptions, useAsk } from '../../session/use-ask.ts';

/** One page of them: the newest. */
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
