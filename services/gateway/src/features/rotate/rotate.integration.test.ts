import { DomainError, issueClaim, redeemClaim, rotateResponse } from '@agent-trust/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mintClaimToken, sha256Hex, isAgentKey } from '../../credentials/keys.ts';
import { agentKey, orgKey } from '../../testing/agents.ts';
import { behind } from '../../testing/fake-bus.ts';
import {
  adminToken,
  answerAsKnown,
  type GatewayUnderTest,
  post,
  startGatewayUnderTest,
} from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
let lastAddress = 0;
/** Each test uses a different address, as reported by a trusted proxy, so that no test uses up another's five requests. */
let address = '';
beforeAll(async () => {
  under = await startGatewayUnderTest({ TRUST_PROXY: '127.0.0.1' });
});
beforeEach(() => {
  answerAsKnown(under.bus);
  under.bus.answer(issueClaim, () => ({ position: '9', expiresAt: null, contactEmail: null }));
  under.bus.answer(redeemClaim, () => ({ position: '9' }));
  lastAddress += 1;
  address = `198.51.100.${lastAddress}`;
});
afterAll(() => under.stop());

const rotate = (headers: Record<string, string> = {}, body: unknown = { agent_id: 'caller' }): Promise<Response> =>
  post(`${under.url}/rotate`, body, { 'x-forwarded-for': address, ...headers });
const codeOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { code: unknown }).code,
];
const authority = (): unknown => under.bus.inputsOf(issueClaim).at(-1)?.authority;

describe('POST /rotate', () => {
  it('returns a claim link, without a key', async () => {
    const response = await rotate();
    const body = rotateResponse.parse(await response.json());
    expect([response.status, body.status, body.agent_key]).toEqual([200, 'claim_issued', null]);
    const token = new URL(body.claim_link ?? '').searchParams.get('token') ?? '';
    expect(under.bus.inputsOf(issueClaim).at(-1)?.claimTokenHash).toBe(sha256Hex(token));
    expect(under.bus.awaited.at(-1)).toBe('9');
  });

  it('uses the first credential in the documented order', async () => {
    await rotate({ 'x-api-key': orgKey, authorization: 'Bearer wrong' });
    expect(authority()).toMatchObject({ kind: 'organisation', orgId: 'org1' });
    await rotate({ authorization: `Bearer ${adminToken}` });
    expect(authority()).toEqual({ kind: 'admin' });
    await rotate({ authorization: `bearer ${agentKey}` });
    expect(authority()).toEqual({ kind: 'agent', agentId: 'caller' });
    await rotate();
    expect(authority()).toEqual({ kind: 'uncredentialed', unownedOnly: false });
  });

  it('does not fall back from an invalid credential to another', async () => {
    expect(await codeOf(await rotate({ 'x-api-key': 'x' }))).toEqual([403, 'invalid_rotation_credential']);
    const unknownKey = { 'x-api-key': `registry-org-sk-${'A'.repeat(43)}`, authorization: `Bearer ${adminToken}` };
    expect(await codeOf(await rotate(unknownKey))).toEqual([403, 'invalid_rotation_credential']);
    expect(await codeOf(await rotate({ authorization: 'Bearer x' }))).toEqual([401, 'invalid_credential']);
    expect(await codeOf(await rotate({ authorization: `Bearer registry-agent-sk-${'A'.repeat(43)}` }))).toEqual([
      401,
      'invalid_credential',
    ]);
  });

  it('refuses an invalid signature, whatever other credentials there are', async () => {
    expect(await codeOf(await rotate({ signature: 'sig1=:AA==:', 'x-api-key': orgKey }))).toEqual([
      401,
      'invalid_credential',
    ]);
    expect(await codeOf(await rotate({ 'signature-input': 'sig1=()' }))).toEqual([401, 'invalid_credential']);
    expect(await codeOf(await rotate({ 'signature-input': 'sig1=()' }, {}))).toEqual([422, 'validation_failed']);
  });

  it("passes the decider's refusals on", async () => {
    for (const [code, status] of [
      ['agent_not_found', 404],
      ['contact_email_missing', 400],
      ['invalid_rotation_credential', 403],
    ] as const) {
      under.bus.answer(issueClaim, () => {
        throw new DomainError(code, 'no');
      });
      expect(await codeOf(await rotate())).toEqual([status, code]);
    }
  });

  it('allows five requests of an address in a minute, including refused ones', async () => {
    const statuses: number[] = [];
    for (const attempt of [0, 1, 2, 3, 4]) {
      const response = await rotate(
        attempt < 3 ? { authorization: 'Bearer x' } : {},
        attempt === 4 ? '{broken' : { agent_id: `fresh-${attempt}` },
      );
      statuses.push(response.status);
    }
    expect(statuses).toEqual([401, 401, 401, 200, 422]);
    const response = await rotate({ authorization: `Bearer ${adminToken}` });
    expect(await codeOf(response)).toEqual([429, 'rate_limited']);
    const retryAfter = Number(response.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(50);
    expect(retryAfter).toBeLessThanOrEqual(61);
    expect((await rotate({ 'x-forwarded-for': '203.0.113.1' }, { agent_id: 'fresh-6' })).status).toBe(200);
  });

  it('allows five anonymous requests for an agent from all addresses together, and its owner always', async () => {
    const from = (last: number, headers: Record<string, string> = {}): Promise<Response> =>
      rotate({ 'x-forwarded-for': `203.0.113.${last}`, ...headers }, { agent_id: 'wanted' });
    for (const last of [11, 12, 13, 14, 15]) expect((await from(last)).status).toBe(200);
    expect(await codeOf(await from(16))).toEqual([429, 'rate_limited']);
    expect((await from(17, { authorization: `Bearer ${adminToken}` })).status).toBe(200);
    expect((await from(18, { 'x-api-key': orgKey })).status).toBe(200);
  });

  // Bug: separate reading, counting and writing allows as many as race. Method: forty at once, over two connections to the bus's store.
  it('allows exactly five of forty at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => rotate({}, { agent_id: `race-${index}` })),
    );
    const statuses = responses.map((response) => response.status).sort((a, b) => a - b);
    expect(statuses).toEqual([...Array<number>(5).fill(200), ...Array<number>(35).fill(429)]);
  });
});

