import {
  type ExplainedTrust,
  explainedTrustWire,
  explainTrust,
  getAgent,
  getPastAgent,
  getPastAgentProfile,
  getTrustHistory,
  trustHistoryWire,
} from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicAgent, sandboxKey } from '../../testing/agents.ts';
import { refusal } from '../../testing/fake-bus.ts';
import { type GatewayUnderTest, post, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

const explained = (agentId: string): ExplainedTrust => ({
  agentId,
  trustScore: 75,
  flags: [],
  unrounded: 75,
  trustPolicy: 'v1',
  asOf: { position: '9', time: '2026-01-01T00:00:00.000Z' },
  basis: 'all',
  prior: 75,
  strength: 5,
  contributions: [{ kind: 'prior', root: null, weight: 5, cappedWeight: 5, mean: 0.75, points: 75 }],
  confidence: { evidenceWeight: 0, roots: 0, interval: [45.9, 100] },
  reviews: [],
  liveness: null,
});
const change = {
  at: '2026-01-01T00:00:00.000Z',
  position: '9',
  trustScore: 75,
  previousScore: null,
  trustPolicy: 'v1',
  cause: { type: 'AgentRegistered', eventId: 'e1', transactionId: null },
};
const codeOf = async (response: Response): Promise<unknown[]> => [
  response.status,
  ((await response.json()) as { code?: string }).code,
];

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
  under.bus.answer(explainTrust, ({ agentId }) => ({
    trust: agentId === 'nobody' ? null : explained(agentId),
    reviewsTotal: 250,
  }));
  under.bus.answer(getTrustHistory, ({ agentId }) => ({ history: agentId === 'nobody' ? null : [change], total: 7 }));
  under.bus.answer(getPastAgent, ({ agentId }) => ({ agent: agentId === 'nobody' ? null : publicAgent({ agentId }) }));
  under.bus.answer(getPastAgentProfile, ({ agentId }) => ({
    agent: agentId === 'nobody' ? null : { ...publicAgent({ agentId }), contactInfo: null },
    ratings: [],
  }));
});
afterAll(() => under.stop());

describe('as_of', () => {
  const asked = async (asOf: string): Promise<unknown> => {
    const before = under.bus.inputsOf(getPastAgent).length;
    const response = await post(`${under.url}/verify?as_of=${asOf}`, { agent_id: 'receiver' });
    expect(response.status).toBe(200);
    const inputs = under.bus.inputsOf(getPastAgent);
    expect(inputs).toHaveLength(before + 1);
    return inputs.at(-1)?.asOf;
  };

  it('is a position of the log or a time with an offset', async () => {
    expect(await asked('4711')).toEqual({ position: '4711' });
    expect(await asked('007')).toEqual({ position: '7' });
    const utc = { time: '2026-01-15T09:30:00.000Z' };
    expect(await asked('2026-01-15T09:30:00Z')).toEqual(utc);
    expect(await asked('2026-01-15t09:30:00z')).toEqual(utc);
    expect(await asked('2026-01-15T10:30:00%2B01:00')).toEqual(utc);
    // A plus sign that was not percent-encoded.
    expect(await asked('2026-01-15T10:30:00+01:00')).toEqual(utc);
  });

  // Bug: a year outside of the range of timestamps or the database is a fault of the server.
  it('is within the range of every part of the system', async () => {
    const first = { time: '0001-01-01T00:00:00.000Z' };
    for (const text of ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00%2B01:00', '0001-01-01T00:00:00%2B14:00']) {
      expect(await asked(text)).toEqual(first);
    }
    expect(await asked('9999-12-31T23:59:59-14:00')).toEqual({ time: '9999-12-31T23:59:59.999Z' });
  });

  it.each([
    '',
    'soon',
    '-1',
    '1.5',
    '1e3',
    '2026-01-15',
    '2026-01-15T09:30:00',
    '2026-02-30T00:00:00Z',
    '9'.repeat(21),
  ])('%s is 422 everywhere', async (text) => {
    const past = under.bus.inputsOf(getPastAgent).length;
    const query = `as_of=${encodeURIComponent(text)}`;
    for (const response of [
      await post(`${under.url}/verify?${query}`, { agent_id: 'receiver' }),
      await fetch(`${under.url}/agent/receiver?${query}`),
      await fetch(`${under.url}/agent/receiver/trust?${query}`),
    ]) {
      expect(await codeOf(response)).toEqual([422, 'validation_failed']);
    }
    expect(under.bus.inputsOf(getPastAgent)).toHaveLength(past);
  });

  it('given twice, or with a signature as of now, is 422', async () => {
    for (const query of ['as_of=1&as_of=2', 'as_of=1&signed=true']) {
      const response = await post(`${under.url}/verify?${query}`, { agent_id: 'receiver' });
      expect(await codeOf(response)).toEqual([422, 'validation_failed']);
    }
  });

  it("reads the past in the key's universe, and without it the present", async () => {
    const headers = { 'x-api-key': sandboxKey };
    expect((await fetch(`${under.url}/agent/receiver?as_of=5`, { headers })).status).toBe(200);
    expect(under.bus.inputsOf(getPastAgentProfile).at(-1)).toEqual({
      agentId: 'receiver',
      universe: { kind: 'sandbox', orgId: 'org1' },
      asOf: { position: '5' },
    });
    const now = under.bus.inputsOf(getAgent).length;
    expect((await post(`${under.url}/verify`, { agent_id: 'receiver' })).status).toBe(200);
    expect(under.bus.inputsOf(getAgent)).toHaveLength(now + 1);
  });

  it("before the agent's registration is the 404 of an unknown one", async () => {
    const verdict = await post(`${under.url}/verify?as_of=1`, { agent_id: 'nobody' });
    expect(verdict.status).toBe(404);
    expect(await verdict.json()).toMatchObject({
      code: 'agent_not_found',
      recommended_action: 'block',
      trust_score: 0,
    });
    expect(await codeOf(await fetch(`${under.url}/agent/nobody?as_of=1`))).toEqual([404, 'agent_not_found']);
    expect(await codeOf(await fetch(`${under.url}/agent/nobody/trust?as_of=1`))).toEqual([404, 'agent_not_found']);
  });

  it("in the future is refused with the service's answer", async () => {
    under.bus.answer(getPastAgent, () => {
      const items = [{ loc: ['query', 'as_of'], msg: 'later', type: 'in_the_future' }];
      throw refusal('validation_failed', 'later', { items });
    });
    const future = await post(`${under.url}/verify?as_of=99`, { agent_id: 'receiver' });
    expect([future.status, await future.json()]).toEqual([
      422,
      expect.objectContaining({ detail: [{ loc: ['query', 'as_of'], msg: 'later', type: 'in_the_future' }] }),
    ]);
  });
});

