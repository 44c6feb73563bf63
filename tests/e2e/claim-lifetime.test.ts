/** Bug: a claim link in an old mail or log works forever. Method: two systems, one whose links expire after seconds. */
import { agentStream } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import { openEventLog } from '@agent-trust/event-log';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCheckedStack } from '../support/checked-stack.ts';
import { type Answer, bearer, type Http, httpTo, unique } from '../support/registry.ts';

let stack: Stack;
let http: Http;
const start = async (ttlSeconds: number): Promise<void> => {
  const env = { ...process.env, CLAIM_TOKEN_TTL_SECONDS: String(ttlSeconds), TRUST_PROXY: '127.0.0.1' };
  stack = await startCheckedStack(env);
  http = httpTo(stack.url);
};

const register = async (): Promise<{ agentId: string; link: string }> => {
  const agentId = unique('agent');
  const { body } = await http.post('/register', { agent_id: agentId, contact_email: 'owner@agent.example' });
  return { agentId, link: String(body['claim_link']) };
};
let clients = 0;
const rotate = async (agentId: string, headers: Record<string, string> = {}): Promise<string> => {
  const client = { 'x-forwarded-for': `203.0.113.${(clients += 1)}` };
  const { body } = await http.post('/rotate', { agent_id: agentId }, { ...client, ...headers });
  return String(body['claim_link']);
};
const redeem = (link: string): Promise<Answer> => http.get(new URL(link).pathname + new URL(link).search);
/** The expiry of each of an agent's links, in the order of their issue. */
const endsOf = async (agentId: string): Promise<unknown[]> => {
  const log = await openEventLog(stack.environment['EVENT_LOG_URL'] ?? '', { applicationName: 'end-to-end tests' });
  try {
    const events = await log.readStream(agentStream(agentId));
    return events.filter(({ type }) => type === 'ClaimIssued').map(({ data }) => data['expiresAt']);
  } finally {
    await log.close();
  }
};

describe('with CLAIM_TOKEN_TTL_SECONDS=5', () => {
  beforeAll(() => start(5));
  afterAll(() => stack?.stop());

  it('a link works until it expires, and then gets the same 400 as an unknown one, whatever credential requested it', async () => {
    const { agentId, link } = await register();
    const links = [link, await rotate(agentId), await rotate(agentId, bearer(stack.adminToken))];
    const ends = await endsOf(agentId);
    expect(ends).toHaveLength(3);
    await waitFor(() => ends.every((end) => Date.now() > Date.parse(String(end))), { timeoutMs: 20_000 });
    const unknown = new URL(link);
    unknown.searchParams.set('token', `${unknown.searchParams.get('token')?.split('.')[0]}.${'A'.repeat(43)}`);
    const answers = await Promise.all([...links, unknown.href].map(redeem));
    const reported = answers.map(({ status, body }) => JSON.stringify([status, { ...body, request_id: '' }]));
    expect(new Set(reported).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 400, body: { code: 'invalid_claim_token' } });
    expect(answers[0]?.headers.get('cache-control')).toBe('no-store');
    expect(answers[0]?.headers.get('referrer-policy')).toBe('no-referrer');

    const fresh = await redeem(await rotate(agentId));
    expect([fresh.status, fresh.body['status']]).toEqual([200, 'rotated']);
    expect((await redeem(links[0] ?? '')).status).toBe(400);
  });
});

describe('with CLAIM_TOKEN_TTL_SECONDS=0', () => {
  beforeAll(() => start(0));
  afterAll(() => stack?.stop());

  it('a link never expires, and works once', async () => {
    const { agentId, link } = await register();
    const requested = await rotate(agentId);
    expect(await endsOf(agentId)).toEqual([null, null]);
    for (const one of [link, requested]) {
      expect((await redeem(one)).status).toBe(200);
      expect((await redeem(one)).status).toBe(400);
    }
  });
});
