import { type Route, routes } from '@agent-trust/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ask, createOrg, freshClient, join, type Member } from '../support/ask.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { served } from '../support/served.ts';
import { type Attacker, attackersFrom, endedKeysOf, ownKeysWithout } from '../support/tenants/attackers.ts';
import {
  namesNoTenant,
  readsNoCredential,
  requestsFor,
  type TenantRequest,
  unfilled,
} from '../support/tenants/requests.ts';
import { type Credential, createTenant, credentialsOf, eventsOf, type Tenant } from '../support/tenants/tenant.ts';

/*
 * Bug: a route lets somebody else act on or read what belongs to a tenant.
 * Method: from the contract of every route, requests that name a tenant's agents, webhooks, keys, domain and exchanges, sent with every kind of
 * credential of another tenant, of an agent without organisation, with made-up ones, with named keys that have ended, and with the tenant's own
 * named keys without the scope that the route needs. None may succeed unless the route is for everybody;
 * none may leave an event about the tenant in the log; no answer may show what only the owner sees. That the same request succeeds for the
 * owner shows that it was refused because of who asked.
 */

/** Operations that take the name of another tenant's thing, each with the reason. */
const mayBeNamed: Readonly<Record<string, string>> = {
  requestDomainProof: 'a token proves a domain for who asked for it, and only if it is published there',
  registerWebhook: 'scores of production are public, so anybody may follow them',
};

/**
 * Operations that the shared system does not have, so that nobody passes: demo-on-request.ts of tests/e2e/own-system shows who does, and
 * trust-policies.ts for the records of organisations, which trust policy v1 does not keep.
 */
const absentHere: ReadonlySet<string> = new Set(['playDemo', 'getDemo', 'explainRecord', 'getRecordHistory']);

let endpoint: RecordingAgent;
/** An agent of a third organisation, which the tenants deal with. */
let partner: Member;
/** An agent without an organisation. */
let outsider: Member;
let victim: Tenant;
let other: Tenant;
let isOtherSpent = false;
/** Named keys that have ended, of both tenants. */
let ended: Attacker[];

const tenant = (): Promise<Tenant> => createTenant(endpoint.url, partner);

beforeAll(async () => {
  endpoint = await startRecordingAgent();
  partner = await join((await createOrg()).key, { endpoint_url: endpoint.url });
  outsider = await join({}, { endpoint_url: endpoint.url });
  [victim, other] = [await tenant(), await tenant()];
  ended = await endedKeysOf([victim, other]);
  return () => endpoint.stop();
});

const send = async (request: TenantRequest, credential: Credential, isOwner = false): Promise<Answer> => {
  const { method, path, body } = request;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? {} : { 'content-type': 'application/json' };
  const sendOnce = async (): Promise<Answer> => {
    const proof = await credential({ method, path, text });
    return ask(method, path, {
      headers: { ...freshClient(), ...proof, ...type },
      ...(text === undefined ? {} : { body: text }),
      ...(isOwner ? { owner: true } : {}),
    });
  };
  return served(sendOnce, method === 'GET');
};

const isMalformed = ({ status, body }: Answer): boolean => status === 422 && body['code'] === 'validation_failed';

/** What is wrong with the answer to an attacker, if anything is. */
const faultOf = (route: Route, { names }: TenantRequest, { proves }: Attacker, answer: Answer): string | null => {
  const { status, text, headers } = answer;
  if (text.includes(victim.mark) || JSON.stringify([...headers]).includes(victim.mark))
    return "shows the owner's fields";
  const isForAnybody = route.credentials.includes('none');
  if (isForAnybody) return null;
  if (isMalformed(answer)) return 'was refused for its shape, which shows nothing about who may send it';
  if (!proves.some((one) => route.credentials.includes(one))) {
    return status === 401 || status === 403
      ? null
      : 'was not refused, although the route does not take this credential';
  }
  if (names.length === 0 || mayBeNamed[route.operationId] !== undefined) return null;
  return status >= 400 && status < 500 ? null : 'was not refused';
};

const attack = async (route: Route, lacking: readonly Attacker[]): Promise<string[]> => {
  const attackers = [...attackersFrom(other, outsider, victim), ...ended, ...lacking];
  const faults: string[] = [];
  for (const request of requestsFor(route, victim, partner.agentId)) {
    const answers = await Promise.all(
      attackers.map(async (attacker) => ({ attacker, answer: await send(request, attacker.credential) })),
    );
    for (const { attacker, answer } of answers) {
      const fault = faultOf(route, request, attacker, answer);
      if (fault === null) continue;
      const asked = `${request.method} ${request.path} ${JSON.stringify(request.body)}`;
      faults.push(`${asked} by ${attacker.name} ${fault}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    // Without a name the requests acted on their senders, who may have lost their keys by it.
    if (route.method !== 'GET' && request.names.length === 0) isOtherSpent = true;
  }
  return faults;
};

/** Whether some request of the route passes with the owner's credentials; otherwise, how each was refused. */
const refusalsOfOwner = async (route: Route): Promise<string[]> => {
  const owner = route.method === 'GET' ? victim : await tenant();
  const refusals: string[] = [];
  for (const request of requestsFor(route, owner, partner.agentId)) {
    const proofs = credentialsOf(owner, request.place);
    for (const kind of route.credentials) {
      if (kind === 'none') continue;
      const answer = await send(request, proofs[kind], true);
      const isRefused = isMalformed(answer) || [400, 401, 403, 404].includes(answer.status);
      if (!isRefused) return [];
      refusals.push(`${request.place} by ${kind}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
  }
  return refusals;
};

it('fills in every parameter and field that names something (else: add the name to tests/support/tenants/requests.ts)', () => {
  const missing = routes.flatMap((route) =>
    unfilled(route, victim).map((name) => `${route.method} ${route.path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

describe.each(
  routes.filter((route) => !namesNoTenant(route)).map((route) => [`${route.method} ${route.path}`, route] as const),
)('%s', (_name, route) => {
  it('gives nobody else what belongs to a tenant', async () => {
    const lacking = await ownKeysWithout(route.organisationScope, victim);
    const before = (await eventsOf(victim)).at(-1)?.position;
    const faults = await attack(route, lacking);
    const effects = (await eventsOf(victim, before)).map(({ type, data }) => `${type} ${JSON.stringify(data)}`);
    if (effects.length > 0) victim = await tenant();
    if (isOtherSpent) other = await tenant();
    isOtherSpent = false;
    expect({ faults, effects }).toEqual({ faults: [], effects: [] });
  });

  if (readsNoCredential(route) || absentHere.has(route.operationId)) return;
  it('lets the owner pass (else the tenant lacks what it names: tests/support/tenants/tenant.ts)', async () => {
    expect(await refusalsOfOwner(route)).toEqual([]);
  });
});
