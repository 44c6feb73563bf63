import {
  getOwnerAgent,
  production,
  promoteAgent,
  promoteRoute,
  publishAgent,
  publishRoute,
  withdrawAgent,
} from '@agent-trust/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agentKey, organisation, orgKey, ownerAgent, sandboxKey } from '../../testing/agents.ts';
import { behind, refusal } from '../../testing/fake-bus.ts';
import { answerAsKnown, type GatewayUnderTest, post, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

const at = '2026-01-01T00:00:00.000Z';
const { orgId } = organisation;
const actor = { kind: 'organisation', id: orgId, credentials: ['sandbox_key'] };
let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
beforeEach(() => {
  const { bus } = under;
  answerAsKnown(bus);
  for (const method of [publishAgent, withdrawAgent]) bus.answer(method, () => ({ movedAt: at, position: '21' }));
  bus.answer(promoteAgent, ({ liveAgentId }) => ({
    liveAgentId: liveAgentId ?? 'paired',
    fieldsCopied: ['endpointUrl' as const, 'a2aCompliant' as const, 'orgDomain' as const],
    promotedAt: at,
    position: '22',
  }));
});
afterAll(() => under.stop());

const withSandboxKey = { 'x-api-key': sandboxKey };
const send = (path: string, body: unknown, headers: Record<string, string> = withSandboxKey) =>
  post(`${under.url}/sandbox/${path}`, body, headers);
const answerOf = async (response: Response): Promise<[number, unknown]> => [response.status, await response.json()];
const codeOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { code: unknown }).code,
];

describe.each([
  ['publish', { agent_id: 'a' }, publishAgent],
  ['withdraw', { agent_id: 'a' }, withdrawAgent],
  ['promote', { sandbox_agent_id: 'a' }, promoteAgent],
] as const)('POST /sandbox/%s', (path, body, method) => {
  it('accepts the sandbox key alone, and reports the shape first', async () => {
    expect(await codeOf(await send(path, {}, {}))).toEqual([422, 'validation_failed']);
    expect(await codeOf(await send(path, body, {}))).toEqual([401, 'credential_required']);
    expect(await codeOf(await send(path, body, { authorization: `Bearer ${agentKey}` }))).toEqual([
      401,
      'credential_required',
    ]);
    for (const key of ['', 'x', agentKey]) {
      expect(await codeOf(await send(path, body, { 'x-api-key': key }))).toEqual([401, 'invalid_api_key']);
    }
    expect(await codeOf(await send(path, body, { 'x-api-key': orgKey }))).toEqual([403, 'sandbox_key_required']);
    expect(under.bus.inputsOf(method)).toEqual([]);
  });

  it.each([
    ['agent_not_found', 404],
    ['clone_paired', 409],
    ['already_in_universe', 409],
    ['not_a_confirmed_pair', 403],
    ['wrong_universe', 403],
    ['org_domain_taken', 409],
    ['write_conflict', 503],
  ] as const)('passes the refusal %s on as %i', async (code, status) => {
    under.bus.answer(method, () => {
      throw refusal(code, 'no');
    });
    expect(await codeOf(await send(path, body))).toEqual([status, code]);
  });

  it('reports that the write has happened if readers lag behind', async () => {
    under.bus.answerWaits(behind);
    expect(await codeOf(await send(path, body))).toEqual([503, 'read_model_behind']);
  });
});

describe('a move', () => {
  it.each([
    ['publish', 'production', production, 'https://a.test/', true],
    ['publish', 'production', production, null, false],
    ['withdraw', 'sandbox', { kind: 'sandbox', orgId }, 'https://a.test/', false],
  ] as const)('%s returns the agent’s state in %s', async (path, movedTo, universe, endpointUrl, discoverable) => {
    const agent = ownerAgent({ agentId: 'a', endpointUrl, isSandbox: movedTo === 'sandbox' });
    under.bus.answer(getOwnerAgent, (asked) => ({ agent: asked.universe.kind === universe.kind ? agent : null }));
    const [status, body] = await answerOf(await send(path, { agent_id: 'a' }));
    expect([status, publishRoute.answers[200]?.body?.parse(body)]).toEqual([
      200,
      {
        agent_id: 'a',
        moved_to: movedTo,
        discoverable,
        trust_score: agent.trustScore,
        transaction_count: agent.transactionCount,
        moved_at: at,
      },
    ]);
    const method = path === 'publish' ? publishAgent : withdrawAgent;
    expect(under.bus.inputsOf(method).at(-1)).toEqual({ agentId: 'a', orgId, actor });
    expect(under.bus.awaited.at(-1)).toBe('21');
  });
});

// Bug: an agent that moves back and forth while it is looked up is found nowhere, and the completed move was reported as a fault.
it.each(['publish', 'withdraw'])('a %s succeeds although its agent moves again between the lookups', async (path) => {
  let questions = 0;
  under.bus.answer(getOwnerAgent, () => ({ agent: (questions += 1) > 3 ? ownerAgent() : null }));
  expect(await codeOf(await send(path, { agent_id: 'a' }))).toEqual([503, 'read_model_behind']);
  expect(questions).toBe(3);
  questions = 1;
  expect((await send(path, { agent_id: 'a' })).status).toBe(200);
});

describe('POST /sandbox/promote', () => {
  it.each([
    [{ sandbox_agent_id: 'd' }, null, 'paired'],
    [{ agent_id: 'd', real_agent_id: null }, null, 'paired'],
    [{ sandbox_agent_id: null, agent_id: 'd', real_agent_id: 'r' }, 'r', 'r'],
    [{ sandbox_agent_id: 'd', agent_id: 'd', real_agent_id: 'r' }, 'r', 'r'],
  ])('accepts %j', async (body, liveAgentId, realAgentId) => {
    const [status, answer] = await answerOf(await send('promote', body));
    expect([status, promoteRoute.answers[200]?.body?.parse(answer)]).toEqual([
      200,
      {
        sandbox_agent_id: 'd',
        real_agent_id: realAgentId,
        fields_copied: ['endpoint_url', 'a2a_compliant', 'org_domain'],
        promoted_at: at,
      },
    ]);
    expect(under.bus.inputsOf(promoteAgent).at(-1)).toEqual({ sandboxAgentId: 'd', liveAgentId, orgId, actor });
  });

  it.each([
    [{}, 'sandbox_agent_id'],
    [{ sandbox_agent_id: null, agent_id: null }, 'sandbox_agent_id'],
    [{ sandbox_agent_id: 'a', agent_id: 'b' }, 'agent_id'],
    [{ sandbox_agent_id: '' }, 'sandbox_agent_id'],
    [{ sandbox_agent_id: 'd', real_agent_id: 7 }, 'real_agent_id'],
  ])('refuses %j', async (body, field) => {
    const [status, answer] = await answerOf(await send('promote', body));
    expect([status, (answer as { detail: { loc: unknown[] }[] }).detail[0]?.loc]).toEqual([422, ['body', field]]);
  });
});
