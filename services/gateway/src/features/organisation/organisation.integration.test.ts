import { DomainError, createKeyRoute, createOrganisation } from '@agent-trust/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex, isOrgKey } from '../../credentials/keys.ts';
import { agentKey, orgKey, sandboxKey } from '../../testing/agents.ts';
import { behind } from '../../testing/fake-bus.ts';
import {
  adminKey,
  adminToken,
  answerAsKnown,
  type GatewayUnderTest,
  post,
  startGatewayUnderTest,
} from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
beforeEach(() => {
  answerAsKnown(under.bus);
  under.bus.answer(createOrganisation, ({ orgName }) => ({
    orgId: 'o',
    orgName,
    createdAt: '2026-01-01T00:00:00.000Z',
    position: '3',
  }));
});
afterAll(() => under.stop());

const create = (
  headers: Record<string, string> = { 'x-admin-key': adminKey },
  changes: object = {},
): Promise<Response> =>
  post(`${under.url}/org/create-key`, { org_name: 'Acme', contact_email: 'ops@acme.test', ...changes }, headers);
const codeOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { code: unknown }).code,
];

describe('POST /org/create-key', () => {
  // Bug: the organisation exists, its name is taken for good, and nobody has its keys.
  it('returns the keys even if it is unknown whether they were stored, and not if nothing was written', async () => {
    const failing = async (code: 'unavailable' | 'org_name_taken'): Promise<[number, Record<string, unknown>]> => {
      under.bus.answer(createOrganisation, () => {
        throw new DomainError(code, 'no');
      });
      const response = await create();
      return [response.status, (await response.json()) as Record<string, unknown>];
    };
    const [status, body] = await failing('unavailable');
    expect([status, body['code']]).toEqual([503, 'unavailable']);
    expect(under.bus.inputsOf(createOrganisation).at(-1)).toMatchObject({
      productionKeyHash: sha256Hex(String(body['api_key'])),
      sandboxKeyHash: sha256Hex(String(body['sandbox_api_key'])),
    });
    expect(under.logged()).not.toContain(body['api_key']);
    const [refused, nothing] = await failing('org_name_taken');
    expect([refused, nothing['api_key'], nothing['sandbox_api_key']]).toEqual([409, undefined, undefined]);
  });

  it('returns two keys whose hashes alone have left the gateway', async () => {
    const response = await create();
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const body = createKeyRoute.answers[201]?.body?.parse(await response.json()) as Record<string, string>;
    expect([isOrgKey(body['api_key'] ?? ''), isOrgKey(body['sandbox_api_key'] ?? '')]).toEqual([true, true]);
    expect(under.bus.inputsOf(createOrganisation).at(-1)).toMatchObject({
      productionKeyHash: sha256Hex(body['api_key'] ?? ''),
      sandboxKeyHash: sha256Hex(body['sandbox_api_key'] ?? ''),
    });
    expect(under.bus.awaited.at(-1)).toBe('3');
  });

  it('returns the two keys, and no more, if readers lag behind', async () => {
    under.bus.answerWaits(behind);
    const response = await create();
    const { api_key, sandbox_api_key, code, detail, ...more } = (await response.json()) as Record<string, string>;
    expect([response.status, code, detail]).toEqual([503, 'read_model_behind', expect.any(String)]);
    expect([isOrgKey(api_key ?? ''), isOrgKey(sandbox_api_key ?? '')]).toEqual([true, true]);
    expect(more).not.toHaveProperty('org_name');
    expect(more).not.toHaveProperty('created_at');
  });

  it.each([
    ['no key', {}, 401, 'invalid_admin_key'],
    ['a wrong key', { 'x-admin-key': adminToken }, 401, 'invalid_admin_key'],
    ['the key twice', { 'x-admin-key': `${adminKey}, ${adminKey}` }, 401, 'invalid_admin_key'],
    ['the token in its place', { authorization: `Bearer ${adminToken}` }, 401, 'invalid_admin_key'],
    ['an origin', { 'x-admin-key': adminKey, origin: 'https://x.test' }, 403, 'browser_request_refused'],
    ['a fetch site', { 'x-admin-key': adminKey, 'sec-fetch-site': 'none' }, 403, 'browser_request_refused'],
  ])('refuses %s', async (_what, headers: Record<string, string>, status, code) => {
    expect(await codeOf(await create(headers))).toEqual([status, code]);
  });

  it("accepts the headers of Node's own fetch", async () => {
    expect((await create({ 'x-admin-key': adminKey, 'sec-fetch-mode': 'cors' })).status).toBe(201);
  });

  it.each([
    [{ org_name: 'x'.repeat(257) }, 422],
    [{ org_name: '𝒳'.repeat(256) }, 201],
    [{ org_name: '  ' }, 422],
    [{ org_name: 'Ac\u200bme' }, 422],
    [{ org_name: 'Ac\u202eem' }, 422],
    [{ org_name: 'Acme\u001b[2K' }, 422],
    [{ org_name: 'Acme\nInc' }, 422],
    [{ contact_email: 'nobody' }, 422],
    [{ contact_email: null }, 422],
  ])('answers %j with %i', async (changes, status) => {
    expect((await create({ 'x-admin-key': adminKey }, changes)).status).toBe(status);
  });

  it('reports the shape before the credential, and a taken name', async () => {
    expect(await codeOf(await create({}, { org_name: 1 }))).toEqual([422, 'validation_failed']);
    under.bus.answer(createOrganisation, () => {
      throw new DomainError('org_name_taken', 'taken');
    });
    expect(await codeOf(await create())).toEqual([409, 'org_name_taken']);
  });
});

describe('GET /org/whoami', () => {
  const whoami = (headers: Record<string, string>): Promise<Response> => fetch(`${under.url}/org/whoami`, { headers });

  it('returns the organisation and the universe of a key', async () => {
    expect(await (await whoami({ 'x-api-key': orgKey })).json()).toEqual({ org_name: 'Acme', is_sandbox: false });
    expect(await (await whoami({ 'x-api-key': sandboxKey })).json()).toEqual({ org_name: 'Acme', is_sandbox: true });
  });

  it('requires a key', async () => {
    expect(await codeOf(await whoami({}))).toEqual([401, 'credential_required']);
    expect(await codeOf(await whoami({ authorization: `Bearer ${agentKey}` }))).toEqual([401, 'credential_required']);
    expect(await codeOf(await whoami({ 'x-api-key': agentKey }))).toEqual([401, 'invalid_api_key']);
  });
});
