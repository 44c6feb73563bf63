import {
  authenticateOrgKey,
  getOrgAgentProfile,
  getOrgAgentRoute,
  listOrgAgents,
  listOrgAgentsRoute,
  listOrgPayments,
  listOrgPaymentsRoute,
  type OrgPayment,
  type OwnerAgent,
} from '@agent-trust/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex, mintKey } from '../../credentials/keys.ts';
import { edgeLimits } from '../../limits.ts';
import { agentKey, organisation, orgKey, ownerAgent, sandbox, sandboxKey } from '../../testing/agents.ts';
import { refusal } from '../../testing/fake-bus.ts';
import { answerAsKnown, type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
beforeEach(() => {
  answerAsKnown(under.bus);
  bearing(3);
});
afterAll(() => under.stop());

/** The organisation has this many agents; `fields` may make them large. */
const bearing = (count: number, fields: Partial<OwnerAgent> = {}): void => {
  const owned = Array.from({ length: count }, (_, index) =>
    ownerAgent({ ...fields, agentId: `agent-${String(index).padStart(5, '0')}` }),
  );
  under.bus.answer(listOrgAgents, ({ after, offset, limit }) => {
    const behind = after === null ? owned : owned.filter(({ agentId }) => agentId > after);
    return { agents: behind.slice(offset, offset + limit), total: after === null ? count : null };
  });
};

const get = (path: string, key: string | null = orgKey): Promise<Response> =>
  fetch(`${under.url}${path}`, { headers: key === null ? {} : { 'x-api-key': key } });
const idsIn = async (response: Response): Promise<string[]> => {
  const listed = listOrgAgentsRoute.answers[200]?.body?.parse(await response.json());
  return (listed as { agent_id: string }[]).map(({ agent_id }) => agent_id);
};
const codeOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { code: unknown }).code,
];

describe.each(['/org/agents', '/org/agents/receiver', '/org/payments'])('GET %s', (path) => {
  it('requires the key of an organisation', async () => {
    expect(await codeOf(await get(path, null))).toEqual([401, 'credential_required']);
    for (const key of [agentKey, 'x', '']) {
      expect(await codeOf(await get(path, key))).toEqual([401, 'invalid_api_key']);
    }
  });
});

