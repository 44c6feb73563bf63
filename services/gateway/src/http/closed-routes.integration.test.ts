/**
 * Bugs: in a registry that is closed to callers without a credential, whoever guesses an agent's id asks for its claim link, gets it in the answer, and
 * reads with the key of that agent; a use of ADMIN_TOKEN on a route that is closed leaves no line.
 */
import { getAgentProfile, issueClaim } from '@agent-trust/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { orgKey, publicAgent } from '../testing/agents.ts';
import { adminToken, type GatewayUnderTest, post, startGatewayUnderTest } from '../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
const start = async (env: Record<string, string>): Promise<void> => {
  under = await startGatewayUnderTest(env);
  under.bus.answer(getAgentProfile, () => ({ agent: publicAgent(), ratings: [] }));
  under.bus.answer(issueClaim, () => ({
    position: '7',
    expiresAt: null,
    contactEmail: 'owner@acme.example',
  }));
};
afterEach(() => under.stop());

const rotate = async (headers: Record<string, string> = {}): Promise<[number, string]> => {
  const answer = await post(`${under.url}/rotate`, { agent_id: 'receiver' }, headers);
  return [answer.status, await answer.text()];
};

describe('a claim link without a credential', () => {
  it.each([
    ['reads are closed', 'inline', { PUBLIC_READS: 'false' }],
    ['registration is closed', 'inline', { OPEN_REGISTRATION: 'false' }],
    ['agents of organisations are excepted', 'inline-unowned', { PUBLIC_READS: 'false', OPEN_REGISTRATION: 'false' }],
  ])('is not in the answer where %s', async (_, delivery, closed) => {
    await start({ CLAIM_DELIVERY: delivery, ...closed });
    expect(await rotate()).toEqual([401, expect.stringContaining('credential_required')]);
    expect(under.bus.inputsOf(issueClaim)).toEqual([]);
    expect((await rotate({ 'x-api-key': orgKey }))[0]).toBe(200);
    const document = (await (await fetch(`${under.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security: object[] }>>;
    };
    expect(document.paths['/rotate']?.['post']?.security).not.toContainEqual({});
  });

  it('is in the answer of an open registry', async () => {
    await start({ CLAIM_DELIVERY: 'inline' });
    expect(await rotate()).toEqual([200, expect.stringContaining('claim_issued')]);
  });

  it('goes to the contact of the agent in a closed one', async () => {
    const SMTP_URL = 'smtp://127.0.0.1:1';
    await start({ PUBLIC_READS: 'false', CLAIM_DELIVERY: 'smtp', SMTP_URL, SMTP_FROM: 'registry@acme.example' });
    const [status] = await rotate();
    // Nobody listens there; the request was let through.
    expect(status).toBe(503);
    expect(under.bus.inputsOf(issueClaim)).toHaveLength(1);
  });
});

it('a use of ADMIN_TOKEN on a closed route is a line', async () => {
  await start({ PUBLIC_READS: 'false' });
  const headers = { authorization: `Bearer ${adminToken}`, 'x-request-id': 'read-by-token' };
  expect((await fetch(`${under.url}/agent/receiver`, { headers })).status).toBe(200);
  const used = (): string[] =>
    under
      .logged()
      .split('\n')
      .filter((line) => line.includes('read-by-token') && line.includes('ADMIN_TOKEN was used'));
  await expect.poll(used).toHaveLength(1);
});
