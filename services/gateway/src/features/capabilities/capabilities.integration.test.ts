import { listCapabilities, production } from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organisation, sandboxKey } from '../../testing/agents.ts';
import { answerAsKnown, type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
let agentCount = 3;
beforeAll(async () => {
  under = await startGatewayUnderTest();
  answerAsKnown(under.bus);
  under.bus.answer(listCapabilities, ({ limit }) => ({
    categories: [{ category: 'commerce', capabilityCount: 2 }],
    capabilities: [
      {
        name: 'price_quote',
        category: 'commerce',
        description: 'A price.',
        aliases: [{ alias: 'quote', learned: false }],
        agentCount,
      },
    ].slice(0, limit),
    total: 7,
  }));
});
afterAll(() => under.stop());

const get = (query = '', headers: Record<string, string> = {}) =>
  fetch(`${under.url}/capabilities${query}`, { headers });
const asked = () => under.bus.inputsOf(listCapabilities).at(-1);

describe('GET /capabilities', () => {
  it('answers in the form of the interface, with the pages beside it', async () => {
    const response = await get('?text=Price%20Q&category=Commerce&limit=2&offset=2');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      categories: [{ category: 'commerce', capability_count: 2 }],
      capabilities: [
        {
          name: 'price_quote',
          category: 'commerce',
          description: 'A price.',
          aliases: [{ alias: 'quote', learned: false }],
          agent_count: 3,
        },
      ],
    });
    expect(asked()).toEqual({ universe: production, text: 'price_q', category: 'commerce', limit: 2, offset: 2 });
    expect(response.headers.get('x-total-count')).toBe('7');
    expect(response.headers.get('link')).toContain('limit=2&offset=4&text=price_q&category=commerce>; rel="next"');
  });

  it('shows a sandbox key its sandbox, and refuses an unknown key', async () => {
    expect((await get('', { 'x-api-key': sandboxKey })).status).toBe(200);
    expect(asked()?.universe).toEqual({ kind: 'sandbox', orgId: organisation.orgId });
    expect((await get('', { 'x-api-key': 'nobody' })).status).toBe(401);
  });

  it('confirms the copy that a client has, until something changes', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    expect((await get('', { 'if-none-match': etag })).status).toBe(304);
    agentCount = 4;
    expect((await get('', { 'if-none-match': etag })).status).toBe(200);
  });

  it.each([
    ['?text=ab'],
    ['?text=%20-%20a%20'],
    [`?text=${'a'.repeat(51)}`],
    ['?text=a%00bc'],
    ['?category='],
    ['?limit=0'],
    ['?limit=1001'],
    ['?offset=-1'],
    ['?offset=20001'],
    ['?limit=1e2'],
    ['?text=abc&text=def'],
  ])('refuses %s', async (query) => {
    const before = under.bus.inputsOf(listCapabilities).length;
    expect((await get(query)).status).toBe(422);
    expect(under.bus.inputsOf(listCapabilities)).toHaveLength(before);
  });
});
