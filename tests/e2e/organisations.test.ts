import { describe, expect, it } from 'vitest';
import {
  adminKey,
  adminToken,
  ask,
  createOrg,
  faultLocations,
  gateways,
  get,
  join,
  post,
  stack,
} from '../support/ask.ts';
import { unique } from '../support/registry.ts';
import { served } from '../support/served.ts';

const contact_email = 'ops@org.example';
const create = (body: unknown, headers: Record<string, string> = adminKey) => post('/org/create-key', body, headers);

describe('POST /org/create-key', () => {
  it('creates an organisation with two keys, one for each universe', async () => {
    const org_name = unique('Ørg 😀');
    const { status, body, headers } = await create({ org_name, contact_email });
    expect(status).toBe(201);
    expect(Object.keys(body).toSorted()).toEqual(['api_key', 'created_at', 'org_name', 'sandbox_api_key']);
    expect(body['org_name']).toBe(org_name);
    expect(body['api_key']).not.toBe(body['sandbox_api_key']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await get('/org/whoami', { 'x-api-key': String(body['api_key']) })).body).toEqual({
      org_name,
      is_sandbox: false,
    });
    expect((await get('/org/whoami', { 'x-api-key': String(body['sandbox_api_key']) })).body).toEqual({
      org_name,
      is_sandbox: true,
    });
  });

  it.each([
    ['no key', {}],
    ['a wrong key', { 'x-admin-key': 'wrong' }],
    ['an empty key', { 'x-admin-key': '' }],
    ["the admin's other credential", { 'x-admin-key': stack.adminToken }],
    ['the key in another header', { authorization: `Bearer ${stack.adminKey}` }],
    ['the admin bearer credential', adminToken],
    ['the key with a suffix', { 'x-admin-key': `${stack.adminKey}x` }],
    ['half of the key', { 'x-admin-key': stack.adminKey.slice(0, 20) }],
  ])('%s is 401', async (_what, headers) => {
    const answer = await create({ org_name: unique('org'), contact_email }, headers as Record<string, string>);
    expect([answer.status, answer.body['code']]).toEqual([401, 'invalid_admin_key']);
  });

  it('a browser is 403 even with the right key; Sec-Fetch-Mode alone does not indicate a browser', async () => {
    for (const sign of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const answer = await create({ org_name: unique('org'), contact_email }, { ...adminKey, ...sign } as Record<
        string,
        string
      >);
      expect([answer.status, answer.body['code']]).toEqual([403, 'browser_request_refused']);
    }
    expect(
      (await create({ org_name: unique('org'), contact_email }, { ...adminKey, 'sec-fetch-mode': 'cors' })).status,
    ).toBe(201);
  });

  it('a browser without the right key gets the same answer as any wrong key', async () => {
    const answer = await create({ org_name: unique('org'), contact_email }, { origin: 'https://evil.example' });
    expect([answer.status, answer.body['code']]).toEqual([401, 'invalid_admin_key']);
  });

  it('both keys work at once, each in its universe, on every gateway', async () => {
    const { body } = await create({ org_name: unique('org'), contact_email });
    for (const [name, isSandbox] of [
      ['api_key', false],
      ['sandbox_api_key', true],
    ] as const) {
      const key = { 'x-api-key': String(body[name]) };
      for (const gateway of gateways) {
        const registered = await post('/register', { agent_id: unique('agent') }, key, gateway);
        expect([registered.status, registered.body['is_sandbox']]).toEqual([201, isSandbox]);
      }
    }
  });

  it('a name is taken once, in whatever spelling', async () => {
    const org_name = unique('Ärger Ωmega ＡＣＭＥ');
    expect((await create({ org_name, contact_email })).status).toBe(201);
    for (const spelling of [org_name, org_name.toUpperCase(), org_name.toLowerCase()]) {
      const answer = await create({ org_name: spelling, contact_email });
      expect([answer.status, answer.body['code']]).toEqual([409, 'org_name_taken']);
    }
  });

  it('fifty at once with one name: exactly one is created', async () => {
    const org_name = unique('race');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => served(() => create({ org_name, contact_email }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  it.each([
    [{ contact_email }, 'body.org_name'],
    [{ org_name: null, contact_email }, 'body.org_name'],
    [{ org_name: '', contact_email }, 'body.org_name'],
    [{ org_name: '  ', contact_email }, 'body.org_name'],
    [{ org_name: 'é'.repeat(257), contact_email }, 'body.org_name'],
    [{ org_name: 'a\0b', contact_email }, 'body.org_name'],
    [{ org_name: 'acme' }, 'body.contact_email'],
    [{ org_name: 'acme', contact_email: 'nobody' }, 'body.contact_email'],
    [{ org_name: 'acme', contact_email: null }, 'body.contact_email'],
  ])('%j is 422, before the key is looked at', async (body, place) => {
    for (const headers of [adminKey, {}]) {
      const answer = await create(body, headers as Record<string, string>);
      expect([answer.status, ...new Set(faultLocations(answer))]).toEqual([422, place]);
    }
  });

  it('a name of 256 astral characters is allowed', async () => {
    const name = unique('n');
    expect((await create({ org_name: name + '😀'.repeat(256 - name.length), contact_email })).status).toBe(201);
  });
});

describe('GET /org/whoami', () => {
  it('without a key or with an unknown one is 401', async () => {
    expect((await get('/org/whoami')).body['code']).toBe('credential_required');
    for (const key of ['x', '', `registry-org-sk-${'A'.repeat(43)}`, stack.adminKey]) {
      const answer = await get('/org/whoami', { 'x-api-key': key });
      expect([answer.status, answer.body['code']]).toEqual([401, 'invalid_api_key']);
    }
  });

  it("an agent's key is not an organisation's", async () => {
    const { auth } = await join();
    expect((await get('/org/whoami', auth)).status).toBe(401);
    expect(
      (await get('/org/whoami', { 'x-api-key': String(auth['authorization']).slice('Bearer '.length) })).status,
    ).toBe(401);
  });

  it('a key sent twice is invalid', async () => {
    const org = await createOrg();
    const key = String(org.key['x-api-key']);
    const headers = new Headers();
    headers.append('x-api-key', key);
    headers.append('x-api-key', key);
    expect((await ask('GET', '/org/whoami', { headers: Object.fromEntries(headers) })).status).toBe(401);
  });
});
