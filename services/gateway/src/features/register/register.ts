import {
  type RegisterBody,
  configurationPatchFromWire,
  confirmationAnswersFromWire,
  confirmationRequestToWire,
  DomainError,
  getOwnerAgent,
  ownerTrustObjectToWire,
  type RegistrationCredential,
  registerAgent,
  registerRoute,
} from '@agent-trust/contracts';
import { type CallerOf, holderOf } from '../../http/caller/caller.ts';
import { command } from '../../bus/ask.ts';
import { askAfter, type Unrepeatable } from '../../bus/read-your-writes.ts';
import { claimLink, sha256Hex } from '../../credentials/keys.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { HttpRefusal } from '../../http/error-answer.ts';
import { scopeOfSender } from '../../idempotency/credential-scope.ts';
import { idempotently } from '../../idempotency/idempotently.ts';
import { countedIfDone } from '../../quota/counted.ts';
import { clientOf } from '../../rate-limit/client-address.ts';

export const register: Endpoint = endpoint(
  registerRoute,
  async ({ body, caller, credentials, actor, request, reply }, gateway) => {
    // Before anything is kept for it. A credential has its owner's limits.
    if (caller.kind === 'anonymous') await gateway.registrationLimiter.take(`registrations of ${clientOf(request.ip)}`);
    const scope = scopeOfSender(caller, credentials, body.agent_id);
    return idempotently(gateway, { request, reply }, scope, async (once, written) => {
      // An answer that is sent again counts once.
      const admitted = await gateway.quotas.take(request, holderOf(caller), 'registrations');
      return countedIfDone(admitted, async () => {
        const claimToken = once.claimTokenFor(body.agent_id);
        const registered = await command(gateway, request, registerAgent, {
          agentId: body.agent_id,
          orgName: body.org_name ?? null,
          orgDomain: body.org_domain ?? null,
          publicKey: body.public_key ?? null,
          contact: { contactInfo: body.contact_info ?? null, contactEmail: body.contact_email ?? null },
          configuration: configurationPatchFromWire(body),
          cloneFromAgentId: body.clone_from_agent_id ?? null,
          ...confirmationAnswersFromWire(body),
          credential: credentialOf(caller, body),
          claimTokenHash: sha256Hex(claimToken),
          commandId: once.commandId,
          earlierCommandId: once.earlierCommandId,
          actor,
        });
        if (registered.outcome === 'confirmation_required') {
          admitted.giveBack();
          reply.code(202);
          return confirmationRequestToWire(body.agent_id, registered);
        }
        written();
        const { agentId, universe, registeredAt, position } = registered;
        const issued = { agent_key: null, claim_link: claimLink(gateway.baseUrl, claimToken) };
        const { agent } = await askAfter(gateway, request, position, getOwnerAgent, { agentId, universe }, issued);
        if (agent === null) throw movedOn(issued);
        const trustObject = ownerTrustObjectToWire(agent, gateway.baseUrl);
        return { ...trustObject, status: 'registered', ...issued, registered_at: registeredAt };
      });
    });
  },
);

/** The registration stands, so its claim link is sent in any case. */
const movedOn = (issued: Unrepeatable): HttpRefusal =>
  new HttpRefusal(
    new DomainError(
      'read_model_behind',
      'the registration is durable and stands, but the agent has left this universe since: do not repeat it',
    ),
    { fields: issued },
  );

/** Only the admin sets `verified`; from other callers it is an unknown field. */
const credentialOf = (
  caller: CallerOf<'none' | 'organisation' | 'operator'>,
  body: RegisterBody,
): RegistrationCredential => {
  switch (caller.kind) {
    case 'organisation':
      return { kind: 'organisation', ...caller.organisation };
    case 'operator':
      return { kind: 'admin', verified: body.verified === true };
    case 'anonymous':
      return { kind: 'none' };
    default:
      return caller satisfies never;
  }
};
