import {
  authenticateOrgKey,
  createOrganisationKey,
  describedRoutes,
  getOrgAgentProfile,
  listOrganisationKeys,
  listOrgPayments,
  type NamedKeyIdentity,
  type OrganisationScope,
  type OrgIdentity,
  organisationScope,
  registerAgent,
  replaceOrganisationKey,
  revokeOrganisationKey,
  type Route,
} from '@agent-trust/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isOrgKey, mintKey, sha256Hex } from '../../credentials/keys.ts';
import { organisation, orgKey, ownerAgent, sandbox, sandboxKey } from '../../testing/agents.ts';
import { behind } from '../../testing/fake-bus.ts';
import { answerAsKnown, type GatewayUnderTest, post, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
beforeEach(() => {
  answerAsKnown(under.bus);
  under.bus.answer(createOrganisationKey, ({ scopes }) => ({
    scopes,
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-04-01T00:00:00.000Z',
    position: '3',
  }));
  under.bus.answer(replaceOrganisationKey, () => ({
    keyId: 'k1',
    name: 'deploy',
    scopes: ['read' as const],
    replacedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-04-01T00:00:00.000Z',
    formerEndsAt: '2026-01-01T00:01:00.000Z',
    position: '4',
  }));
  under.bus.answer(revokeOrganisationKey, () => ({
    keyId: 'k1',
    name: 'deploy',
    revokedAt: '2026-01-02T00:00:00.000Z',
    position: '5',
  }));
});
afterAll(() => under.stop());

type Answer = { status: number; body: Record<string, unknown> };
const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: (await response.json()) as Record<string, unknown>,
});
const send = async (method: string, path: string, key: string, body?: object): Promise<Answer> =>
  answerOf(
    await fetch(`${under.url}${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
const codeOf = ({ status, body }: Answer): unknown[] => [status, body['code']];
const asked = { name: 'deploy', scopes: ['read', 'register'] };

/** A secret of a named key; the bus knows whose it is. */
const namedKey = (
  scopes: readonly OrganisationScope[],
  more: Partial<NamedKeyIdentity> = {},
  of: OrgIdentity = organisation,
): string => {
  const key = mintKey('organisation');
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const named = { keyId: 'k1', name: 'deploy', scopes: [...scopes], expiresAt, ...more };
  under.bus.answer(authenticateOrgKey, ({ keyHash, withNamedKeys }) => {
    const known = {
      [sha256Hex(orgKey)]: organisation,
      [sha256Hex(sandboxKey)]: sandbox,
      ...(withNamedKeys ? { [sha256Hex(key)]: { ...of, namedKey: named } } : {}),
    };
    return { organisation: known[keyHash] ?? null };
  });
  return key;
};

describe('POST /org/keys', () => {
  it.each([
    ['production', orgKey, 'registry-org-sk-'],
    ['sandbox', sandboxKey, 'registry-org-sandbox-sk-'],
  ] as const)('makes a key of the universe of the key of the request: %s', async (universe, key, prefix) => {
    const { status, body } = await send('POST', '/org/keys', key, asked);
    expect(status).toBe(201);
    const secret = String(body['api_key']);
    expect([isOrgKey(secret), secret.startsWith(prefix), body['is_sandbox']]).toEqual([
      true,
      true,
      universe === 'sandbox',
    ]);
    const input = under.bus.inputsOf(createOrganisationKey).at(-1);
    expect(input).toMatchObject({
      orgId: 'org1',
      universe,
      presentedKeyHash: sha256Hex(key),
      name: 'deploy',
      expiresAt: null,
      keyHash: sha256Hex(secret),
      keyId: body['key_id'],
    });
    expect(under.logged()).not.toContain(secret);
    expect(under.bus.awaited.at(-1)).toBe('3');
  });

  it('shows the key even if readers lag behind, or it is not known whether it was made', async () => {
    under.bus.answerWaits(behind);
    const late = await send('POST', '/org/keys', orgKey, asked);
    expect([...codeOf(late), isOrgKey(String(late.body['api_key']))]).toEqual([503, 'read_model_behind', true]);
    answerAsKnown(under.bus);
    under.bus.answer(replaceOrganisationKey, () => {
      throw new Error('broken');
    });
    const unknown = await send('POST', '/org/keys/deploy/replace', orgKey, {});
    expect([...codeOf(unknown), isOrgKey(String(unknown.body['api_key']))]).toEqual([503, 'unavailable', true]);
  });

  it.each([
    [{ name: 'Deploy' }],
    [{ name: '' }],
    [{ name: 'a'.repeat(65) }],
    [{ name: '7d9c1a52-6f0e-4b8a-9d3c-2b1a0f9e8d7c' }],
    [{ scopes: [] }],
    [{ scopes: ['everything'] }],
    [{ scopes: ['read', 'read', 'read', 'read', 'read'] }],
    [{ scopes: 'read' }],
    [{ expires_at: 'tomorrow' }],
  ])('refuses %j', async (changes) => {
    expect(codeOf(await send('POST', '/org/keys', orgKey, { ...asked, ...changes }))).toEqual([
      422,
      'validation_failed',
    ]);
  });
});

it('GET /org/keys says which keys work', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const view = {
    keyId: 'k1',
    name: 'a',
    scopes: ['read' as const],
    createdAt: '2026-01-01T00:00:00.000Z',
    replacedAt: null,
    expiresAt: inAnHour,
    formerKeyEndsAt: null,
    revokedAt: null,
  };
  under.bus.answer(listOrganisationKeys, () => ({
    keys: [
      view,
      { ...view, keyId: 'k2', expiresAt: '2026-01-02T00:00:00.000Z' },
      { ...view, keyId: 'k3', revokedAt: '2026-01-02T00:00:00.000Z' },
    ],
  }));
  const response = await fetch(`${under.url}/org/keys`, { headers: { 'x-api-key': sandboxKey } });
  const keys = (await response.json()) as Record<string, unknown>[];
  expect(keys.map(({ key_id: id, status }) => [id, status])).toEqual([
    ['k1', 'active'],
    ['k2', 'expired'],
    ['k3', 'revoked'],
  ]);
  expect(under.bus.inputsOf(listOrganisationKeys).at(-1)).toMatchObject({ orgId: 'org1', universe: sandbox.universe });
});

it('a replacement overlaps for a day unless said otherwise, and for thirty at most', async () => {
  await send('POST', '/org/keys/deploy/replace', orgKey, {});
  await send('POST', '/org/keys/deploy/replace', orgKey, { overlap_seconds: 0 });
  const overlaps = under.bus.inputsOf(replaceOrganisationKey).map(({ overlapSeconds }) => overlapSeconds);
  expect(overlaps.slice(-2)).toEqual([86_400, 0]);
  for (const overlap of [-1, 0.5, 30 * 86_400 + 1, '60']) {
    const refused = await send('POST', '/org/keys/deploy/replace', orgKey, { overlap_seconds: overlap });
    expect(codeOf(refused)).toEqual([422, 'validation_failed']);
  }
});

describe('a named key', () => {
  it('is told which one it is, and the own keys are told what they always were', async () => {
    const key = namedKey(['read']);
    expect((await send('GET', '/org/whoami', key)).body).toEqual({
      org_name: 'Acme',
      is_sandbox: false,
      named_key: { key_id: 'k1', name: 'deploy', scopes: ['read'], expires_at: expect.any(String) },
    });
    expect((await send('GET', '/org/whoami', orgKey)).body).toEqual({ org_name: 'Acme', is_sandbox: false });
  });

  it('does what its scope says, and is named in what it does', async () => {
    const key = namedKey(['register']);
    const registered = await answerOf(
      await post(`${under.url}/register`, { agent_id: 'a', contact_email: 'a@acme.test' }, { 'x-api-key': key }),
    );
    expect(registered.status).toBe(201);
    const { actor, owner } = under.bus.inputsOf(registerAgent).at(-1) as {
      actor: unknown;
      owner?: unknown;
    };
    expect(actor).toEqual({ kind: 'organisation', id: 'org1', keyId: 'k1', credentials: ['production_key'] });
    expect(JSON.stringify(owner ?? null)).not.toContain('k1');
    under.bus.answer(getOrgAgentProfile, () => ({ agent: ownerAgent(), ratings: [] }));
    expect((await send('GET', '/org/agents/a', namedKey(['read']))).status).toBe(200);
    under.bus.answer(listOrgPayments, () => ({ payments: [], total: 0 }));
    expect((await send('GET', '/org/payments', namedKey(['payments']))).status).toBe(200);
  });

  it('is refused without the scope, by a text that names the scope and those that it has', async () => {
    const refused = await send('GET', '/org/payments', namedKey(['register', 'webhooks']));
    expect(codeOf(refused)).toEqual([403, 'org_key_scope_missing']);
    expect(refused.body['detail']).toBe(
      'the key "deploy" has the scopes register, webhooks; GET /org/payments needs the scope payments',
    );
  });

  it('fails from the moment at which it expires, though its answer is held', async () => {
    const key = namedKey(['read'], { expiresAt: new Date(Date.now() + 4_000).toISOString() });
    expect((await send('GET', '/org/whoami', key)).status).toBe(200);
    await expect.poll(async () => codeOf(await send('GET', '/org/whoami', key))).toEqual([401, 'invalid_api_key']);
  });

  it('fails at a gateway whose reader does not know of scopes', async () => {
    const key = namedKey(['read']);
    expect((await send('GET', '/org/whoami', key)).status).toBe(200);
    expect(under.bus.inputsOf(authenticateOrgKey).every(({ withNamedKeys }) => withNamedKeys)).toBe(true);
  });
});

describe.each(describedRoutes.filter(({ organisationScope: needed }) => needed !== undefined && needed !== 'any'))(
  '$method $path',
  (route: Route) => {
    const needed = route.organisationScope;

    // The scope is looked at after the shape of the request, so a request of the wrong shape says nothing.
    it(`refuses a named key without the scope ${needed}`, async () => {
      const scopes = organisationScope.options.filter((scope) => scope !== needed);
      const ofUniverse = route.credentials.includes('sandbox_key') ? sandbox : organisation;
      const key = namedKey(scopes, {}, ofUniverse);
      const example = Object.values(route.bodyExamples ?? {})[0]?.value as object | undefined;
      const named: Record<string, string> = {
        domain: 'acme.example',
        webhook_id: '5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b',
        listener_id: 'A'.repeat(32),
      };
      const path = route.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => named[name] ?? 'a');
      const query = route.path === '/organisation' ? '?org_name=Acme' : '';
      expect(codeOf(await send(route.method, `${path}${query}`, key, example))).toEqual([403, 'org_key_scope_missing']);
    });
  },
);
