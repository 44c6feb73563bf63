import {
  type ClaimAuthority,
  issueClaim,
  requestRotationRoute,
  type Actor,
  DomainError,
  rotateBySignature,
  agentId as agentIdSchema,
  redeemClaim as redeem,
  redeemClaimRoute,
} from '@agent-trust/contracts';
import { RpcRefusedError } from '@agent-trust/nats-rpc';
import type { FastifyRequest } from 'fastify';
import { command } from '../../bus/ask.ts';
import { keepBothKeys, untilReadable, write } from '../../bus/read-your-writes.ts';
import { claimLink, mintClaimToken, agentIdOfClaimToken, sha256Hex, mintKey } from '../../credentials/keys.ts';
import type { Gateway } from '../../gateway.ts';
import { type CallerOf, ownerAuthorityOf } from '../../http/caller/caller.ts';
import type { Signer } from '../../http/caller/signature/signer.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { clientOf } from '../../rate-limit/client-address.ts';
import { claimMail } from './mail/mailer.ts';

const requestRotation = endpoint(
  requestRotationRoute,
  async ({ body, caller, actor, request }, gateway) => {
    if (caller.kind === 'agent' && caller.signer !== null) {
      return rotateSigned(gateway, request, body.agent_id, caller.signer, actor);
    }
    // Only requests without a credential count against the agent; they must not lock out its owner.
    if (caller.kind === 'anonymous') await gateway.rotationLimiter.take(`agent ${body.agent_id}`);
    const claimToken = mintClaimToken(body.agent_id);
    const { position, expiresAt, contactEmail } = await command(gateway, request, issueClaim, {
      agentId: body.agent_id,
      claimTokenHash: sha256Hex(claimToken),
      authority: authorityOf(caller, gateway),
      actor,
    });
    const issued = { agent_key: null, claim_link: claimLink(gateway.baseUrl, claimToken) };
    if (caller.kind === 'anonymous' && gateway.mailer !== null) {
      if (contactEmail === null)
        throw new Error('a claim was issued to an anonymous caller, and no address for it is known');
      const { baseUrl } = gateway;
      const askedFrom = clientOf(request.ip);
      const link = { to: contactEmail, agentId: body.agent_id, claimLink: issued.claim_link, expiresAt };
      await gateway.mailer.send(claimMail({ ...link, baseUrl, askedFrom }));
      return { agent_id: body.agent_id, status: 'claim_sent', agent_key: null, claim_link: null };
    }
    await untilReadable(gateway, position, issued);
    return { agent_id: body.agent_id, status: 'claim_issued', ...issued };
  },
  {
    // Every request of an address counts, even with an invalid body.
    admit: (request, _reply, gateway) => gateway.rotationLimiter.take(`address ${clientOf(request.ip)}`),
  },
);

const authorityOf = (
  caller: CallerOf<'none' | 'agent' | 'organisation' | 'operator'>,
  { settings }: Gateway,
): ClaimAuthority =>
  caller.kind === 'anonymous'
    ? { kind: 'uncredentialed', unownedOnly: settings.CLAIM_DELIVERY === 'inline-unowned' }
    : ownerAuthorityOf(caller);

/** Answers a signed POST /rotate with a new key at once. @throws DomainError invalid_rotation_credential if another agent signed. */
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
  return write(
    gateway,
    request,
    rotateBySignature,
    { agentId, newKeyHash: sha256Hex(agentKey), publicKey: signer.publicKey, actor },
    () => rotated(agentId, agentKey),
    { fields: { agent_key: agentKey }, advice: keepBothKeys },
  );
}

const rotated = (agentId: string, agentKey: string) => ({
  agent_id: agentId,
  status: 'rotated',
  agent_key: agentKey,
  claim_link: null,
});

const redeemClaim = endpoint(redeemClaimRoute, async ({ query, request }, gateway) => {
  const agentId = agentIdOfClaimToken(query.token);
  // A forged token may contain an invalid agent_id, even U+0000.
  if (agentId === null || !agentIdSchema.safeParse(agentId).success) throw invalidToken();
  const agentKey = mintKey('agent');
  return write(
    gateway,
    request,
    redeem,
    {
      agentId,
      claimTokenHash: sha256Hex(query.token),
      newKeyHash: sha256Hex(agentKey),
      actor: { kind: 'anonymous', id: null, credentials: ['claim_token'] },
    },
    () => rotated(agentId, agentKey),
    {
      fields: { agent_key: agentKey },
      advice: "it is not known whether this is the agent's key now: if not, the link still works",
    },
  ).catch((error: unknown) => {
    throw error instanceof RpcRefusedError && error.code === 'invalid_claim_token' ? invalidToken() : error;
  });
});

export const rotationEndpoints: readonly Endpoint[] = [requestRotation, redeemClaim];

/** The same text for malformed, unknown, used and expired tokens: the difference would help only an attacker. */
const invalidToken = (): DomainError =>
  new DomainError('invalid_claim_token', 'the claim token is invalid or was used already');
