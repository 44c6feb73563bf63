/**
 * Bug: a page of agents with the longest allowed fields is larger than a message on the bus can be, so a few anonymous callers make the
 * registry unreadable for everybody. Method: a sandbox full of such agents, and every read route with its largest page.
 */
import { runs } from '@agent-trust/test-kit/runs';
import { beforeAll, expect, it } from 'vitest';
import { type Body, createOrg, get, join, type Org, post, profile, verify } from '../support/ask.ts';
import { unique } from '../support/registry.ts';
import { served } from '../support/served.ts';

/** Agents that fill a message on the bus more than twice; the long form fills the largest page. */
const agentCount = runs(80, 200);
const wide = (chars: number): string => '😀'.repeat(chars);
const widest: Body = {
  endpoint_url: `https://agent.example/${'x'.repeat(2_000)}`,
  contact_info: wide(4_096),
  specialty: wide(4_096),
  accepted_terms_format: wide(4_096),
  signup_help: wide(4_096),
  protocol: wide(255),
  accepted_content_types: Array.from({ length: 32 }, (_, index) => `${index}${wide(250)}`),
  settlement_rail: Array.from({ length: 32 }, (_, index) => `${index}${wide(250)}`),
  payment_network: wide(255),
  payment_pay_to: wide(255),
  payment_asset: wide(255),
  price_schedule: Array.from({ length: 20 }, () => ({ task: wide(100), price: 0.1 })),
  capabilities: ['widest', wide(50), { name: `2${wide(49)}`, weight: 2 }],
};

let org: Org;
let one: string;
beforeAll(async () => {
  org = await createOrg();
  one = (await join(org.sandboxKey, { ...widest, agent_id: `${unique('wide')}${wide(60)}` })).agentId;
  for (let made = 1; made < agentCount; made += 20) {
    const ids = Array.from({ length: Math.min(20, agentCount - made) }, () => `${unique('wide')}${wide(60)}`);
    const answers = await Promise.all(
      ids.map((agent_id) => served(() => post('/register', { ...widest, agent_id }, org.sandboxKey))),
    );
    const refused = answers.find(({ status }) => status !== 201);
    if (refused !== undefined) throw new Error(`register returned ${refused.status}: ${refused.text.slice(0, 500)}`);
  }
});

it('one such agent is readable like any other', async () => {
  expect((await verify(one, org.sandboxKey)).body).toMatchObject({ specialty: widest['specialty'] });
  expect((await profile(one, org.sandboxKey)).body).toMatchObject({ contact_info: widest['contact_info'] });
});

it('the largest page of the registry arrives complete', async () => {
  const page = await get('/registry?limit=200', org.sandboxKey);
  expect([page.status, page.list.length, page.headers.get('x-total-count')]).toEqual([
    200,
    agentCount,
    String(agentCount),
  ]);
});

it('the largest match arrives complete', async () => {
  const found = await post('/match', { required_capabilities: ['widest'], limit: 200 }, org.sandboxKey);
  expect([found.status, found.list.length]).toEqual([200, agentCount]);
});

it("an organisation's agents arrive complete, all in one array", async () => {
  const { status, list, headers } = await get('/org/agents', org.sandboxKey);
  expect([status, list.length, headers.get('x-total-count')]).toEqual([200, agentCount, String(agentCount)]);
  expect(new Set(list.map(({ agent_id: agentId }) => agentId)).size).toBe(agentCount);
  expect(list.every(({ specialty }) => specialty === widest['specialty'])).toBe(true);
});
