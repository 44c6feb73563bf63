import type { AgentIdentity } from '@agent-trust/contracts';
import { findSignatureKey } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../../bus/ask.ts';
import type { Gateway } from '../../../gateway.ts';
import { chooseKey } from '../key-directory/directory-keys.ts';
import type { RefusalReason } from './refuse.ts';

/** `ownKey` is the agent's `public_key`; null where `publicKey` comes from its domain. */
export type FoundKey =
  | { identity: AgentIdentity; publicKey: string; ownKey: string | null }
  | { fault: RefusalReason; detail?: string };

/** The key that a signature of an agent must fit: its own `public_key`, or else the one that its domain publishes for it. */
export async function findKey(gateway: Gateway, request: FastifyRequest, agentId: string): Promise<FoundKey> {
  const { signer } = await ask(gateway, request, findSignatureKey, { agentId });
  if (signer === null) return { fault: 'agent_unknown' };
  const { identity, publicKey, orgDomain, agentsOfDomain } = signer;
  if (publicKey !== null) return { identity, publicKey, ownKey: publicKey };
  if (orgDomain === null) return { fault: 'key_absent' };
  const answer = await gateway.keyDirectory.keysOf(orgDomain);
  if (!('keys' in answer)) return answer;
  const chosen = chooseKey(answer, agentId, agentsOfDomain);
  return 'fault' in chosen ? chosen : { identity, publicKey: chosen.publicKey, ownKey: null };
}
