import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  call,
  createOrg,
  get,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
  profile,
  review,
  verify,
} from '../support/ask.ts';
import { type RecordingAgent, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import { pagesOf } from '../support/registry-pages.ts';
import { textMessage, unique } from '../support/registry.ts';

let endpoint: RecordingAgent;
let org: Org;
let rival: Org;
/** A sandbox agent and a production agent of one organisation, with a unique capability. */
let draft: Member;
let live: Member;
const capability = unique('capability').replaceAll('-', '_');

beforeAll(async () => {
  endpoint = await startRecordingAgent();
  org = await createOrg();
  rival = await createOrg();
  const fields = { endpoint_url: endpoint.url, capabilities: [capability], settlement_rail: [capability] };
  draft = await join(org.sandboxKey, fields);
  live = await join(org.key, fields);
  return () => endpoint.stop();
});

const ids = ({ list }: Answer): unknown[] => list.map((agent) => agent['agent_id']);
const everyone = async (headers: HeaderMap): Promise<unknown[]> =>
  (await pagesOf((page) => get(page, headers), '/registry', 200)).flatMap(ids);

describe('a sandbox agent', () => {
  it("is visible with its organisation's sandbox key on every read route", async () => {
    expect((await verify(draft.agentId, org.sandboxKey)).body).toMatchObject({ agent_id: draft.agentId });
    expect((await profile(draft.agentId, org.sandboxKey)).body).toMatchObject({ agent_id: draft.agentId });
    expect(ids(await post('/match', { required_capabilities: [capability] }, org.sandboxKey))).toEqual([draft.agentId]);
    expect(await everyone(org.sandboxKey)).toEqual([draft.agentId]);
  });

  it('is invisible to production, to production keys and to other sandboxes', async () => {
    for (const headers of [{}, org.key, rival.key, rival.sandboxKey]) {
      const verdict = await verify(draft.agentId, headers);
      expect([verdict.status, verdict.body['flags'], verdict.body['recommended_action']]).toEqual([
        404,
        ['unregistered'],
        'block',
      ]);
      expect((await profile(draft.agentId, headers)).status).toBe(404);
      for (const filter of [
        { required_capabilities: [capability] },
        { settlement_rail: capability },
        { org_name: org.name },
      ])
        expect(ids(await post('/match', filter, headers))).not.toContain(draft.agentId);
      expect(await everyone(headers)).not.toContain(draft.agentId);
    }
  });

  it('is answered for exactly as an unregistered agent', async () => {
    // The answers differ in the id that was asked for, and in nothing else.
    const bare = async (agentId: string): Promise<unknown> => {
      const { status, body } = await verify(agentId);
      return JSON.parse(JSON.stringify({ status, ...body, request_id: '' }).replaceAll(agentId, 'ID'));
    };
    expect(await bare(draft.agentId)).toEqual(await bare('nobody at all'));
  });
});

it("a production agent is invisible from a sandbox, even from its organisation's", async () => {
  for (const headers of [org.sandboxKey, rival.sandboxKey]) {
    expect((await verify(live.agentId, headers)).status).toBe(404);
    expect((await profile(live.agentId, headers)).status).toBe(404);
    expect(ids(await post('/match', { required_capabilities: [capability] }, headers))).not.toContain(live.agentId);
    expect(await everyone(headers)).not.toContain(live.agentId);
  }
  for (const headers of [{}, org.key, rival.key]) expect((await verify(live.agentId, headers)).status).toBe(200);
});

it('an invalid key is 401 on every read route, never ignored', async () => {
  for (const key of ['x', '', `registry-org-sandbox-sk-${'B'.repeat(43)}`, String(live.auth['authorization'])]) {
    const headers = { 'x-api-key': key };
    const answers = [
      await verify(live.agentId, headers),
      await profile(live.agentId, headers),
      await get('/registry', headers),
      await post('/match', { org_name: org.name }, headers),
    ];
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual(Array(4).fill([401, 'invalid_api_key']));
  }
});

describe('calls and reviews stay inside one universe', () => {
  it('a target in another universe is 404, for every caller', async () => {
    const before = endpoint.requests();
    const foreign = await join(rival.sandboxKey, { endpoint_url: endpoint.url });
    for (const [from, to] of [
      [live, draft],
      [draft, live],
      [draft, foreign],
      [foreign, draft],
    ] as const) {
      expect((await call(from, to.agentId, textMessage('x'))).body['code']).toBe('agent_not_found');
      expect((await review(from, to.agentId)).body['code']).toBe('agent_not_found');
    }
    expect(endpoint.requests()).toBe(before);
  });

  it("a fallback comes from the caller's universe only", async () => {
    const failing = await startRecordingAgent(respondJson(500, {}));
    const shared = unique('shared').replaceAll('-', '_');
    const fields = { capabilities: [shared], endpoint_url: endpoint.url };
    await join(org.key, fields);
    await join(rival.sandboxKey, fields);
    const caller = await join(org.sandboxKey);
    const broken = await join(org.sandboxKey, { ...fields, endpoint_url: failing.url });
    expect((await call(caller, broken.agentId, textMessage('x'))).body['fallback_suggestion']).toBe(null);
    const other = await join(org.sandboxKey, fields);
    expect((await call(caller, broken.agentId, textMessage('x'))).body['fallback_suggestion']).toBe(other.agentId);
    await failing.stop();
  });

  it('sandbox calls and reviews are recorded and visible there, and change no score, count or rate', async () => {
    const [one, other] = [await join(org.sandboxKey), await join(org.sandboxKey, { endpoint_url: endpoint.url })];
    const before = (await verify(other.agentId, org.sandboxKey)).body;
    for (const score of [1, 1, 10]) {
      expect((await call(one, other.agentId, textMessage('x'))).status).toBe(200);
      const reviewed = await review(one, other.agentId, { score, success: score > 5 });
      expect(reviewed.status).toBe(200);
      expect(reviewed.body).toMatchObject({ trust_score: 75, transaction_count: 0, success_rate: null });
    }
    const after = (await verify(other.agentId, org.sandboxKey)).body;
    expect({ ...after, last_active: '' }).toEqual({ ...before, last_active: '' });
    const shown = (await profile(other.agentId, org.sandboxKey)).body;
    expect((shown['ratings_received'] as { score: number }[]).map(({ score }) => score)).toEqual([10, 1, 1]);
  });
});