describe('GET /org/agents', () => {
  it("lists the agents of the key's universe, with endpoints", async () => {
    const response = await get('/org/agents');
    expect([response.status, response.headers.get('x-total-count'), response.headers.get('link')]).toEqual([
      200,
      '3',
      null,
    ]);
    const [first] = (await response.json()) as Record<string, unknown>[];
    expect(first).toMatchObject({
      agent_id: 'agent-00000',
      is_sandbox: false,
      related_agent_id: null,
      routing: { endpoint_url: 'https://agent.acme.test/run' },
    });
    await get('/org/agents', sandboxKey);
    const asked = under.bus.inputsOf(listOrgAgents).slice(-2);
    expect(asked.map(({ orgId, universe }) => ({ orgId, universe }))).toEqual(
      [organisation, sandbox].map(({ orgId, universe }) => ({ orgId, universe })),
    );
  });

  it('returns an empty list as an empty array', async () => {
    bearing(0);
    const response = await get('/org/agents');
    expect([await response.text(), response.headers.get('x-total-count')]).toEqual(['[]', '0']);
  });

  it('lists all of them, however many, each once and a batch at a time', async () => {
    const { orgAgentsBatchMax } = edgeLimits;
    for (const count of [orgAgentsBatchMax - 1, orgAgentsBatchMax, 5 * orgAgentsBatchMax + 1]) {
      bearing(count);
      const ids = await idsIn(await get('/org/agents'));
      expect([ids.length, new Set(ids).size]).toEqual([count, count]);
      expect(ids).toEqual(ids.toSorted());
    }
    expect(under.bus.inputsOf(listOrgAgents).every(({ limit }) => limit <= orgAgentsBatchMax)).toBe(true);
  });

  it('lists each agent once that exists all the time, while others are added and removed', async () => {
    const there = new Set(Array.from({ length: 900 }, (_, index) => `b${String(index).padStart(4, '0')}`));
    const stays = [...there].filter((_, index) => index % 3 !== 0);
    let turn = 0;
    under.bus.answer(listOrgAgents, ({ after, offset, limit }) => {
      const ids = [...there].toSorted().filter((id) => after === null || id > after);
      // Between two batches some are removed, and others are added before and after them.
      turn += 1;
      for (let index = 0; index < 900; index += 3 * turn) there.delete(`b${String(index).padStart(4, '0')}`);
      there.add(`a${turn}`).add(`c${turn}`);
      return {
        agents: ids.slice(offset, offset + limit).map((agentId) => ownerAgent({ agentId })),
        total: after === null ? ids.length : null,
      };
    });
    const ids = await idsIn(await get('/org/agents'));
    expect(new Set(ids).size).toBe(ids.length);
    expect(stays.filter((id) => !ids.includes(id))).toEqual([]);
    expect(turn).toBeGreaterThan(3);
  });

  it('reads smaller batches if agents are too large for one message', async () => {
    bearing(130, { specialty: '😀'.repeat(12_000) });
    const ids = await idsIn(await get('/org/agents'));
    expect([ids.length, new Set(ids).size]).toEqual([130, 130]);
  });

  it('returns a page on request, with links to its neighbours', async () => {
    bearing(450);
    const page = await get('/org/agents?limit=201&offset=100');
    expect(page.headers.get('x-total-count')).toBe('450');
    expect(page.headers.get('link')).toBe(
      `<${under.url}/org/agents?limit=201&offset=301>; rel="next", <${under.url}/org/agents?limit=201&offset=0>; rel="prev"`,
    );
    const ids = await idsIn(page);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([201, 'agent-00100', 'agent-00300']);
    expect(await idsIn(await get('/org/agents?offset=448'))).toEqual(['agent-00448', 'agent-00449']);
    expect(await idsIn(await get('/org/agents?limit=1&offset=450'))).toEqual([]);
  });

  it.each(['limit=0', 'limit=1001', 'limit=-1', 'limit=x', 'limit=', 'limit=1&limit=2', 'offset=-1', 'offset=1.5'])(
    '?%s is 422',
    async (query) => {
      expect(await codeOf(await get(`/org/agents?${query}`))).toEqual([422, 'validation_failed']);
    },
  );

  it('answers HEAD with the total, and reads no further', async () => {
    bearing(1_000);
    const before = under.bus.inputsOf(listOrgAgents).length;
    const response = await fetch(`${under.url}/org/agents`, { method: 'HEAD', headers: { 'x-api-key': orgKey } });
    expect([response.status, response.headers.get('x-total-count')]).toEqual([200, '1000']);
    expect(under.bus.inputsOf(listOrgAgents).length - before).toBe(1);
  });

  it('leaves capacity to other organisations, and uses none before the key is verified', async () => {
    const { ownerMax: listingsMax } = edgeLimits.orgListings;
    const held = Promise.withResolvers<void>();
    let waiting = 0;
    const allWait = Promise.withResolvers<void>();
    const otherKey = mintKey('organisation');
    const known = { [sha256Hex(orgKey)]: organisation, [sha256Hex(otherKey)]: { ...organisation, orgId: 'org2' } };
    under.bus.answer(authenticateOrgKey, ({ keyHash }) => ({ organisation: known[keyHash] ?? null }));
    under.bus.answer(listOrgAgents, async ({ orgId }) => {
      if (orgId === organisation.orgId) {
        waiting += 1;
        if (waiting === listingsMax) allWait.resolve();
        await held.promise;
      }
      return { agents: [], total: 0 };
    });
    const first = Array.from({ length: listingsMax }, () => get('/org/agents'));
    await allWait.promise;
    const inTurn = Array.from({ length: edgeLimits.orgListings.ownerWaitingMax }, () => get('/org/agents'));
    // The last to come is the first to be answered: there is no place left to wait.
    const refused = await Promise.race([...inTurn, get('/org/agents')]);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await codeOf(refused)).toEqual([503, 'overloaded']);
    expect(waiting).toBe(listingsMax);
    expect(await codeOf(await get('/org/agents', 'x'))).toEqual([401, 'invalid_api_key']);
    expect((await get('/org/agents', otherKey)).status).toBe(200);
    held.resolve();
    const answers = await Promise.all([...first, ...inTurn].map(async (response) => (await response).status));
    expect(answers.filter((status) => status !== 200).length).toBeLessThanOrEqual(1);
  });

  it('returns an error if the first batch fails, and breaks the connection if a later one does', async () => {
    under.bus.answer(listOrgAgents, () => {
      throw refusal('unavailable', 'no database');
    });
    expect(await codeOf(await get('/org/agents'))).toEqual([503, 'unavailable']);
    under.bus.answer(listOrgAgents, ({ after, limit }) => {
      if (after !== null) throw refusal('unavailable', 'no database');
      return { agents: Array.from({ length: limit }, (_, i) => ownerAgent({ agentId: `agent-${i}` })), total: 1_000 };
    });
    const broken = await get('/org/agents');
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow('terminated');
    expect(under.logged()).toContain('a listing of agents broke off');
  });
});

