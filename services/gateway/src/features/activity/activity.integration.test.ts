import { getActivity, limits } from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orgKey } from '../../testing/agents.ts';
import { answerAsKnown, type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
  answerAsKnown(under.bus);
  const at = '2026-01-15T09:31:12.000Z';
  under.bus.answer(getActivity, () => ({
    at,
    since: at,
    newest: [{ agentId: 'a', orgName: null, trustScore: 40, registeredAt: at }],
    moversSince: at,
    rising: [{ agentId: 'b', orgName: 'Acme', previousScore: 75, trustScore: 80, changeCount: 2 }],
    falling: [],
    days: [{ day: '2026-01-15', registrations: 1, calls: 2, reviews: 3 }],
  }));
});
afterAll(() => under.stop());

const get = (query = '', headers: Record<string, string> = {}) => fetch(`${under.url}/activity${query}`, { headers });

describe('GET /activity', () => {
  it('answers anybody in the form of the interface, and confirms a copy', async () => {
    const response = await get('?days=30', { 'x-api-key': orgKey });
    expect(await response.json()).toMatchObject({
      newest: [{ agent_id: 'a', org_name: null, trust_score: 40 }],
      rising: [{ agent_id: 'b', previous_score: 75, trust_score: 80, change_count: 2 }],
      days: [{ day: '2026-01-15', registrations: 1, calls: 2, reviews: 3 }],
    });
    expect(under.bus.inputsOf(getActivity).at(-1)).toEqual({ days: 30 });
    const etag = response.headers.get('etag') ?? '';
    expect((await get('', { 'if-none-match': etag })).status).toBe(304);
    expect(under.bus.inputsOf(getActivity).at(-1)).toEqual({ days: limits.activityDaysDefault });
  });

  it.each(['?days=0', '?days=31', '?days=-1', '?days=1.5', '?days=x', '?days=7&days=8'])(
    'refuses %s',
    async (query) => {
      expect((await get(query)).status).toBe(422);
    },
  );

  it('refuses an unknown key', async () => {
    expect((await get('', { 'x-api-key': 'nobody' })).status).toBe(401);
  });
});
