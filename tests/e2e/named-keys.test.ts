import { organisationScope, type OrganisationScope } from '@agent-trust/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  ask,
  type Body,
  createOrg,
  gateways,
  get,
  type HeaderMap,
  join,
  type Org,
  post,
} from '../support/ask.ts';
import { mcpTransports } from '../support/mcp-clients.ts';
import { refusedWith, toolClient } from '../support/mcp-tools.ts';
import { createNamedKey, expiredNamedKey, revokeNamedKey } from '../support/named-keys.ts';
import { orgKey, unique } from '../support/registry.ts';
import { served } from '../support/served.ts';

let org: Org;
beforeAll(async () => {
  org = await createOrg();
});

const codeOf = ({ status, body }: Answer): unknown[] => [status, body['code']];
const replace = (own: HeaderMap, key: string, body: Body, gateway?: string): Promise<Answer> =>
  post(`/org/keys/${key}/replace`, body, own, gateway);
const whoami = (key: HeaderMap, gateway?: string): Promise<Answer> => get('/org/whoami', key, gateway);
/** How each gateway takes a key: its status. */
const taken = (key: HeaderMap): Promise<number[]> =>
  Promise.all(gateways.map(async (gateway) => (await whoami(key, gateway)).status));
const listed = async (own: HeaderMap, keyId: string): Promise<Body | undefined> =>
  (await get('/org/keys', own)).list.find((one) => one['key_id'] === keyId);

