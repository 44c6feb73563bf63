/*
 * Bugs: a code works twice, at two gateways or in a race; a page of another origin signs in with it; a code gives more than its asker has, or outlives
 * the asker; an answer says whether a code was real; a code or a key is logged.
 * Method: two gateways on one bus, whose other services the test answers for.
 */
import { authenticateOperatorKey, createOperatorKey, type OperatorRole, redeemStartCode } from '@agent-trust/contracts';
import { connectJetStream } from '@agent-trust/nats-rpc';
import { createTestBus } from '@agent-trust/test-kit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { mintKey, mintSecret, sha256Hex } from '../../credentials/keys.ts';
import { adminToken, type GatewayUnderTest, post, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';
import { createSignInCodes, type SignInOffer } from './sign-in-codes.ts';

const listedOrigin = 'https://app.example';
let gateways: GatewayUnderTest[];
let under: GatewayUnderTest;
const asker = mintKey('operator');
let operatorKey: { operatorKeyId: string; name: string; role: OperatorRole; expiresAt: string } | null;
const farEnd = '2999-01-01T00:00:00.000Z';
let startCode: { hash: string; role: OperatorRole } | null = null;

beforeAll(async () => {
  const env = { TRUST_PROXY: '127.0.0.1', CORS_ALLOWED_ORIGINS: listedOrigin };
  under = await startGatewayUnderTest(env);
  gateways = [under, await startGatewayUnderTest({ ...env, NATS_URL: under.natsUrl })];
  for (const { bus } of gateways) {
    bus.answer(authenticateOperatorKey, ({ keyHash }) => ({
      operatorKey: keyHash === sha256Hex(asker) ? operatorKey : null,
    }));
    bus.answer(createOperatorKey, ({ expiresAt }) => ({ createdAt: 'now', expiresAt: expiresAt ?? '', position: '1' }));
    bus.answer(redeemStartCode, ({ codeHash }) => {
      const role = startCode?.hash === codeHash ? startCode.role : null;
      if (role !== null) startCode = null;
      return { role };
    });
  }
}, 60_000);
afterAll(async () => {
  for (const gateway of gateways.toReversed()) await gateway.stop();
});
beforeEach(() => {
  operatorKey = { operatorKeyId: 'k', name: 'night-watch', role: 'operator', expiresAt: farEnd };
});

type Answer = { status: number; body: Record<string, unknown>; headers: Headers };
const send = async (url: string, body: unknown, headers: Record<string, string>): Promise<Answer> => {
  const response = await post(url, body, headers);
  return { status: response.status, body: (await response.json()) as Answer['body'], headers: response.headers };
};
const ask = (body: object = {}, token = asker): Promise<Answer> =>
  send(`${under.url}/ops/sign-in-codes`, body, { authorization: `Bearer ${token}` });
const codeOf = async (body?: object, token?: string): Promise<string> => String((await ask(body, token)).body['code']);
let client = 0;
const redeem = (code: string, headers: Record<string, string> = {}, { url } = under): Promise<Answer> => {
  client += 1;
  return send(`${url}/ops/sign-in`, { code }, { 'x-forwarded-for': `198.51.100.${client % 250}`, ...headers });
};
/** Both gateways' commands arrive at either fake. */
const created = () => gateways.flatMap(({ bus }) => bus.inputsOf(createOperatorKey));

it('a code is redeemed once, of twenty tries at once over two gateways', async () => {
  for (let round = 0; round < 3; round += 1) {
    const before = created().length;
    const code = await codeOf();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => redeem(code, {}, gateways[index % 2])));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array<number>(19).fill(400),
    ]);
    expect(created().length - before).toBe(1);
    const [signedIn] = answers.filter(({ status }) => status === 201);
    expect(signedIn?.body).toMatchObject({ role: 'operator', name: expect.stringMatching(/^night-watch\.console-/u) });
    expect(signedIn?.headers.get('cache-control')).toBe('no-store');
  }
});

it('a wrong code, a used one and one of a revoked operator are refused in the same words', async () => {
  const used = await codeOf();
  expect((await redeem(used)).status).toBe(201);
  const ofRevoked = await codeOf();
  operatorKey = null;
  const answers = await Promise.all([used, ofRevoked, mintSecret(), 'x', '\u{1f916}'].map((code) => redeem(code)));
  const shown = answers.map(({ status, body: { code, detail } }) => [status, { code, detail }]);
  expect(shown[0]).toEqual([400, { code: 'invalid_sign_in_code', detail: expect.any(String) as string }]);
  expect(shown.every((one) => JSON.stringify(one) === JSON.stringify(shown[0]))).toBe(true);
});

