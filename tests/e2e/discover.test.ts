import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  ask,
  call,
  createOrg,
  endpointMark,
  faultLocations,
  gateways,
  get,
  join,
  type Org,
  post,
  profile,
  review,
  verify,
} from '../support/ask.ts';
import { startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';

const endpoint_url = `https://agent.example/${endpointMark}`;
const ids = ({ list }: Answer): unknown[] => list.map((agent) => agent['agent_id']);
let org: Org;
beforeAll(async () => {
  org = await createOrg();
});

describe('POST /verify', () => {
  it('returns the trust object with all its fields, and no endpoint', async () => {
    const payment = { payment_network: 'base', payment_pay_to: '0xabc', payment_asset: 'USDC' };
    const { agentId } = await join(org.key, {
      endpoint_url,
      capabilities: [{ name: 'price_quote', weight: 2 }],
      settlement_rail: ['x402'],
      specialty: 'quotes',
      protocol: 'https',
      accepted_terms_format: 'text',
      http_methods: ['POST'],
      price_schedule: [{ task: 'quote', price: 0.5 }],
      ...payment,
      payload_schema: { currency: 'EUR' },
      signup_help: 'ask us',
      auth_header_name: 'X-Key',
      contact_info: 'nowhere',
    });
    const answer = await verify(agentId);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      agent_id: agentId,
      role: 'agent',
      verified: true,
      trust_score: 75,
      trust_policy: 'v1',
      confidence: { evidence_weight: 0, roots: 0, interval: [45.9, 100] },
      org_id: expect.any(String) as string,
      org_name: org.name,
      org_domain: null,
      domain_verified: false,
      specialty: 'quotes',
      capabilities: [{ name: 'price_quote', weight: 2 }],
      flags: ['no_transactions'],
      routing: {
        protocol: 'https',
        accepted_terms_format: 'text',
        settlement_rail: ['x402'],
        http_methods: ['POST'],
        price_schedule: [{ task: 'quote', price: 0.5 }],
        ...payment,
        pay_via: `${gateways[0]}/pay/${agentId}`,
      },
      message_protocol: 'a2a',
      a2a_compliant: false,
      accepted_content_types: ['text/plain', 'application/json'],
      payload_schema: { currency: 'EUR', date_format: null, quantity_unit: null, weight_unit: null },
      signup_help: 'ask us',
      auth_header_name: 'X-Key',
      success_rate: null,
      transaction_count: 0,
      liveness: null,
      last_active: expect.stringMatching(/^\d{4}-.*Z$/u) as string,
      recommended_action: 'proceed',
    });
  });

  it('returns 404 with a verdict for an unknown agent', async () => {
    const answer = await verify('nobody at all');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      code: 'agent_not_found',
      agent_id: 'nobody at all',
      verified: false,
      trust_score: 0,
      flags: ['unregistered'],
      recommended_action: 'block',
    });
  });

  it.each([
    {},
    { agent_id: null },
    { agent_id: '' },
    { agent_id: 'a'.repeat(129) },
    { agent_id: ['a'] },
    [],
    null,
    'text',
    5,
  ])('%j is 422', async (body) => {
    const answer = await ask('POST', '/verify', { body: JSON.stringify(body) });
    expect(answer.status).toBe(422);
  });

  it('signs only the current verdict, so a signed one as of a moment is refused', async () => {
    const { agentId } = await join();
    const signed = await post('/verify?signed=true', { agent_id: agentId });
    expect([signed.status, signed.body['signed_verdict']]).toEqual([
      200,
      expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    ]);
    expect((await post('/verify?signed=true&as_of=2026-01-01T00:00:00Z', { agent_id: agentId })).status).toBe(422);
  });
});

describe('GET /agent/{agent_id}', () => {
  it("returns the profile: the trust object and the agent's record", async () => {
    const { agentId } = await join({}, { endpoint_url, contact_info: 'https://contact.example' });
    const { body } = await profile(agentId);
    expect(body).toMatchObject({
      ...(await verify(agentId)).body,
      contact_info: 'https://contact.example',
      last_transaction_at: null,
      ratings_received: [],
    });
    expect(Date.parse(String(body['registered_at']))).toBeLessThanOrEqual(Date.parse(String(body['last_active'])));
    expect(Object.keys(body)).not.toContain('contact_email');
  });

  it('an unknown agent is 404, an invalid id is 422', async () => {
    expect((await get('/agent/nobody%20at%20all')).body['code']).toBe('agent_not_found');
    for (const bad of ['%00', '%0a', 'a'.repeat(129), '%F0%9F%98%80'.repeat(129)])
      expect((await get(`/agent/${bad}`)).status).toBe(422);
    for (const bad of ['%ff', '%', '%zz', '%ed%a0%80']) expect((await get(`/agent/${bad}`)).status).toBe(422);
    expect((await get('/agent/')).status).toBe(422);
    expect((await get('/agent/a/b')).status).toBe(404);
  });

  it('shows a call and a review at once', async () => {
    const endpoint = await startRecordingAgent();
    const receiver = await join({}, { endpoint_url: endpoint.url });
    const caller = await join(org.key);
    const called = await call(caller, receiver.agentId, textMessage('x'));
    const { body } = await profile(receiver.agentId);
    expect(body).toMatchObject({ transaction_count: 1, success_rate: null });
    expect(body['last_transaction_at']).toBe(body['last_active']);
    await review(caller, receiver.agentId, { transaction_id: called.body['transaction_id'] });
    expect(((await profile(receiver.agentId)).body['ratings_received'] as unknown[]).length).toBe(1);
    await endpoint.stop();
  });

  it('returns 404 as of a moment before the registration, and refuses a future moment', async () => {
    const { agentId } = await join();
    expect((await get(`/agent/${agentId}?as_of=2020-01-01T00:00:00Z`)).status).toBe(404);
    expect((await get(`/agent/${agentId}?as_of=2100-01-01T00:00:00Z`)).status).toBe(422);
  });
});