describe('GET /rotate', () => {
  const redeem = (token: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${under.url}/rotate?token=${encodeURIComponent(token)}`, init);

  it('issues a key whose hash alone leaves the gateway, and shows it once readers know it', async () => {
    const token = mintClaimToken('caller');
    const response = await redeem(token);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const body = rotateResponse.parse(await response.json());
    expect([body.agent_id, body.status, body.claim_link, isAgentKey(body.agent_key ?? '')]).toEqual([
      'caller',
      'rotated',
      null,
      true,
    ]);
    expect(under.bus.inputsOf(redeemClaim).at(-1)).toMatchObject({
      agentId: 'caller',
      claimTokenHash: sha256Hex(token),
      newKeyHash: sha256Hex(body.agent_key ?? ''),
    });
    expect(under.bus.awaited.at(-1)).toBe('9');
  });

  it('answers malformed, unknown and used tokens alike', async () => {
    under.bus.answer(redeemClaim, () => {
      throw new DomainError('invalid_claim_token', 'this one was used on Monday');
    });
    const bodies: unknown[] = [];
    for (const token of [mintClaimToken('caller'), 'nonsense', '.', '𝒳']) {
      const response = await redeem(token);
      expect(response.status).toBe(400);
      bodies.push({ ...((await response.json()) as object), request_id: '' });
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]).toMatchObject({ code: 'invalid_claim_token' });
  });

  it('refuses a missing token, and never redeems for HEAD', async () => {
    expect((await fetch(`${under.url}/rotate`)).status).toBe(422);
    expect((await fetch(`${under.url}/rotate?token=`)).status).toBe(422);
    const before = under.bus.asked.length;
    expect((await redeem(mintClaimToken('caller'), { method: 'HEAD' })).status).toBe(405);
    expect(under.bus.asked).toHaveLength(before);
  });

  it('does not lose an issued key if readers lag behind', async () => {
    under.bus.answerWaits(behind);
    const response = await redeem(mintClaimToken('caller'));
    const body = (await response.json()) as Record<string, unknown>;
    expect([response.status, body['code'], isAgentKey(String(body['agent_key']))]).toEqual([
      503,
      'read_model_behind',
      true,
    ]);
  });

  it('shows an issued key that may have been stored, and none if nothing was written', async () => {
    const failing = async (code: 'unavailable' | 'write_conflict'): Promise<Record<string, unknown>> => {
      under.bus.answer(redeemClaim, () => {
        throw new DomainError(code, 'no');
      });
      const response = await redeem(mintClaimToken('caller'));
      expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store']);
      return (await response.json()) as Record<string, unknown>;
    };
    const { code, agent_key: key } = await failing('unavailable');
    expect(code).toBe('unavailable');
    expect(under.bus.inputsOf(redeemClaim).at(-1)?.newKeyHash).toBe(sha256Hex(String(key)));
    expect((await failing('write_conflict'))['agent_key']).toBeUndefined();
  });

  it('never logs a token or a key', async () => {
    const token = mintClaimToken('caller');
    const { agent_key: key } = (await (await redeem(token)).json()) as { agent_key: string };
    await fetch(`${under.url}/rotate/x?token=${token}`);
    await rotate({ authorization: `Bearer ${adminToken}` });
    const logged = under.logged();
    expect(logged).toContain('"route":"/rotate"');
    for (const secret of [token, token.split('.')[1] ?? '', key, adminToken, agentKey])
      expect(logged).not.toContain(secret);
  });
});
