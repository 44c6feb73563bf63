import { randomBytes } from 'node:crypto';
import type { RouteCredential } from '@agent-trust/contracts';
import { type ClientKey, signedHeaders } from '@agent-trust/http-signature/testing';
import {
  adminKey,
  adminToken,
  ask,
  type Body,
  call,
  createOrg,
  gateways,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
  review,
} from '../ask.ts';
import { adminOperator } from '../operators.ts';
import { createNamedKey, type NamedKey } from '../named-keys.ts';
import { freshDomain, proveDomain } from '../domains.ts';
import { textMessage, unique } from '../registry.ts';
import { freshKey } from '../signer.ts';

/** An agent that can prove who it is in both ways. */
type KeyedMember = Member & { key: ClientKey };

/** An organisation with one of everything that a route can name. */
export type Tenant = {
  /** Is in every field that only its owner may see. */
  mark: string;
  org: Org;
  orgId: string;
  orgDomain: string;
  live: KeyedMember;
  /** The clone of `live`. */
  draft: KeyedMember;
  webhookId: string;
  /** A named key of production with every scope. */
  namedKey: NamedKey;
  /** An exchange of `live` with the partner that is not reviewed yet. */
  transactionId: string;
  /** An exchange of the partner with `live` that the partner has reviewed. */
  reviewedTransactionId: string;
  /** The event of the registration of `live`, and its position in the log. */
  eventId: string;
  position: string;
};

/** The parts of a request that a signature covers. */
export type Signable = { method: string; path: string; text: string | undefined };
/** The headers that a credential adds to a request. */
export type Credential = (request: Signable) => HeaderMap | Promise<HeaderMap>;

export function signatureOf(key: ClientKey, keyId: string = key.keyId): Credential {
  return ({ method, path, text = '' }) => signedHeaders(key, `${gateways[0]}${path}`, text, { method, keyId });
}

const expectStatus = (status: number, answer: { status: number; text: string }): void => {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
};

const joinWithKey = async (credential: HeaderMap, agentId: string, fields: Body): Promise<KeyedMember> => {
  const key = await freshKey(agentId);
  return { ...(await join(credential, { agent_id: agentId, public_key: key.publicKey, ...fields })), key };
};

/** @param partner An agent of another organisation, with an endpoint. */
export async function createTenant(endpointUrl: string, partner: Member): Promise<Tenant> {
  const mark = `mark${randomBytes(8).toString('hex')}`;
  const orgDomain = freshDomain();
  const org = await createOrg();
  await proveDomain(orgDomain, org.key);
  const fields = { endpoint_url: `${endpointUrl}/${mark}` };
  const live = await joinWithKey(org.key, unique('live'), { ...fields, org_domain: orgDomain });
  const hidden = { specialty: mark, contact_email: `${mark}@agent.example`, contact_info: mark };
  const clone = { ...fields, ...hidden, clone_from_agent_id: live.agentId };
  const draft = await joinWithKey(org.sandboxKey, unique('draft'), clone);
  const hook = await post('/org/webhooks', { url: `https://127.0.0.1:8443/${mark}` }, org.key);
  expectStatus(201, hook);
  const called = await call(live, partner.agentId, textMessage('hello'));
  expectStatus(200, called);
  const reviewed = await call(partner, live.agentId, textMessage('hello'));
  expectStatus(200, reviewed);
  expectStatus(200, await review(partner, live.agentId));
  const [registered] = await eventsOf({ org });
  return {
    mark,
    org,
    orgId: registered?.data['orgId'] as string,
    orgDomain,
    live,
    draft,
    webhookId: String(hook.body['webhook_id']),
    namedKey: await createNamedKey(org.key),
    transactionId: String(called.body['transaction_id']),
    reviewedTransactionId: String(reviewed.body['transaction_id']),
    position: registered?.position ?? '',
    eventId: registered?.event_id ?? '',
  };
}

type LoggedEvent = { position: string; event_id: string; type: string; data: Body };

/** All events about an organisation and its agents, after a position if one is given. */
export async function eventsOf({ org }: Pick<Tenant, 'org'>, after?: string): Promise<LoggedEvent[]> {
  const answer = await ask(
    'GET',
    `/ops/events?org=${org.name}&limit=500${after === undefined ? '' : `&after=${after}`}`,
    {
      headers: adminToken,
      owner: true,
    },
  );
  expectStatus(200, answer);
  return answer.list as LoggedEvent[];
}

/** The tenant's own credentials of each kind; those of the operator are the operator's. */
export function credentialsOf(
  { org, live, draft }: Tenant,
  place: 'live' | 'draft',
): Record<Exclude<RouteCredential, 'none'>, Credential> {
  const agent = place === 'live' ? live : draft;
  return {
    agent: () => agent.auth,
    signature: signatureOf(agent.key),
    organisation: () => (place === 'live' ? org.key : org.sandboxKey),
    production_key: () => org.key,
    sandbox_key: () => org.sandboxKey,
    admin_token: () => adminToken,
    operator: adminOperator,
    admin_key: () => adminKey,
  };
}