describe('POST /match', () => {
  const capability = unique('matchable').replaceAll('-', '_');
  const rail = unique('rail');
  let best: string;
  let good: string;
  let fair: string;
  beforeAll(async () => {
    const named = (id: string) => ({ agent_id: unique(id), endpoint_url, settlement_rail: [rail] });
    best = (await join(org.key, { ...named('c'), capabilities: [{ name: capability, weight: 3 }] })).agentId;
    good = (
      await join(org.key, { ...named('a'), capabilities: [{ name: capability, weight: 1 }], message_protocol: 'mcp' })
    ).agentId;
    fair = (await join({}, { ...named('b'), capabilities: [{ name: capability, weight: 1 }], message_protocol: 'raw' }))
      .agentId;
    await join({}, { capabilities: [capability], settlement_rail: [rail] });
  });

  it('ranks by match_score, computed as published, and omits agents without an endpoint', async () => {
    const answer = await post('/match', {
      required_capabilities: [` ${capability.toUpperCase().replaceAll('_', '-')} `],
    });
    expect(answer.status).toBe(200);
    expect(answer.list.map((agent) => [agent['agent_id'], agent['match_score']])).toEqual([
      [best, 0.7875],
      [good, 0.3875],
      [fair, 0.3],
    ]);
    expect(answer.list[0]?.['match_reasons']).toEqual([
      { required_capability: capability, matched_capability: capability, weight: 3, how: 'exact', similarity: 1 },
    ]);
    expect(answer.list[0]?.['match_parts']).toEqual({
      capability: { value: 1, weight: 0.6, points: 0.6 },
      trust: { value: 0.75, weight: 0.25, points: 0.1875 },
      success: { value: 0, weight: 0.1, points: 0 },
      activity: { value: 0, weight: 0.05, points: 0 },
    });
  });

  it('one of the required names is enough, and the score is the mean over all of them', async () => {
    const answer = await post('/match', { required_capabilities: [capability, 'nobody_has_this'] });
    expect(answer.list.map((agent) => [agent['agent_id'], agent['match_score']])).toEqual([
      [best, 0.4875],
      [good, 0.2875],
      [fair, 0.2],
    ]);
  });

  it('an agent must satisfy every filter', async () => {
    const match = async (filters: object) => ids(await post('/match', filters));
    expect(await match({ settlement_rail: rail })).toEqual(
      [good, best, fair].toSorted((a, b) => (a === fair ? 1 : b === fair ? -1 : a < b ? -1 : 1)),
    );
    expect(await match({ settlement_rail: ['other', rail], message_protocol: 'raw' })).toEqual([fair]);
    expect(await match({ required_capabilities: [capability], message_protocol: 'mcp' })).toEqual([good]);
    expect(await match({ required_capabilities: [capability], org_name: org.name.toUpperCase() })).toEqual([
      best,
      good,
    ]);
    expect(await match({ required_capabilities: [capability], org_name: org.name.slice(0, -1) })).toEqual([]);
    expect(await match({ required_capabilities: [capability], settlement_rail: 'other' })).toEqual([]);
    expect(await match({ required_capabilities: [capability], limit: 1 })).toEqual([best]);
    expect(
      await match({
        required_capabilities: null,
        settlement_rail: null,
        org_name: null,
        message_protocol: 'raw',
        limit: 200,
      }),
    ).toContain(fair);
  });

  it.each([
    [{}, 'body'],
    [{ required_capabilities: null, org_name: null }, 'body'],
    [{ limit: 5 }, 'body'],
    [{ required_capabilities: ['a'.repeat(51)] }, 'body.required_capabilities.0'],
    [{ required_capabilities: 'a' }, 'body.required_capabilities'],
    [{ required_capabilities: [{ name: 'a' }] }, 'body.required_capabilities.0'],
    [{ message_protocol: 'grpc' }, 'body.message_protocol'],
    [{ settlement_rail: 5 }, 'body.settlement_rail'],
    [{ org_name: '' }, 'body.org_name'],
    [{ org_name: 'x', limit: 0 }, 'body.limit'],
    [{ org_name: 'x', limit: 201 }, 'body.limit'],
    [{ org_name: 'x', limit: '5' }, 'body.limit'],
  ])('%j is 422', async (body, place) => {
    const answer = await post('/match', body);
    expect([answer.status, ...new Set(faultLocations(answer))]).toEqual([422, place]);
  });
});

