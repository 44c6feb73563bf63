import {
  DomainError,
  issueSandboxKey,
  issueSandboxKeyRoute,
  replaceOrgKeyRoute,
  replaceProductionKey,
  revokeSandboxKey,
  revokeSandboxKeyRoute,
} from '@agent-trust/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex, isOrgKey } from '../../credentials/keys.ts';
import { agentKey, organisation, orgKey, sandboxKey } from '../../testing/agents.ts';
import { behind, refusal } from '../../testing/fake-bus.ts';
import { answerAsKnown, type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

const at = '2026-01-01T00:00:00.000Z';
const { orgName } = organisation;
let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
beforeEach(() => {
  const { bus } = under;
  answerAsKnown(bus);
  bus.answer(issueSandboxKey, () => ({ orgName, createdAt: at, position: '11' }));
  bus.answer(revokeSandboxKey, () => ({ orgName, revokedAt: at, position: '12' }));
  bus.answer(replaceProductionKey, () => ({ orgName, replacedAt: at, position: '13' }));
});
afterAll(() => under.stop());

type Headers = Record<string, string>;
const send = (method: string, path: string, headers: Headers = { 'x-api-key': orgKey }, body?: string) =>
  fetch(`${under.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
const codeOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { code: unknown }).code,
];
const byThisKey = {
  orgId: organisation.orgId,
  presentedKeyHash: sha256Hex(orgKey),
  actor: { kind: 'organisation', id: organisation.orgId, credentials: ['production_key'] },
};

const all = [
  ['POST', '/org/sandbox-key'],
  ['DELETE', '/org/sandbox-key'],
  ['POST', '/org/rotate-key'],
] as const;

describe.each(all)('%s %s', (method, path) => {
  it('accepts the production key alone', async () => {
    expect(await codeOf(await send(method, path, {}))).toEqual([401, 'credential_required']);
    expect(await codeOf(await send(method, path, { authorization: `Bearer ${agentKey}` }))).toEqual([
      401,
      'credential_required',
    ]);
    for (const key of [sandboxKey, agentKey, 'x', '']) {
      expect(await codeOf(await send(method, path, { 'x-api-key': key }))).toEqual([401, 'invalid_api_key']);
    }
    expect((await send(method, path)).status).toBeLessThan(300);
  });

  it.each([
    ['an empty JSON body', { 'content-type': 'application/json' }, ''],
    ['an empty form', { 'content-type': 'application/x-www-form-urlencoded' }, ''],
    ['a body that is no JSON', { 'content-type': 'application/json' }, '{broken'],
    ['a body of another type', { 'content-type': 'text/plain' }, 'hello'],
  ])('ignores %s', async (_what, headers: Headers, body) => {
    expect((await send(method, path, { 'x-api-key': orgKey, ...headers }, body)).status).toBeLessThan(300);
  });

  it('limits the ignored body', async () => {
    const headers = { 'x-api-key': orgKey, 'content-type': 'text/plain' };
    expect(await codeOf(await send(method, path, headers, 'x'.repeat(1024 * 1024 + 1)))).toEqual([
      413,
      'payload_too_large',
    ]);
  });
});

it('a sandbox key leaves the gateway only as a hash, and once in clear in the answer', async () => {
  const response = await send('POST', '/org/sandbox-key');
  expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
  const body = issueSandboxKeyRoute.answers[201]?.body?.parse(await response.json()) as Headers;
  expect(body).toEqual({ org_name: orgName, created_at: at, sandbox_api_key: expect.any(String) });
  expect(isOrgKey(body['sandbox_api_key'] ?? '')).toBe(true);
  expect(under.bus.inputsOf(issueSandboxKey).at(-1)).toEqual({
    ...byThisKey,
    sandboxKeyHash: sha256Hex(body['sandbox_api_key'] ?? ''),
  });
  expect(under.bus.awaited.at(-1)).toBe('11');
});

it('a sandbox key that may have been stored is shown, and none if nothing was written', async () => {
  const failing = async (code: 'unavailable' | 'write_conflict'): Promise<Record<string, unknown>> => {
    under.bus.answer(issueSandboxKey, () => {
      throw refusal(code, 'no');
    });
    const response = await send('POST', '/org/sandbox-key');
    expect(response.status).toBe(503);
    return (await response.json()) as Record<string, unknown>;
  };
  const { code, sandbox_api_key: key } = await failing('unavailable');
  expect(code).toBe('unavailable');
  expect(under.bus.inputsOf(issueSandboxKey).at(-1)?.sandboxKeyHash).toBe(sha256Hex(String(key)));
  expect((await failing('write_conflict'))['sandbox_api_key']).toBeUndefined();
});

it('a sandbox key is revoked, and the answer waits until no gateway accepts it any more', async () => {
  const response = await send('DELETE', '/org/sandbox-key');
  const body = revokeSandboxKeyRoute.answers[200]?.body?.parse(await response.json());
  expect([response.status, body]).toEqual([200, { org_name: orgName, revoked_at: at }]);
  expect(under.bus.inputsOf(revokeSandboxKey).at(-1)).toEqual(byThisKey);
  expect(under.bus.awaited.at(-1)).toBe('12');
});

it('a production key is replaced by one whose hash alone leaves the gateway', async () => {
  const response = await send('POST', '/org/rotate-key');
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const body = replaceOrgKeyRoute.answers[200]?.body?.parse(await response.json()) as Headers;
  expect(body).toEqual({ org_name: orgName, created_at: at, api_key: expect.any(String) });
  expect(isOrgKey(body['api_key'] ?? '')).toBe(true);
  expect(under.bus.inputsOf(replaceProductionKey).at(-1)).toEqual({
    ...byThisKey,
    productionKeyHash: sha256Hex(body['api_key'] ?? ''),
  });
  expect(under.bus.awaited.at(-1)).toBe('13');
});

it.each([
  ['POST', '/org/sandbox-key', issueSandboxKey, 'sandbox_key_exists', 409],
  ['DELETE', '/org/sandbox-key', revokeSandboxKey, 'sandbox_key_absent', 404],
  ['POST', '/org/rotate-key', replaceProductionKey, 'invalid_api_key', 401],
] as const)('%s %s returns the refusal of %s', async (method, path, command, code, status) => {
  under.bus.answer(command as typeof replaceProductionKey, () => {
    throw new DomainError(code, 'refused');
  });
  const response = await send(method, path);
  const body = (await response.json()) as Record<string, unknown>;
  expect([response.status, body['code']]).toEqual([status, code]);
  expect(JSON.stringify(body)).not.toContain('registry-org');
});

// Bug: the answer is lost after the key was replaced; the old key fails, nobody has the new one, and the organisation is locked out for good.
describe('a new production key that may have been stored is always shown to its owner', () => {
  it('if readers lag behind', async () => {
    under.bus.answerWaits(behind);
    const response = await send('POST', '/org/rotate-key');
    const body = (await response.json()) as Headers;
    expect([response.status, body['code'], isOrgKey(body['api_key'] ?? '')]).toEqual([503, 'read_model_behind', true]);
  });

  it.each([
    ['the event log did not answer in time', () => refusal('unavailable', 'no answer')],
    ['the command failed in a way that nobody expected', () => new Error('broken')],
  ])('if %s', async (_what, fault) => {
    under.bus.answer(replaceProductionKey, () => {
      throw fault();
    });
    const response = await send('POST', '/org/rotate-key');
    const body = (await response.json()) as Headers;
    expect([response.status, body['code']]).toEqual([503, 'unavailable']);
    expect(sha256Hex(body['api_key'] ?? '')).toBe(under.bus.inputsOf(replaceProductionKey).at(-1)?.productionKeyHash);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(under.logged()).not.toContain(body['api_key']);
  });

  it('but not if nothing was written', async () => {
    under.bus.answer(replaceProductionKey, () => {
      throw refusal('write_conflict', 'too many writes');
    });
    const response = await send('POST', '/org/rotate-key');
    const body = (await response.json()) as Headers;
    expect([response.status, body['code'], body['api_key']]).toEqual([503, 'write_conflict', undefined]);
  });
});
