import { type ClaimAuthority, issueClaim, requestRotationRoute } from '@agent-trust/contracts';
import type { CallerOf } from '../../http/caller/caller.ts';
import { command } from '../../bus/ask.ts';
import { untilReadable } from '../../bus/read-your-writes.ts';
import { claimLink, mintClaimToken } from '../../credentials/claim-token.ts';
import { sha256Hex } from '../../credentials/keys.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { claimMail } from './mail/claim-mail.ts';
import { clientOf } from '../../rate-limit/client-address.ts';
import { rotateSigned } from './rotate-signed.ts';

export const requestRotation: Endpoint = endpoint(
  requestRotationRoute,
  async ({ body, caller, actor, request }, gateway) => {
    if (caller.kind === 'agent' && caller.signer !== null) {
      return rotateSigned(gateway, request, body.agent_id, caller.signer, actor);
    }
    // Only those without a credential count against the agent: else anybody could lock its owner out.
    if (caller.kind === 'anonymous') await gateway.rotationLimiter.take(`agent ${body.agent_id}`);
    const claimToken = mintClaimToken(body.agent_id);
    const { position, expiresAt, contactEmail } = await command(gateway, request, issueClaim, {
      agentId: body.agent_id,
      claimTokenHash: sha256Hex(claimToken),
      authority: authorityOf(caller),
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
    await untilReadable(gateway, request, position, issued);
    return { agent_id: body.agent_id, status: 'claim_issued', ...issued };
  },
  {
    // Every request of an address counts, also one that is refused for its body.
    admit: (request, _reply, gateway) => gateway.rotationLimiter.take(`address ${clientOf(request.ip)}`),
  },
);

const authorityOf = (caller: CallerOf<'none' | 'agent' | 'organisation' | 'admin_token'>): ClaimAuthority => {
  switch (caller.kind) {
    case 'organisation':
      return { kind: 'organisation', orgId: caller.organisation.orgId, universe: caller.organisation.universe };
    case 'admin':
      return { kind: 'admin' };
    case 'agent':
      return { kind: 'agent', agentId: caller.agent.agentId };
    case 'anonymous':
      return { kind: 'uncredentialed' };
    default:
      return caller satisfies never;
  }
};
