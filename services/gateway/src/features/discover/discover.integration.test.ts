import {
  agentProfile,
  authenticateOrgKey,
  getAgent,
  getAgentProfile,
  getPastAgent,
  getPastAgentProfile,
  getShownAgents,
  listRegistry,
  matchAgents,
  matchResult,
  matchResultToWire,
  trustObject,
  unregisteredVerdict,
} from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { agentKey, organisation, orgKey, publicAgent, sandboxKey } from '../../testing/agents.ts';
import { type GatewayUnderTest, post, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

const matchReasons = [
  {
    requiredCapability: 'translate',
    matchedCapability: 'translation',
    weight: 3,
    how: 'alias' as const,
    similarity: 1,
  },
];
const matchParts = { capability: 0.5, trust: 0.6, success: 0.25, activity: 0.5 };
const ranked = (agentId: string, changedPosition: string) => ({
  agentId,
  changedPosition,
  matchScore: 0.5,
  matchParts,
  matchReasons: [0],
});

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
  under.bus.answer(getAgentProfile, ({ agentId }) => ({
    agent: agentId === 'receiver' || agentId === 'a/b ü' ? publicAgent({ agentId }) : null,
    ratings: [
      {
        transactionId: 't1',
        callerAgentId: 'caller',
        callerOrgDomain: null,
        success: true,
        score: 9,
        reviewedAt: '2026-01-01T00:00:00.000Z',
      },
    ],
  }));
  under.bus.answer(listRegistry, () => ({ agents: [publicAgent()], total: 120 }));
  under.bus.answer(matchAgents, () => ({ build: 'b1', reasons: matchReasons, matches: [ranked('receiver', '1')] }));
  under.bus.answer(getShownAgents, ({ agentIds }) => ({
    build: 'b1',
    agents: agentIds.map((agentId) => ({ agent: publicAgent({ agentId }), changedPosition: '1' })),
  }));
});
afterAll(() => under.stop());

describe('POST /verify', () => {
  it('returns the trust object, without an endpoint', async () => {
    const response = await post(`${under.url}/verify`, { agent_id: 'receiver' });
    expect(response.status).toBe(200);
    const body = z.strictObject(trustObject.shape).parse(await response.json());
    expect(body.routing.pay_via).toBe(`${under.url}/pay/receiver`);
  });

  it('returns 404 with the error and the verdict for an unknown agent', async () => {
    const response = await post(`${under.url}/verify`, { agent_id: 'nobody' });
    expect(response.status).toBe(404);
    expect(unregisteredVerdict.parse(await response.json())).toMatchObject({
      agent_id: 'nobody',
      code: 'agent_not_found',
    });
  });
});

describe('POST /verify/batch', () => {
  const verifyBatch = (agentIds: unknown): Promise<Response> =>
    post(`${under.url}/verify/batch`, { agent_ids: agentIds });

  it('answers each agent_id in order, asked for once, and an unknown one with the verdict block', async () => {
    under.bus.answer(getShownAgents, ({ agentIds }) => ({
      build: 'b1',
      agents: agentIds
        .filter((agentId) => agentId !== 'nobody')
        .toReversed()
        .map((agentId) => ({ agent: publicAgent({ agentId }), changedPosition: '1' })),
    }));
    const response = await verifyBatch(['second', 'nobody', 'first', 'second']);
    expect(response.status).toBe(200);
    const body = (await response.json()) as Record<string, unknown>[];
    expect(body.map((verdict) => verdict['agent_id'])).toEqual(['second', 'nobody', 'first', 'second']);
    expect(body[1]).toEqual({
      agent_id: 'nobody',
      verified: false,
      trust_score: 0,
      flags: ['unregistered'],
      recommended_action: 'block',
    });
    z.strictObject(trustObject.shape).parse(body[0]);
    expect(under.bus.inputsOf(getShownAgents).at(-1)?.agentIds).toEqual(['second', 'nobody', 'first']);
  });

  it.each([
    ['a hundred', 200, Array.from({ length: 100 }, (_, index) => `a${index}`)],
    ['more', 422, Array.from({ length: 101 }, (_, index) => `a${index}`)],
    ['none', 422, []],
    ['an empty id', 422, ['']],
    ['no list', 422, 'receiver'],
  ])('answers %s with %i', async (_what, status, agentIds) => {
    expect((await verifyBatch(agentIds)).status).toBe(status);
  });
});

