import type { OwnerAgent } from '@agent-trust/contracts';
import { RpcPayloadTooLargeError } from '@agent-trust/nats-rpc';
import { edgeLimits } from '../../limits.ts';

/** A stretch begins behind the agent `after` and leaves out `offset` agents from there. */
export type AgentStretch = { after: string | null; offset: number; limit: number };
export type ReadAgents = (stretch: AgentStretch) => Promise<{ agents: OwnerAgent[]; total: number | null }>;
export type ListedAgents = Awaited<ReturnType<ReadAgents>>;

/**
 * Reads an organisation's agents stretch by stretch, each behind the last agent of the one before, so that none is listed twice and none
 * is passed over while others come and go. A stretch that is larger than a message on the bus carries is read shorter.
 *
 * @param page.limit undefined: to the end
 */
export async function* agentStretches(
  read: ReadAgents,
  page: { offset: number; limit: number | undefined },
): AsyncGenerator<ListedAgents, void> {
  let left = page.limit ?? Number.POSITIVE_INFINITY;
  let stretchMax: number = edgeLimits.orgAgentsStretchMax;
  let begin = { after: null as string | null, offset: page.offset };
  for (;;) {
    const limit = Math.min(left, stretchMax);
    const stretch = await unlessTooLarge(read({ ...begin, limit }), limit);
    if (stretch === null) {
      stretchMax = Math.ceil(limit / 2);
      continue;
    }
    yield stretch;
    const last = stretch.agents.at(-1);
    left -= stretch.agents.length;
    if (last === undefined || left === 0 || stretch.agents.length < limit) return;
    begin = { after: last.agentId, offset: 0 };
  }
}

/** A single agent is never too large: what its fields may hold is bounded far below. */
const unlessTooLarge = (reading: Promise<ListedAgents>, limit: number): Promise<ListedAgents | null> =>
  reading.catch((error: unknown) => {
    if (error instanceof RpcPayloadTooLargeError && limit > 1) return null;
    throw error;
  });
