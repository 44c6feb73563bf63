import { type PublicAgent, type Universe, listRegistry } from '@agent-trust/contracts';
import { RpcPayloadTooLargeError } from '@agent-trust/nats-rpc';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../bus/ask.ts';
import type { Gateway } from '../../gateway.ts';

export type RegistryPage = { universe: Universe; limit: number; offset: number; minTrustScore: number };

/**
 * Reads a page of the registry. Agents with texts as long as may be can make a page larger than one message on the bus carries; then it is
 * read in halves, so that nobody can spoil a page for all by what he registers.
 */
export const readPage = async (
  gateway: Gateway,
  request: FastifyRequest,
  page: RegistryPage,
): Promise<{ agents: PublicAgent[]; total: number }> => {
  try {
    return await ask(gateway, request, listRegistry, page);
  } catch (error) {
    if (!(error instanceof RpcPayloadTooLargeError) || page.limit === 1) throw error;
    const half = Math.floor(page.limit / 2);
    const first = await readPage(gateway, request, { ...page, limit: half });
    const second = await readPage(gateway, request, { ...page, offset: page.offset + half, limit: page.limit - half });
    return { agents: [...first.agents, ...second.agents], total: second.total };
  }
};