describe.each(['/agent/receiver', '/registry?limit=1'])('If-None-Match on %s', (path) => {
  const read = (known?: string): Promise<Response> =>
    fetch(`${under.url}${path}`, known === undefined ? {} : { headers: { 'if-none-match': known } });

  it('is answered with 304 as long as nothing has changed, and no cache may answer by itself', async () => {
    const first = await read();
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{43}"$/u)]);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const same = await read(`"other", W/${etag}`);
    // The tag is answered as the client has it.
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, `W/${etag}`, '']);
    expect((await read('"other"')).status).toBe(200);
  });
});

it('an ETag of a page changes with the number of agents that are on no page of the client', async () => {
  const tag = async (): Promise<string | null> => (await fetch(`${under.url}/registry?limit=1`)).headers.get('etag');
  const before = await tag();
  under.bus.answer(listRegistry, () => ({ agents: [publicAgent()], total: 121 }));
  expect(await tag()).not.toBe(before);
  under.bus.answer(listRegistry, () => ({ agents: [publicAgent()], total: 120 }));
});

describe('an X-API-KEY on read routes', () => {
  const verify = (headers: Record<string, string>): Promise<Response> =>
    post(`${under.url}/verify`, { agent_id: 'receiver' }, headers);

  it('opens the sandbox for a sandbox key, and production for a production key', async () => {
    await verify({ 'x-api-key': sandboxKey });
    await verify({ 'x-api-key': orgKey });
    await verify({ authorization: `Bearer ${agentKey}` });
    expect(
      under.bus
        .inputsOf(getAgent)
        .slice(-3)
        .map((input) => input.universe),
    ).toEqual([{ kind: 'sandbox', orgId: 'org1' }, { kind: 'production' }, { kind: 'production' }]);
  });

  it.each([[''], ['x'], [orgKey.slice(0, -1)], [`${orgKey}, ${orgKey}`], [agentKey]])(
    'is refused without a lookup if it is %s',
    async (key) => {
      const before = under.bus.inputsOf(authenticateOrgKey).length;
      const response = await verify({ 'x-api-key': key });
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([401, 'invalid_api_key']);
      expect(under.bus.inputsOf(authenticateOrgKey)).toHaveLength(before);
    },
  );

  it('is refused if it is unknown on every route that reads it, after the shape of the request', async () => {
    const headers = { 'x-api-key': `registry-org-sk-${'A'.repeat(43)}` };
    expect((await verify(headers)).status).toBe(401);
    expect((await fetch(`${under.url}/agent/receiver`, { headers })).status).toBe(401);
    expect((await fetch(`${under.url}/registry`, { headers })).status).toBe(401);
    expect((await fetch(`${under.url}/org/whoami`, { headers })).status).toBe(401);
    expect((await post(`${under.url}/match`, { org_name: 'Acme' }, headers)).status).toBe(401);
    expect((await post(`${under.url}/register`, { agent_id: 'a' }, headers)).status).toBe(401);
    expect((await post(`${under.url}/match`, {}, headers)).status).toBe(422);
    expect((await fetch(`${under.url}/registry?limit=x`, { headers })).status).toBe(422);
  });
});