describe('GET /agent/{agent_id}/trust', () => {
  it('returns the explanation with a page of reviews, whose links stay at the same moment', async () => {
    const response = await fetch(
      `${under.url}/agent/${encodeURIComponent('a/b ü')}/trust?as_of=9&limit=100&offset=100`,
    );
    expect(response.status).toBe(200);
    expect(explainedTrustWire.strict().parse(await response.json())).toMatchObject({ agent_id: 'a/b ü' });
    expect(response.headers.get('x-total-count')).toBe('250');
    const address = `${under.url}/agent/a%2Fb%20%C3%BC/trust`;
    expect(response.headers.get('link')).toBe(
      `<${address}?limit=100&offset=200&as_of=9>; rel="next", <${address}?limit=100&offset=0&as_of=9>; rel="prev"`,
    );
    expect(under.bus.inputsOf(explainTrust).at(-1)).toMatchObject({ asOf: { position: '9' }, limit: 100, offset: 100 });
  });

  it('reads the present without as_of, and refuses an invalid page', async () => {
    expect((await fetch(`${under.url}/agent/receiver/trust`)).status).toBe(200);
    expect(under.bus.inputsOf(explainTrust).at(-1)).toMatchObject({ asOf: null, limit: 100, offset: 0 });
    for (const query of ['limit=0', 'limit=201', 'offset=-1', 'limit=x']) {
      expect((await fetch(`${under.url}/agent/receiver/trust?${query}`)).status).toBe(422);
    }
  });
});

describe('GET /agent/{agent_id}/trust/history', () => {
  it('returns a page of changes with their number', async () => {
    const response = await fetch(`${under.url}/agent/receiver/trust/history?limit=1`);
    expect(trustHistoryWire.strict().parse(await response.json())).toEqual({
      agent_id: 'receiver',
      history: [
        {
          at: change.at,
          position: '9',
          trust_score: 75,
          previous_score: null,
          trust_policy: 'v1',
          cause: { type: 'AgentRegistered', event_id: 'e1', transaction_id: null },
        },
      ],
    });
    expect(response.headers.get('x-total-count')).toBe('7');
    expect(response.headers.get('link')).toContain('offset=1>; rel="next"');
  });

  it('returns 404 for an unknown agent', async () => {
    expect(await codeOf(await fetch(`${under.url}/agent/nobody/trust/history`))).toEqual([404, 'agent_not_found']);
  });
});
