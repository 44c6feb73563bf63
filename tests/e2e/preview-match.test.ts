import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  ask,
  type Body,
  call,
  createOrg,
  endpointMark,
  faultLocations,
  gateways,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
  profile,
  review,
} from '../support/ask.ts';
import { startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';

const endpoint_url = `https://agent.example/${endpointMark}`;
const capability = unique('previewable').replaceAll('-', '_');
const other = unique('besides').replaceAll('-', '_');
const rail = unique('rail');

let org: Org;
let rival: Org;
let best: Member;
let fair: Member;
let independent: Member;

const preview = (body: Body, credential: HeaderMap = org.sandboxKey, gateway?: string): Promise<Answer> =>
  post('/sandbox/preview_match', body, credential, gateway);
const results = ({ body }: Answer): Body[] => body['results'] as Body[];
const order = (answer: Answer): unknown[] => results(answer).map((agent) => agent['agent_id']);
const draftIn = (answer: Answer): Body | undefined => results(answer).find((agent) => agent['is_draft'] === true);
const holding = (weight: number, fields: Body = {}): Body => ({
  endpoint_url,
  capabilities: [{ name: capability, weight }],
  settlement_rail: [rail],
  ...fields,
});

beforeAll(async () => {
  org = await createOrg();
  rival = await createOrg();
  best = await join(rival.key, holding(3));
  fair = await join(rival.key, holding(1, { settlement_rail: null }));
  // Unverified and below 50: a match includes it, a preview does not.
  independent = await join({}, holding(3));
});

describe('POST /sandbox/preview_match', () => {
  it('ranks a draft among live agents as /match would, and explains the rank', async () => {
    const draft = await join(org.sandboxKey, holding(2));
    const answer = await preview({ sandbox_agent_id: draft.agentId });
    expect(answer.status).toBe(200);
    expect(order(answer)).toEqual([best.agentId, draft.agentId, fair.agentId]);
    expect(answer.body).toMatchObject({ draft_agent_id: draft.agentId, draft_rank: 2, total: 3 });
    // 0.6·2/3 + 0.25·75/100
    expect(draftIn(answer)).toMatchObject({
      match_score: 0.5875,
      match_reasons: [{ required_capability: capability, weight: 2, how: 'exact', similarity: 1 }],
    });
    expect(draftIn(answer)?.['match_parts']).toMatchObject({
      capability: { value: 0.6667, points: 0.4 },
      trust: { value: 0.75, points: 0.1875 },
    });
    const live = await post('/match', { required_capabilities: [capability] });
    const shownOf = ({ match_score: score, match_parts: parts }: Body): unknown => ({ score, parts });
    const scores = new Map(live.list.map((agent) => [agent['agent_id'], shownOf(agent)]));
    expect(scores.has(independent.agentId)).toBe(true);
    for (const agent of results(answer).filter(({ is_draft: isDraft }) => isDraft === false)) {
      expect(shownOf(agent)).toEqual(scores.get(agent['agent_id']));
    }
    const explanation = String(answer.body['explanation']);
    expect(explanation).toContain('Rank 2 of 3 with a match_score of 0.5875');
    expect(explanation).toContain(`${JSON.stringify(best.agentId)}, one rank ahead, scores 0.2000 more`);
    expect(String(answer.body['disclaimer'])).not.toBe('');
    expect(Object.keys(answer.body).sort()).toEqual([
      'disclaimer',
      'draft_agent_id',
      'draft_rank',
      'explanation',
      'results',
      'total',
    ]);
  });

  it('takes capabilities and rails from the request, and ranks a draft that a match would not find', async () => {
    const draft = await join(org.sandboxKey, holding(3, { endpoint_url: null, settlement_rail: null }));
    const byRail = await preview({ sandbox_agent_id: draft.agentId, settlement_rail: rail });
    expect(order(byRail)).not.toContain(fair.agentId);
    expect(byRail.body).toMatchObject({ total: 2 });
    expect(byRail.body['explanation']).toContain('it has no endpoint_url; it accepts none of the settlement rails');
    const byOther = await preview({ sandbox_agent_id: draft.agentId, required_capabilities: [other] });
    expect(byOther.body).toMatchObject({ draft_rank: 1, total: 1 });
    expect(byOther.body['explanation']).toContain('it has none of the capabilities asked for');
    expect(byOther.body['explanation']).toContain(`Adding "${other}"`);
    const none = await preview({ sandbox_agent_id: draft.agentId, required_capabilities: [] });
    expect(draftIn(none)).toMatchObject({ match_score: 0.1875, match_reasons: [] });
    expect(results(none).length).toBeLessThanOrEqual(50);
    expect(Number(none.body['total'])).toBeGreaterThanOrEqual(3);
  });

  it("ranks a clone by its live agent's reputation, without that agent among the others", async () => {
    const endpoint = await startRecordingAgent();
    const live = await join(org.key, holding(3, { endpoint_url: endpoint.url }));
    const called = await call(best, live.agentId, textMessage('x'));
    await review(best, live.agentId, { transaction_id: called.body['transaction_id'], score: 10 });
    const clone = await join(org.sandboxKey, {
      clone_from_agent_id: live.agentId,
      capabilities: [{ name: capability, weight: 1 }],
    });
    const answer = await preview({ sandbox_agent_id: clone.agentId });
    expect(order(answer)).not.toContain(live.agentId);
    const earned = (await profile(live.agentId)).body;
    expect(draftIn(answer)).toMatchObject({
      trust_score: earned['trust_score'],
      transaction_count: 1,
      success_rate: 1,
    });
    expect(Number(earned['trust_score'])).toBeGreaterThan(75);
    expect(answer.body['explanation']).toContain(JSON.stringify(live.agentId));
    await endpoint.stop();
  });

  it('reflects a change of the draft and of the market at once, on every gateway', async () => {
    const draft = await join(org.sandboxKey, holding(1));
    const before = await preview({ sandbox_agent_id: draft.agentId });
    for (const [turn, weight] of [3, 2, 1].entries()) {
      await post(
        '/update',
        { agent_id: draft.agentId, capabilities: [{ name: capability, weight }] },
        draft.auth,
        gateways[turn % 2],
      );
      const after = await preview({ sandbox_agent_id: draft.agentId }, org.sandboxKey, gateways[(turn + 1) % 2]);
      expect(draftIn(after)?.['match_score']).toBe(Math.round((0.2 * weight + 0.1875) * 10_000) / 10_000);
    }
    await join(rival.key, holding(2));
    const grown = await preview({ sandbox_agent_id: draft.agentId }, org.sandboxKey, gateways[1]);
    expect(grown.body['total']).toBe(Number(before.body['total']) + 1);
  });

  it('changes nothing', async () => {
    const draft = await join(org.sandboxKey, holding(2));
    const before = (await profile(draft.agentId, org.sandboxKey)).body;
    await preview({ sandbox_agent_id: draft.agentId });
    expect((await profile(draft.agentId, org.sandboxKey)).body).toEqual(before);
    expect(order(await preview({ sandbox_agent_id: draft.agentId }))).toContain(draft.agentId);
    const live = await post('/match', { required_capabilities: [capability], limit: 200 });
    expect(live.list.map((agent) => agent['agent_id'])).not.toContain(draft.agentId);
  });

  it("is for the sandbox key of the draft's organisation", async () => {
    const draft = await join(org.sandboxKey, holding(2));
    const codeOf = async (credential: HeaderMap, id = draft.agentId): Promise<unknown[]> => {
      const { status, body } = await preview({ sandbox_agent_id: id }, credential);
      return [status, body['code']];
    };
    expect(await codeOf({})).toEqual([401, 'credential_required']);
    expect(await codeOf(draft.auth)).toEqual([401, 'credential_required']);
    expect(await codeOf({ 'x-api-key': 'unknown' })).toEqual([401, 'invalid_api_key']);
    expect(await codeOf(org.key)).toEqual([403, 'sandbox_key_required']);
    expect(await codeOf(rival.sandboxKey)).toEqual([404, 'agent_not_found']);
    expect(await codeOf(org.sandboxKey, unique('nobody'))).toEqual([404, 'agent_not_found']);
    // Live agents, of another organisation or its own.
    expect(await codeOf(org.sandboxKey, best.agentId)).toEqual([404, 'agent_not_found']);
    const live = await join(org.key, holding(1));
    expect(await codeOf(org.sandboxKey, live.agentId)).toEqual([404, 'agent_not_found']);
  });

  it.each([
    [{}, 'body.sandbox_agent_id'],
    [{ sandbox_agent_id: null }, 'body.sandbox_agent_id'],
    [{ sandbox_agent_id: 'a', required_capabilities: 'a' }, 'body.required_capabilities'],
    [{ sandbox_agent_id: 'a', required_capabilities: ['a'.repeat(51)] }, 'body.required_capabilities.0'],
    [{ sandbox_agent_id: 'a', settlement_rail: 5 }, 'body.settlement_rail'],
  ])('%j is 422', async (body, place) => {
    const answer = await ask('POST', '/sandbox/preview_match', { body, headers: org.sandboxKey });
    expect([answer.status, ...new Set(faultLocations(answer))]).toEqual([422, place]);
  });
});

describe('POST /match, many at once', () => {
  // Bug: concurrent queries that share one check for changes get each other's answers, or miss a write that preceded them.
  it('answers each query correctly, after every write, on every gateway', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `${unique('crowd')}_${index}`.replaceAll('-', '_'));
    for (const [turn, name] of names.entries()) {
      const { agentId } = await join(org.key, { endpoint_url, capabilities: [{ name, weight: 3 }] });
      const answers = await Promise.all(
        names.flatMap((wanted) =>
          gateways.map(async (gateway) => {
            const { list } = await post('/match', { required_capabilities: [wanted] }, {}, gateway);
            const exact = list.filter((agent) =>
              (agent['match_reasons'] as Body[]).some((reason) => reason['how'] === 'exact'),
            );
            return [wanted, exact.length];
          }),
        ),
      );
      expect(answers).toEqual(names.flatMap((wanted, index) => gateways.map(() => [wanted, index <= turn ? 1 : 0])));
      expect((await post('/match', { required_capabilities: [name], limit: 1 })).list[0]?.['agent_id']).toBe(agentId);
    }
  });
});