describe('GET /agent/{agent_id}', () => {
  it('returns the profile of any id, percent-encoded', async () => {
    const response = await fetch(`${under.url}/agent/${encodeURIComponent('a/b ü')}`);
    expect(response.status).toBe(200);
    const body = z.strictObject(agentProfile.shape).parse(await response.json());
    expect([body.agent_id, body.ratings_received.length]).toEqual(['a/b ü', 1]);
  });

  it('returns 404 for an unknown agent', async () => {
    expect((await fetch(`${under.url}/agent/nobody`)).status).toBe(404);
  });

  it('answers HEAD like GET, without a body', async () => {
    const response = await fetch(`${under.url}/agent/receiver`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('GET /registry', () => {
  it('returns a page with its count and links', async () => {
    const response = await fetch(`${under.url}/registry`);
    expect(z.array(trustObject).parse(await response.json())).toHaveLength(1);
    expect(response.headers.get('x-total-count')).toBe('120');
    expect(response.headers.get('link')).toBe(
      `<${under.url}/registry?limit=50&offset=50&min_trust_score=0>; rel="next"`,
    );
    expect(under.bus.inputsOf(listRegistry).at(-1)).toMatchObject({
      limit: 50,
      offset: 0,
      minTrustScore: 0,
      agentIdPrefix: null,
    });
  });

  it('asks for the beginning of an agent_id, as it was given, and keeps it in the links', async () => {
    const response = await fetch(`${under.url}/registry?agent_id_prefix=Acme%20%25_%C3%85&min_trust_score=40`);
    expect(under.bus.inputsOf(listRegistry).at(-1)).toMatchObject({ minTrustScore: 40, agentIdPrefix: 'Acme %_Å' });
    expect(response.headers.get('link')).toBe(
      `<${under.url}/registry?limit=50&offset=50&min_trust_score=40&agent_id_prefix=Acme+%25_%C3%85>; rel="next"`,
    );
  });

  it.each([
    ['limit=0', 422],
    ['limit=1', 200],
    ['limit=200', 200],
    ['limit=201', 422],
    ['limit=1.5', 422],
    ['limit=', 422],
    ['limit=%2B1', 422],
    ['limit=1e1', 422],
    ['offset=-1', 422],
    ['offset=10000000', 200],
    ['offset=99999999999999999999', 422],
    ['min_trust_score=100', 200],
    ['min_trust_score=101', 422],
    [`agent_id_prefix=${'%F0%9F%A6%8A'.repeat(128)}`, 200],
    [`agent_id_prefix=${'a'.repeat(129)}`, 422],
    ['agent_id_prefix=', 422],
    ['agent_id_prefix=a%00', 422],
    ['agent_id_prefix=a%E2%80%8B', 422],
    ['agent_id_prefix=.', 200],
    ['agent_id_prefix=a&agent_id_prefix=b', 422],
  ])('answers %s with %i', async (query, status) => {
    expect((await fetch(`${under.url}/registry?${query}`)).status).toBe(status);
  });
});

// Bug: agents with the longest allowed texts make a page larger than a message of the bus, and the registry fails for everybody.
// Method: 200 such agents (40 MB as JSON), against a server that carries 1 MiB in a message.
describe('a page of very large agents', () => {
  it('is returned completely and in order', async () => {
    const all = Array.from({ length: 230 }, (_, index) => {
      return publicAgent({
        agentId: `a${index}`,
        specialty: '\u0001'.repeat(4_096),
        signupHelp: '𝒳'.repeat(4_096),
        contactInfo: 'x'.repeat(100_000),
      });
    });
    under.bus.answer(listRegistry, ({ limit, offset }) => ({
      agents: all.slice(offset, offset + limit),
      total: all.length,
    }));
    const response = await fetch(`${under.url}/registry?limit=200&offset=20`);
    const body = (await response.json()) as { agent_id: string }[];
    expect(body.map((agent) => agent.agent_id)).toEqual(all.slice(20, 220).map((agent) => agent.agentId));
    expect(response.headers.get('x-total-count')).toBe('230');
    under.bus.answer(listRegistry, () => ({ agents: [publicAgent()], total: 120 }));
  });
});

describe('POST /match', () => {
  it('says who asks: the organisation, or an id of the address that is not the address', async () => {
    const asker = async (headers: Record<string, string>): Promise<unknown> => {
      await post(`${under.url}/match`, { required_capabilities: ['translate'] }, headers);
      return under.bus.inputsOf(matchAgents).at(-1)?.client;
    };
    expect(await asker({ 'x-api-key': orgKey })).toBe(organisation.orgId);
    expect(await asker({})).toMatch(/^[\w-]{22}$/u);
  });

  it('sends names in normal form and a bare rail as a list', async () => {
    const response = await post(`${under.url}/match`, {
      required_capabilities: ['  Machine-Translation '],
      settlement_rail: 'x402',
      limit: 3,
    });
    expect(z.array(matchResult).parse(await response.json())).toMatchObject([{ match_score: 0.5 }]);
    expect(under.bus.inputsOf(matchAgents).at(-1)).toMatchObject({
      requiredCapabilities: ['machine_translation'],
      settlementRail: ['x402'],
      limit: 3,
    });
  });

  // Bug: a former text of an agent is shown after a change of it, or in another universe.
  it('fetches an agent once for each of its versions, and shows the ranked agents', async () => {
    let build = 'b2';
    const [calls, changedPosition] = [{ count: 0 }, { of: '7' }];
    under.bus.answer(matchAgents, () => ({
      build,
      reasons: matchReasons,
      matches: [ranked('moved away', '3'), ranked('changing', changedPosition.of), ranked('constant', '2')],
    }));
    under.bus.answer(getShownAgents, ({ agentIds }) => ({
      build,
      agents: agentIds
        .filter((agentId) => agentId !== 'moved away')
        .map((agentId) => ({
          agent: publicAgent({ agentId, specialty: `told ${(calls.count += 1)} times` }),
          changedPosition: agentId === 'constant' ? '2' : changedPosition.of,
        })),
    }));
    const match = async () =>
      z
        .array(z.strictObject(matchResult.shape))
        .parse(await (await post(`${under.url}/match`, { message_protocol: 'a2a' })).json())
        .map((agent) => [agent.agent_id, agent.specialty, agent.match_score, agent.match_reasons.length]);
    const asked = () => under.bus.inputsOf(getShownAgents).at(-1)?.agentIds;
    expect(await match()).toEqual([
      ['changing', 'told 1 times', 0.5, 1],
      ['constant', 'told 2 times', 0.5, 1],
    ]);
    expect(asked()).toEqual(['moved away', 'changing', 'constant']);
    changedPosition.of = '8';
    expect((await match()).map(([, specialty]) => specialty)).toEqual(['told 3 times', 'told 2 times']);
    expect(asked()).toEqual(['moved away', 'changing']);
    build = 'b3';
    expect((await match()).map(([, specialty]) => specialty)).toEqual(['told 4 times', 'told 5 times']);
  });

  it('returns the same JSON as the object of the interface', async () => {
    under.bus.answer(matchAgents, () => ({ build: 'b4', reasons: matchReasons, matches: [ranked('receiver', '1')] }));
    const response = await post(`${under.url}/match`, { message_protocol: 'a2a' });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const match = { agent: publicAgent(), matchScore: 0.5, matchParts, matchReasons };
    const { specialty: _, ...expected } = matchResultToWire(match, under.url);
    expect(await response.json()).toMatchObject([expected]);
    under.bus.answer(matchAgents, () => ({ build: 'b4', reasons: [], matches: [] }));
    expect(await (await post(`${under.url}/match`, { message_protocol: 'a2a' })).json()).toEqual([]);
  });

  it.each([
    [{}, 422],
    [{ required_capabilities: null }, 422],
    [{ message_protocol: 'raw' }, 200],
    [{ message_protocol: 'smtp' }, 422],
    [{ org_name: 'Acme', limit: 201 }, 422],
    [{ required_capabilities: ['x'.repeat(51)] }, 422],
  ])('answers %j with %i', async (body, status) => {
    expect((await post(`${under.url}/match`, body)).status).toBe(status);
  });
});

describe('an answer of the past', () => {
  it.each([
    ['POST /verify', () => post(`${under.url}/verify?as_of=7`, { agent_id: 'receiver' })],
    ['GET /agent/{agent_id}', () => fetch(new URL('/agent/receiver?as_of=7', under.url))],
  ])('of %s says up to where exchanges were archived since, if any were', async (_route, ask) => {
    for (const archived of [{ archivedTo: '4711' }, {}]) {
      const agent = publicAgent({ agentId: 'receiver' });
      under.bus.answer(getPastAgent, () => ({ agent, ...archived }));
      under.bus.answer(getPastAgentProfile, () => ({ agent, ratings: [], ...archived }));
      const { status, headers } = await ask();
      expect([status, headers.get('x-registry-archived-to')]).toEqual([200, archived.archivedTo ?? null]);
    }
  });
});
