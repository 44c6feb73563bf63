import { type Actor, DomainError, rotateBySignature } from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import type { Signer } from '../../http/caller/signature/signer.ts';
import { command } from '../../bus/ask.ts';
import { issuedAnyway, keepBothKeys } from '../../bus/may-have-happened.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { sha256Hex, mintKey } from '../../credentials/keys.ts';
import type { Gateway } from '../../gateway.ts';

/**
 * Answers a signed POST /rotate with a new key at once: whoever can sign as the agent needs no link.
 *
 * @throws DomainError invalid_rotation_credential when the signature is another agent's.
 */
export async function rotateSigned(
  gateway: Gateway,
  request: FastifyRequest,
  agentId: string,
  signer: Signer,
  actor: Actor,
): Promise<Record<string, unknown>> {
  if (signer.agent.agentId !== agentId) {
    throw new DomainError(
      'invalid_rotation_credential',
      `the signature belongs to another agent than ${JSON.stringify(agentId)}`,
    );
  }
  const agentKey = mintKey('agent');
  const { position } = await command(gateway, request, rotateBySignature, {
    agentId,
    newKeyHash: sha256Hex(agentKey),
    publicKey: signer.publicKey,
    actor,
  }).catch(issuedAnyway({ agent_key: agentKey }, keepBothKeys));
  const rotated = { agent_id: agentId, status: 'rotated', agent_key: agentKey, claim_link: null };
  // Until then some gateway may still accept the old key.
  await untilReadable(gateway, request, position, rotated);
  return rotated;
}