describe('a named key', () => {
  it('works at every gateway from the answer on, in the universe of the key that made it', async () => {
    for (const [own, isSandbox] of [
      [org.key, false],
      [org.sandboxKey, true],
    ] as const) {
      const { key, keyId, name } = await createNamedKey(own, ['read'], {}, gateways[1]);
      for (const gateway of gateways) {
        expect((await whoami(key, gateway)).body).toEqual({
          org_name: org.name,
          is_sandbox: isSandbox,
          named_key: { key_id: keyId, name, scopes: ['read'], expires_at: expect.any(String) },
        });
      }
      const [there, elsewhere] = isSandbox ? [org.sandboxKey, org.key] : [org.key, org.sandboxKey];
      expect(await listed(there, keyId)).toMatchObject({ name, status: 'active', revoked_at: null });
      expect(await listed(elsewhere, keyId)).toBeUndefined();
      expect(codeOf(await revokeNamedKey(elsewhere, keyId))).toEqual([404, 'org_key_not_found']);
      expect(codeOf(await replace(elsewhere, keyId, {}))).toEqual([404, 'org_key_not_found']);
    }
  });

  it('may do what its scopes say, and nothing else', async () => {
    const live = await join(org.key);
    const uses: Record<OrganisationScope, (key: HeaderMap) => Promise<Answer>> = {
      register: (key) => post('/register', { agent_id: unique('named') }, key),
      read: (key) => get(`/org/agents/${live.agentId}`, key),
      payments: (key) => get('/org/payments', key),
      webhooks: (key) => get('/org/webhooks', key),
    };
    for (const scope of organisationScope.options) {
      const { key, name } = await createNamedKey(org.key, [scope]);
      const done = await uses[scope](key);
      expect([scope, done.status]).toEqual([scope, scope === 'register' ? 201 : 200]);
      for (const other of organisationScope.options.filter((one) => one !== scope)) {
        const answer = await uses[other](key);
        expect([scope, ...codeOf(answer)]).toEqual([scope, 403, 'org_key_scope_missing']);
        expect(answer.body['detail']).toContain(`the key "${name}" has the scope ${scope}; `);
        expect(answer.body['detail']).toContain(`needs the scope ${other}`);
      }
      // On routes that are for everybody, too: a key is never ignored.
      expect((await get('/registry?limit=1', key)).status).toBe(scope === 'read' ? 200 : 403);
    }
  });

  it('never decides over keys, whatever its scopes', async () => {
    const { key, keyId } = await createNamedKey(org.key);
    const sandboxed = await createNamedKey(org.sandboxKey);
    for (const credential of [key, sandboxed.key]) {
      const tried = [
        await post('/org/keys', { name: unique('more'), scopes: ['read'] }, credential),
        await get('/org/keys', credential),
        await replace(credential, keyId, {}),
        await revokeNamedKey(credential, keyId),
      ];
      for (const answer of tried) expect(codeOf(answer)).toEqual([403, 'org_key_scope_missing']);
    }
    for (const [method, path] of [
      ['POST', '/org/sandbox-key'],
      ['DELETE', '/org/sandbox-key'],
      ['POST', '/org/rotate-key'],
    ] as const) {
      expect(codeOf(await ask(method, path, { headers: key }))).toEqual([403, 'org_key_scope_missing']);
    }
    expect(await taken(org.key)).toEqual([200, 200]);
  });

  it('is named in what it causes, for its organisation and for operators', async () => {
    const { key, keyId } = await createNamedKey(org.key, ['register']);
    const agentId = unique('caused');
    expect((await post('/register', { agent_id: agentId }, key)).status).toBe(201);
    const actor = { kind: 'organisation', credentials: ['production_key'] };
    const own = (await get(`/org/agents/${agentId}/events`, org.key)).list;
    expect(own[0]).toMatchObject({ type: 'AgentRegistered', actor: { ...actor, id: org.name, key_id: keyId } });
    const all = (await get(`/ops/events?agent_id=${agentId}`, adminToken)).list;
    expect(all[0]).toMatchObject({ type: 'AgentRegistered', metadata: { actor: { ...actor, keyId } } });
    const other = await join(org.key);
    const [byOwnKey] = (await get(`/org/agents/${other.agentId}/events`, org.key)).list;
    expect(byOwnKey?.['actor']).toEqual({ ...actor, id: org.name });
  });

  it('has a last use, to within a minute', async () => {
    const { key, keyId } = await createNamedKey(org.key, ['read']);
    expect(await listed(org.key, keyId)).toMatchObject({ last_used_at: null });
    await whoami(key);
    await expect.poll(async () => (await listed(org.key, keyId))?.['last_used_at']).toMatch(/^\d{4}-.*Z$/u);
  });

  it('has a name once while it works, also of ten requests at once', async () => {
    const name = unique('once');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, turn) =>
        served(() => post('/org/keys', { name, scopes: ['read'] }, org.key, gateways[turn % 2])),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array(9).fill(409)]);
  });
});