describe('GET /org/agents/{agent_id}', () => {
  it("is the profile with the owner's additional fields", async () => {
    const agent = ownerAgent({ agentId: 'a/b ✓', isSandbox: true, relatedAgentId: 'live' });
    under.bus.answer(getOrgAgentProfile, () => ({ agent, ratings: [] }));
    const response = await get(`/org/agents/${encodeURIComponent('a/b ✓')}`, sandboxKey);
    const body = getOrgAgentRoute.answers[200]?.body?.parse(await response.json());
    expect(body).toMatchObject({
      agent_id: 'a/b ✓',
      is_sandbox: true,
      related_agent_id: 'live',
      routing: { endpoint_url: 'https://agent.acme.test/run' },
      ratings_received: [],
      registered_at: '2026-01-01T00:00:00.000Z',
    });
    const { orgId, universe } = sandbox;
    expect(under.bus.inputsOf(getOrgAgentProfile).at(-1)).toEqual({ orgId, universe, agentId: 'a/b ✓' });
  });

  it("is 404 for an agent that is not the organisation's in this universe", async () => {
    under.bus.answer(getOrgAgentProfile, () => ({ agent: null, ratings: [] }));
    expect(await codeOf(await get('/org/agents/receiver'))).toEqual([404, 'agent_not_found']);
    expect((await get(`/org/agents/${'a'.repeat(129)}`)).status).toBe(422);
  });
});

describe('GET /org/payments', () => {
  const payment: OrgPayment = {
    transactionId: 't-1',
    receiverAgentId: 'receiver',
    callerAgentId: null,
    amount: 0.25,
    amountAtomic: '250000',
    currency: 'USDC',
    asset: '0xasset',
    settlementRail: 'x402',
    network: 'base',
    payeeAddress: '0xpayee',
    confirmationRef: '0xref',
    blockNumber: 17,
    settledAt: '2026-01-01T00:00:00.000Z',
  };

  it('is a page of 200, with the total', async () => {
    under.bus.answer(listOrgPayments, () => ({ payments: [payment], total: 300 }));
    const response = await get('/org/payments', sandboxKey);
    expect(listOrgPaymentsRoute.answers[200]?.body?.parse(await response.json())).toEqual([
      {
        transaction_id: 't-1',
        receiver_agent_id: 'receiver',
        caller_agent_id: null,
        amount: 0.25,
        amount_atomic: '250000',
        currency: 'USDC',
        asset: '0xasset',
        settlement_rail: 'x402',
        network: 'base',
        payee_address: '0xpayee',
        confirmation_ref: '0xref',
        block_number: 17,
        settled_at: '2026-01-01T00:00:00.000Z',
      },
    ]);
    expect(response.headers.get('x-total-count')).toBe('300');
    expect(response.headers.get('link')).toBe(`<${under.url}/org/payments?limit=200&offset=200>; rel="next"`);
    const { orgId, universe } = sandbox;
    expect(under.bus.inputsOf(listOrgPayments).at(-1)).toEqual({ orgId, universe, limit: 200, offset: 0 });
    await get('/org/payments?limit=1000&offset=7');
    expect(under.bus.inputsOf(listOrgPayments).at(-1)).toMatchObject({ limit: 1_000, offset: 7 });
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'offset=-1', 'offset=1e3'])('?%s is 422', async (query) => {
    expect(await codeOf(await get(`/org/payments?${query}`))).toEqual([422, 'validation_failed']);
  });
});
