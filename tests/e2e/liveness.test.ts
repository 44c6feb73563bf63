/** Bug: what an agent's liveness says differs from the calls that were made, between routes, or between then and now. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Answer,
  call,
  createOrg,
  get,
  join,
  type Member,
  type Org,
  post,
  profile,
  verify,
} from '../support/ask.ts';
import { type RecordingAgent, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import { type Body, textMessage, unique } from '../support/registry.ts';

let endpoint: RecordingAgent;
let answers: boolean;
let org: Org;
let buyer: Member;
let newcomer: Member;
beforeAll(async () => {
  endpoint = await startRecordingAgent((request, response, raw) => {
    if (answers) return respondJson(500, { sorry: true })(request, response, raw);
    response.destroy();
  });
  org = await createOrg();
  buyer = await join(org.key);
  newcomer = await join();
});
afterAll(() => endpoint.stop());

const livenessOf = ({ body }: Answer): Body | null => body['liveness'] as Body | null;
const calls = async (caller: Member, agentId: string, outcomes: string): Promise<void> => {
  for (const outcome of outcomes) {
    answers = outcome === 'a';
    expect((await call(caller, agentId, textMessage('hello'))).status).toBe(answers ? 200 : 502);
  }
};

it('shows beside the score how an agent answers, finds those that do, and remembers how it was', async () => {
  const capability = unique('alive').replaceAll('-', '_');
  const { agentId } = await join((await createOrg()).key, { endpoint_url: endpoint.url, capabilities: [capability] });
  const found = async (filters: object): Promise<unknown[]> =>
    (await post('/match', { required_capabilities: [capability], ...filters })).list.map((agent) => agent['agent_id']);

  expect(livenessOf(await verify(agentId))).toBeNull();
  expect([await found({ live: true }), await found({ live: false })]).toEqual([[], [agentId]]);

  await calls(buyer, agentId, 'a');
  await calls(newcomer, agentId, 'a');
  const alive = await verify(agentId);
  expect(livenessOf(alive)).toEqual({
    live: true,
    last_answered_at: (await profile(agentId)).body['last_transaction_at'],
    success_rate: 1,
    p50_answer_ms: expect.any(Number) as number,
    p95_answer_ms: expect.any(Number) as number,
    timeout_share: 0,
    caller_organisations: 1,
    exchanges: 2,
  });
  expect(await found({ live: true })).toEqual([agentId]);
  expect((await post('/match', { live: true, limit: 200 })).status).toBe(200);
  const explained = await get(`/agent/${agentId}/trust`);
  const { position } = explained.body['as_of'] as { position: string };

  await calls(buyer, agentId, 'fff');
  const dead = livenessOf(await verify(agentId));
  expect(dead).toMatchObject({ live: false, success_rate: 0.4, exchanges: 5 });
  expect(dead?.['last_answered_at']).toBe(livenessOf(alive)?.['last_answered_at']);
  expect(await found({ live: true })).toEqual([]);
  expect(await found({})).toEqual([agentId]);
  expect((await verify(agentId)).body['trust_score']).toBe(alive.body['trust_score']);

  for (const path of [`/agent/${agentId}`, `/agent/${agentId}/trust`]) {
    expect(livenessOf(await get(path))).toEqual(dead);
    expect(livenessOf(await get(`${path}?as_of=${position}`))).toEqual(livenessOf(alive));
  }
  expect(livenessOf(explained)).toEqual(livenessOf(alive));

  await calls(buyer, agentId, 'a');
  expect(livenessOf(await verify(agentId))).toMatchObject({ live: true, success_rate: 0.5, exchanges: 6 });
  expect(await found({ live: true })).toEqual([agentId]);
});

it('counts no call in a sandbox', async () => {
  const draft = await join(org.sandboxKey, { endpoint_url: endpoint.url });
  const tester = await join(org.sandboxKey);
  await calls(tester, draft.agentId, 'a');
  const seen = await get(`/agent/${draft.agentId}`, org.sandboxKey);
  expect([seen.status, livenessOf(seen)]).toEqual([200, null]);
});

it.each([{ live: 'yes' }, { live: false }, { live: null }])('%j is no filter', async (filters) => {
  expect((await post('/match', filters)).status).toBe(422);
});