describe('GET /registry', () => {
  /** All agents from a trust score on, page by page. */
  const listedFrom = async (minTrustScore: number): Promise<unknown[]> => {
    const all: unknown[] = [];
    for (let offset = 0; ; offset += 200) {
      const page = await get(`/registry?limit=200&offset=${offset}&min_trust_score=${minTrustScore}`);
      all.push(...ids(page));
      if (page.list.length < 200) return all;
    }
  };
  it('lists routable agents, most trusted first, then by id; no agent without an endpoint', async () => {
    const unroutable = await join(org.key);
    const routable = await join(org.key, { endpoint_url });
    const { list } = await get('/registry?limit=200');
    const order = list.map((agent) => [-Number(agent['trust_score']), String(agent['agent_id'])] as const);
    expect(order).toEqual(
      order.toSorted((a, b) => a[0] - b[0] || Buffer.compare(Buffer.from(a[1]), Buffer.from(b[1]))),
    );
    // Other files register agents and block some meanwhile, so that one may slip between two pages.
    await expect.poll(() => listedFrom(75)).toContain(routable.agentId);
    expect(await listedFrom(75)).not.toContain(unroutable.agentId);
  });

  it('pages with X-Total-Count and Link, and every agent appears exactly once', async () => {
    const sandboxed = await createOrg();
    const mine = new Set<unknown>();
    for (let index = 0; index < 7; index += 1) mine.add((await join(sandboxed.sandboxKey, { endpoint_url })).agentId);
    const met: unknown[] = [];
    let next: string | undefined = '/registry?limit=3';
    const previous: (string | undefined)[] = [];
    while (next !== undefined) {
      const page: Answer = await get(next, sandboxed.sandboxKey);
      expect(page.headers.get('x-total-count')).toBe('7');
      met.push(...ids(page));
      const links: string = page.headers.get('link') ?? '';
      previous.push(/<[^>]*?offset=(\d+)[^>]*>; rel="prev"/u.exec(links)?.[1]);
      const target: string | undefined = /<([^>]+)>; rel="next"/u.exec(links)?.[1];
      next = target === undefined ? undefined : target.slice(new URL(target).origin.length);
    }
    expect(met).toHaveLength(7);
    expect(new Set(met)).toEqual(mine);
    expect(previous).toEqual([undefined, '0', '3']);
  });

  it('min_trust_score excludes agents below it', async () => {
    const independent = await join({}, { endpoint_url });
    const gated = await get('/registry?min_trust_score=50&limit=200');
    expect(gated.list.every((agent) => Number(agent['trust_score']) >= 50)).toBe(true);
    expect(Number((await get('/registry?min_trust_score=41')).headers.get('x-total-count'))).toBeLessThan(
      Number((await get('/registry?min_trust_score=40')).headers.get('x-total-count')),
    );
    expect(ids(gated)).not.toContain(independent.agentId);
  });

  it.each([
    ['limit=200', 200],
    ['limit=1', 200],
    ['', 200],
    ['offset=10000000', 200],
    ['min_trust_score=100', 200],
    ['unknown=1', 200],
    ['limit=201', 422],
    ['limit=0', 422],
    ['limit=-1', 422],
    ['limit=', 422],
    ['limit=abc', 422],
    ['limit=1.0', 422],
    ['limit=1e2', 422],
    ['limit=99999999999999999999', 422],
    ['limit=1&limit=2', 422],
    ['offset=-1', 422],
    ['offset=10000001', 422],
    ['min_trust_score=101', 422],
    ['min_trust_score=-1', 422],
  ])('?%s is %i', async (query, status) => {
    const answer = await get(`/registry?${query}`);
    expect(answer.status).toBe(status);
    expect(status === 200 ? answer.headers.get('x-total-count') : faultLocations(answer)[0]).toMatch(
      /^(\d+|query\..+)$/u,
    );
  });
});

describe('the decision rule for consumers', () => {
  it('40 is abort with low_trust, 75 is proceed', async () => {
    const low = (await verify((await join()).agentId)).body;
    expect([low['trust_score'], low['recommended_action'], (low['flags'] as string[]).includes('low_trust')]).toEqual([
      40,
      'abort',
      true,
    ]);
    const high = (await verify((await join(adminToken, { verified: true })).agentId)).body;
    expect([
      high['trust_score'],
      high['recommended_action'],
      (high['flags'] as string[]).includes('low_trust'),
    ]).toEqual([75, 'proceed', false]);
  });
});
