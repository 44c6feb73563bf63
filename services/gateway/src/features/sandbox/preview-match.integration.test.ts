import { type MatchedAgent, previewMatch, previewMatchResponse } from '@agent-trust/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { agentKey, organisation, orgKey, publicAgent, sandboxKey } from '../../testing/agents.ts';
import { refusal } from '../../testing/fake-bus.ts';
import { answerAsKnown, type GatewayUnderTest, post, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

const response = z.strictObject(previewMatchResponse.shape);
const result = (agentId: string, isDraft = false): MatchedAgent & { isDraft: boolean } => ({
  agent: publicAgent({ agentId }),
  matchScore: 0.5,
  matchParts: { capability: 0.5, trust: 0.6, success: 0.25, activity: 0.5 },
  matchReasons: [
    { requiredCapability: 'translate', matchedCapability: 'translate', weight: 3, how: 'exact', similarity: 1 },
  ],
  isDraft,
});

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
beforeEach(() => {
  answerAsKnown(under.bus);
  under.bus.answer(previewMatch, ({ limit, offset }) => ({
    draftRank: 2,
    total: 9,
    results: [result('ahead'), result('draft', true)].slice(offset, offset + limit),
    explanation: 'Rank 2 of 9.',
  }));
});
afterAll(() => under.stop());

const preview = (body: unknown, headers: Record<string, string> = { 'x-api-key': sandboxKey }) =>
  post(`${under.url}/sandbox/preview_match`, body, headers);
const codeOf = async (answer: Response): Promise<[number, unknown]> => [
  answer.status,
  ((await answer.json()) as { code: unknown }).code,
];
const asked = () => under.bus.inputsOf(previewMatch).at(-1);

describe('POST /sandbox/preview_match', () => {
  it('accepts the sandbox key alone, and reports the shape first', async () => {
    const body = { sandbox_agent_id: 'draft' };
    const before = under.bus.inputsOf(previewMatch).length;
    expect(await codeOf(await preview({}, {}))).toEqual([422, 'validation_failed']);
    expect(await codeOf(await preview(body, {}))).toEqual([401, 'credential_required']);
    expect(await codeOf(await preview(body, { authorization: `Bearer ${agentKey}` }))).toEqual([
      401,
      'credential_required',
    ]);
    expect(await codeOf(await preview(body, { 'x-api-key': 'x' }))).toEqual([401, 'invalid_api_key']);
    expect(await codeOf(await preview(body, { 'x-api-key': orgKey }))).toEqual([403, 'sandbox_key_required']);
    expect(under.bus.inputsOf(previewMatch)).toHaveLength(before);
  });

  it('returns the ranking as the interface describes it', async () => {
    const answer = await preview({ sandbox_agent_id: 'draft' });
    expect(answer.status).toBe(200);
    const body = response.parse(await answer.json());
    expect(body).toMatchObject({ draft_agent_id: 'draft', draft_rank: 2, total: 9, explanation: 'Rank 2 of 9.' });
    expect(body.results.map((one) => [one.agent_id, one.is_draft, one.match_score])).toEqual([
      ['ahead', false, 0.5],
      ['draft', true, 0.5],
    ]);
    expect(body.disclaimer).toContain('nothing was written');
    expect(asked()).toEqual({
      orgId: organisation.orgId,
      sandboxAgentId: 'draft',
      requiredCapabilities: null,
      settlementRail: null,
      resultsMax: 50,
      limit: 50,
      offset: 0,
    });
  });

  it('sends names in normal form and a bare rail as a list; a preview may lack an explanation', async () => {
    under.bus.answer(previewMatch, () => ({ draftRank: 1, total: 1, results: [], explanation: null }));
    const answer = await preview({
      sandbox_agent_id: 'draft',
      required_capabilities: [' Machine Translation'],
      settlement_rail: 'x402',
    });
    expect(response.parse(await answer.json())).toMatchObject({ explanation: null });
    expect(asked()).toMatchObject({ requiredCapabilities: ['machine_translation'], settlementRail: ['x402'] });
    expect((await preview({ sandbox_agent_id: 'draft', required_capabilities: [] })).status).toBe(200);
    expect(asked()).toMatchObject({ requiredCapabilities: [] });
  });

  it('reports an unknown draft', async () => {
    under.bus.answer(previewMatch, () => {
      throw refusal('agent_not_found', 'no agent of this id');
    });
    expect(await codeOf(await preview({ sandbox_agent_id: 'nobody' }))).toEqual([404, 'agent_not_found']);
  });

  it('writes one log line', async () => {
    await preview({ sandbox_agent_id: 'logged-draft' });
    const lines = under
      .logged()
      .split('\n')
      .filter((line) => line.includes('logged-draft'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(organisation.orgId);
  });

  it.each([
    [{ sandbox_agent_id: '' }],
    [{ sandbox_agent_id: 'a'.repeat(129) }],
    [{ sandbox_agent_id: 'a', required_capabilities: ['x'.repeat(51)] }],
    [{ sandbox_agent_id: 'a', required_capabilities: Array.from({ length: 33 }, (_, index) => `c${index}`) }],
    [{ sandbox_agent_id: 'a', settlement_rail: 5 }],
    [{ agent_id: 'a' }],
  ])('answers %j with 422', async (body) => {
    expect(await codeOf(await preview(body))).toEqual([422, 'validation_failed']);
  });

  // Bug: fifty agents with the longest allowed texts exceed one message of the bus.
  it('is returned completely and in order, however large the agents are', async () => {
    const all = Array.from({ length: 50 }, (_, index) => ({
      ...result(`a${index}`, index === 7),
      agent: publicAgent({ agentId: `a${index}`, specialty: '\u0001'.repeat(4_096), contactInfo: 'x'.repeat(100_000) }),
    }));
    under.bus.answer(previewMatch, ({ limit, offset }) => ({
      draftRank: 8,
      total: 50,
      results: all.slice(offset, offset + limit),
      explanation: null,
    }));
    const body = response.parse(await (await preview({ sandbox_agent_id: 'a7' })).json());
    expect(body.results.map((one) => one.agent_id)).toEqual(all.map(({ agent }) => agent.agentId));
  });
});