it.each([
  ['a foreign page', { origin: 'https://evil.example' }],
  ['a page of CORS_ALLOWED_ORIGINS', { origin: listedOrigin }],
  ['a sandboxed frame', { origin: 'null' }],
  ['a page on another port', { origin: 'http://127.0.0.1:1' }],
  ['a page that hides its origin', { 'sec-fetch-site': 'cross-site' }],
  ['a page of the same site', { 'sec-fetch-site': 'same-site' }],
])('%s cannot redeem a code, and does not use it up', async (_, headers) => {
  const code = await codeOf();
  const refused = await redeem(code, headers);
  expect([refused.status, refused.body['code']]).toEqual([403, 'browser_request_refused']);
  expect(refused.headers.get('access-control-allow-origin')).toBeNull();
  const own = await redeem(code, { origin: under.url, 'sec-fetch-site': 'same-origin' });
  expect([own.status, own.headers.get('cross-origin-resource-policy')]).toEqual([201, 'same-origin']);
});

it('a code gives at most the role of who asks for it', async () => {
  const refused = await ask({ role: 'admin' });
  expect([refused.status, refused.body['code']]).toEqual([403, 'operator_role_too_low']);
  operatorKey = { operatorKeyId: 'k', name: 'auditor', role: 'viewer', expiresAt: farEnd };
  expect((await ask({ role: 'viewer' })).body['code']).toBe('operator_role_too_low');
  operatorKey = { operatorKeyId: 'k', name: 'alice', role: 'admin', expiresAt: farEnd };
  for (const role of ['viewer', 'operator', 'admin'] as const) {
    expect((await redeem(await codeOf({ role }))).body).toMatchObject({ role });
  }
  expect((await redeem(await codeOf({ role: 'admin' }, adminToken))).body).toMatchObject({
    role: 'admin',
    name: expect.stringMatching(/^admin\.console-/u),
  });
});

it('the key ends after some hours, and not after the credential that asked', async () => {
  const hoursLeft = (body: Answer['body']) => (Date.parse(String(body['expires_at'])) - Date.now()) / 3_600_000;
  expect(hoursLeft((await redeem(await codeOf())).body)).toBeCloseTo(12, 1);
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  operatorKey = { operatorKeyId: 'k', name: 'night-watch', role: 'operator', expiresAt };
  expect((await redeem(await codeOf())).body['expires_at']).toBe(expiresAt);
});

it('the event of the key names who asked for the code', async () => {
  await redeem(await codeOf());
  const actors = created().map(({ actor }) => actor);
  expect(actors).toContainEqual({
    kind: 'operator',
    id: 'night-watch',
    credentials: ['operator_key', 'sign_in_code'],
  });
});

it('a code of npm start works once, and its key is that of npm start', async () => {
  const code = mintSecret();
  startCode = { hash: sha256Hex(code), role: 'operator' };
  const answers = await Promise.all(gateways.map((gateway) => redeem(code, {}, gateway)));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 400]);
  expect(created().map(({ actor }) => actor)).toContainEqual({
    kind: 'operator',
    id: 'npm start',
    credentials: ['sign_in_code'],
  });
});

it('one address may try so often in a minute', async () => {
  const address = { 'x-forwarded-for': '203.0.113.9' };
  const statuses: number[] = [];
  for (let tries = 0; tries < 31; tries += 1) statuses.push((await redeem('wrong', address)).status);
  expect([new Set(statuses.slice(0, 30)), statuses[30]]).toEqual([new Set([400]), 429]);
});

it('no code and no key is logged', async () => {
  const [unused, used] = [await codeOf(), await codeOf()];
  const key = String((await redeem(used)).body['key']);
  await redeem(used);
  await redeem(unused, { origin: 'https://evil.example' });
  expect(key).toMatch(/^registry-operator-sk-/u);
  for (const gateway of gateways)
    for (const secret of [unused, used, key, asker]) expect(gateway.logged()).not.toContain(secret);
});

it('a code expires, also while the bucket still has it', async () => {
  const link = await connectJetStream({ natsUrl: createTestBus().url, service: 'gateway', instanceId: 'a' });
  let clock = 1_000_000;
  const codes = createSignInCodes(link, () => clock);
  const given: SignInOffer = {
    role: 'viewer',
    actor: { kind: 'operator', id: 'alice' },
    keyHash: null,
    credentialEndsAt: null,
  };
  const [early, late] = [sha256Hex('early'), sha256Hex('late')];
  const expiresAt = await codes.put(early, given);
  await codes.put(late, given);
  clock = Date.parse(expiresAt) - 1;
  expect(await codes.take(early)).toEqual(given);
  expect(await codes.take(early)).toBeNull();
  clock += 1;
  expect(await codes.take(late)).toBeNull();
  await link.close();
});