describe('a named key ends', () => {
  it('when it expires, by the clock at each request', async () => {
    const { key, keyId } = await expiredNamedKey(org.key);
    expect(await taken(key)).toEqual([401, 401]);
    expect(codeOf(await whoami(key))).toEqual([401, 'invalid_api_key']);
    expect(await listed(org.key, keyId)).toMatchObject({ status: 'expired' });
    expect(codeOf(await replace(org.key, keyId, {}))).toEqual([409, 'org_key_ended']);
  });

  it('when it is revoked, at every gateway from the answer on', async () => {
    for (const gateway of gateways) {
      const { key, keyId, name } = await createNamedKey(org.key, ['read']);
      expect(await taken(key)).toEqual([200, 200]);
      const revoked = await revokeNamedKey(org.key, name, gateway);
      expect(revoked.body).toMatchObject({ key_id: keyId, name, status: 'revoked' });
      expect(await taken(key)).toEqual([401, 401]);
      expect((await revokeNamedKey(org.key, keyId)).body).toEqual(revoked.body);
    }
  });

  it('with its secret when that is replaced: at once, or after the overlap', async () => {
    const { key, keyId, name } = await createNamedKey(org.key, ['read']);
    const second = await replace(org.key, name, { overlap_seconds: 3_600 }, gateways[1]);
    expect(second.body).toMatchObject({ key_id: keyId, name, scopes: ['read'] });
    const secondKey = orgKey(String(second.body['api_key']));
    expect([await taken(key), await taken(secondKey)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    // A third secret ends the first one at once, and with an overlap of 0 the second one, too.
    const third = await replace(org.key, keyId, { overlap_seconds: 0 });
    const thirdKey = orgKey(String(third.body['api_key']));
    expect([await taken(key), await taken(secondKey), await taken(thirdKey)]).toEqual([
      [401, 401],
      [401, 401],
      [200, 200],
    ]);
    const fourth = await replace(org.key, keyId, { overlap_seconds: 1 });
    expect(await taken(orgKey(String(fourth.body['api_key'])))).toEqual([200, 200]);
    await expect.poll(() => taken(thirdKey)).toEqual([401, 401]);
    expect((await revokeNamedKey(org.key, keyId)).status).toBe(200);
    expect(await taken(orgKey(String(fourth.body['api_key'])))).toEqual([401, 401]);
  });

  it('while its organisation is disabled, and for good when the operator replaces the keys', async () => {
    const own = await createOrg();
    const [live, draft] = [await createNamedKey(own.key), await createNamedKey(own.sandboxKey)];
    const operate = (what: string): Promise<Answer> =>
      post(`/ops/organisations/${own.name}/${what}`, { reason: 'A test.' }, adminToken);
    expect((await operate('disable')).status).toBe(200);
    for (const gateway of gateways) {
      expect(codeOf(await whoami(live.key, gateway))).toEqual([403, 'organisation_disabled']);
    }
    expect((await operate('enable')).status).toBe(200);
    expect([await taken(live.key), await taken(draft.key)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    const reissued = await operate('reissue-keys');
    expect(reissued.status).toBe(200);
    expect([await taken(live.key), await taken(draft.key)]).toEqual([
      [401, 401],
      [401, 401],
    ]);
    expect(await listed(orgKey(String(reissued.body['api_key'])), live.keyId)).toMatchObject({ status: 'revoked' });
  });

  it('not when the production key is replaced', async () => {
    const own = await createOrg();
    const { key, keyId } = await createNamedKey(own.key);
    const rotated = await post('/org/rotate-key', undefined, own.key);
    expect(await taken(key)).toEqual([200, 200]);
    expect(codeOf(await revokeNamedKey(own.key, keyId))).toEqual([401, 'invalid_api_key']);
    expect((await revokeNamedKey(orgKey(String(rotated.body['api_key'])), keyId)).status).toBe(200);
    expect(await taken(key)).toEqual([401, 401]);
  });
});

it('the secret of a key is shown once, and not cached', async () => {
  const made = await post('/org/keys', { name: unique('shown'), scopes: ['read'] }, org.key);
  expect(made.headers.get('cache-control')).toBe('no-store');
  const keys = await get('/org/keys', org.key);
  expect(keys.text).not.toContain(String(made.body['api_key']));
  expect(keys.text).not.toMatch(/registry-org-/u);
});

it.each(mcpTransports)('tools of the MCP server need the scopes of their routes, over %s', async (transport) => {
  const reader = await createNamedKey(org.key, ['read']);
  const payer = await createNamedKey(org.key, ['payments']);
  const tools = await toolClient(reader.key, transport);
  expect((await tools.tool('list_org_agents', {})).isError).toBe(false);
  const registration = { agent_id: unique('tool'), contact_email: 'tools@org.example' };
  expect(refusedWith(await tools.tool('register_agent', registration))).toBe('org_key_scope_missing');
  const others = await toolClient(payer.key, transport);
  expect(refusedWith(await others.tool('list_org_agents', {}))).toBe('org_key_scope_missing');
  // A session is no credential: a key that is revoked during it fails.
  await revokeNamedKey(org.key, reader.keyId);
  expect(refusedWith(await tools.tool('list_org_agents', {}))).toBe('invalid_api_key');
  await Promise.all([tools.end(), others.end()]);
});
