import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  ask,
  type Body,
  call,
  createOrg,
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
import { textMessage, unique } from '../support/registry.ts';

let endpoint: RecordingAgent;
let org: Org;
let rival: Org;
/** A trusted agent of another organisation, in production. */
let partner: Member;

beforeAll(async () => {
  endpoint = await startRecordingAgent();
  org = await createOrg();
  rival = await createOrg();
  partner = await join(rival.key, { endpoint_url: endpoint.url });
  return () => endpoint.stop();
});

const publish = (agentId: string, headers: HeaderMap = org.sandboxKey): Promise<Answer> =>
  post('/sandbox/publish', { agent_id: agentId }, headers);
const withdraw = (agentId: string, headers: HeaderMap = org.sandboxKey): Promise<Answer> =>
  post('/sandbox/withdraw', { agent_id: agentId }, headers);
const reachable = (): Body => ({ endpoint_url: endpoint.url });
const reported = ({ status, body }: Answer): [number, unknown] => [status, body['code']];
const isListed = async ({ agentId }: Member, headers: HeaderMap = {}): Promise<boolean[]> => {
  const rail = { settlement_rail: agentId };
  const matched = await post('/match', rail, headers);
  const owned = await ask('GET', '/org/agents', { headers, owner: true });
  const has = ({ list }: Answer) => list.some((agent) => agent['agent_id'] === agentId);
  return [(await verify(agentId, headers)).status === 200, has(matched), has(owned)];
};
const joinWithRail = (key: HeaderMap): Promise<Member> => {
  const agentId = unique('mover');
  return join(key, { agent_id: agentId, ...reachable(), settlement_rail: [agentId] });
};

describe('publish', () => {
  it('moves a sandbox agent into production, unchanged, and out of the sandbox', async () => {
    const draft = await joinWithRail(org.sandboxKey);
    const answer = await publish(draft.agentId);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        agent_id: draft.agentId,
        moved_to: 'production',
        discoverable: true,
        trust_score: 75,
        transaction_count: 0,
        moved_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u) as unknown,
      },
    ]);
    expect(await isListed(draft, org.key)).toEqual([true, true, true]);
    expect(await isListed(draft)).toEqual([true, true, false]);
    expect(await isListed(draft, org.sandboxKey)).toEqual([false, false, false]);
    expect((await verify(draft.agentId)).body).toMatchObject({ verified: true, flags: ['no_transactions'] });
    // The agent keeps its key, which now acts in production.
    expect((await call(draft, partner.agentId, textMessage('x'))).status).toBe(200);
  });

  it('warns that an agent without an endpoint cannot be discovered', async () => {
    const draft = await join(org.sandboxKey);
    expect((await publish(draft.agentId)).body).toMatchObject({ moved_to: 'production', discoverable: false });
    expect((await verify(draft.agentId)).body['flags']).toContain('no_endpoint');
  });

  it('transfers nothing that was earned in the sandbox', async () => {
    const [draft, caller] = [await joinWithRail(org.sandboxKey), await join(org.sandboxKey)];
    for (const score of [10, 10, 1]) {
      await call(caller, draft.agentId, textMessage('x'));
      expect((await review(caller, draft.agentId, { score })).status).toBe(200);
    }
    expect((await publish(draft.agentId)).body).toMatchObject({ trust_score: 75, transaction_count: 0 });
    const seen = await profile(draft.agentId);
    expect(seen.body).toMatchObject({ trust_score: 75, success_rate: null, ratings_received: [] });
  });
});

describe('withdraw', () => {
  it('moves a live agent out of production with its reputation, and publish brings it back', async () => {
    const live = await joinWithRail(org.key);
    await call(partner, live.agentId, textMessage('x'));
    expect((await review(partner, live.agentId, { score: 10 })).status).toBe(200);
    const before = (await profile(live.agentId)).body;
    expect([before['transaction_count'], before['success_rate']]).toEqual([1, 1]);
    expect(before['trust_score']).toBeGreaterThan(75);

    const answer = await withdraw(live.agentId);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { moved_to: 'sandbox', discoverable: false, trust_score: before['trust_score'], transaction_count: 1 },
    ]);
    expect(await isListed(live, org.key)).toEqual([false, false, false]);
    expect(await isListed(live, rival.sandboxKey)).toEqual([false, false, false]);
    expect(await isListed(live, org.sandboxKey)).toEqual([true, true, true]);
    const inside = (await profile(live.agentId, org.sandboxKey)).body;
    expect(inside).toEqual({ ...before, flags: ['sandbox'] });

    expect((await publish(live.agentId)).body).toMatchObject({ trust_score: before['trust_score'] });
    expect((await profile(live.agentId)).body).toEqual(before);
  });

  it('leaves the agent visible to its sandbox key, and limits its calls to its sandbox', async () => {
    const live = await joinWithRail(org.key);
    await withdraw(live.agentId);
    const rename = (headers: HeaderMap) => post('/update', { agent_id: live.agentId, specialty: 'x' }, headers);
    expect(reported(await rename(org.key))).toEqual([403, 'wrong_universe']);
    expect(reported(await rename(rival.key))).toEqual([404, 'agent_not_found']);
    expect([(await rename(org.sandboxKey)).status, (await rename(live.auth)).status]).toEqual([200, 200]);
    expect(reported(await call(live, partner.agentId, textMessage('x')))).toEqual([404, 'agent_not_found']);
    expect(reported(await call(partner, live.agentId, textMessage('x')))).toEqual([404, 'agent_not_found']);
    const neighbour = await join(org.sandboxKey, reachable());
    expect((await call(live, neighbour.agentId, textMessage('x'))).status).toBe(200);
  });
});

describe('publish and withdraw', () => {
  it.each([
    ['publish', publish],
    ['withdraw', withdraw],
  ])('need the sandbox key of the organisation: %s', async (_, move) => {
    const { agentId, auth } = await joinWithRail(org.sandboxKey);
    for (const headers of [{}, auth, adminToken]) {
      expect(reported(await move(agentId, headers))).toEqual([401, 'credential_required']);
    }
    expect(reported(await move(agentId, { 'x-api-key': 'registry-org-sk-none' }))).toEqual([401, 'invalid_api_key']);
    expect(reported(await move(agentId, org.key))).toEqual([403, 'sandbox_key_required']);
    expect(reported(await move(unique('nobody'), org.key))).toEqual([403, 'sandbox_key_required']);
    expect(reported(await move(agentId, rival.sandboxKey))).toEqual([404, 'agent_not_found']);
    for (const other of [partner.agentId, (await join()).agentId, unique('nobody')]) {
      expect(reported(await move(other))).toEqual([404, 'agent_not_found']);
    }
    expect((await move('x'.repeat(129), {})).status).toBe(422);
  });

  it('refuse an agent that is already there', async () => {
    const [live, draft] = [await joinWithRail(org.key), await joinWithRail(org.sandboxKey)];
    expect(reported(await publish(live.agentId))).toEqual([409, 'already_in_universe']);
    expect(reported(await withdraw(draft.agentId))).toEqual([409, 'already_in_universe']);
  });

  it('refuse both agents of a pair', async () => {
    const live = await joinWithRail(org.key);
    const clone = await join(org.sandboxKey, { clone_from_agent_id: live.agentId });
    const answers = [await withdraw(live.agentId), await publish(clone.agentId), await publish(live.agentId)];
    expect(answers.map(reported)).toEqual(Array(3).fill([409, 'clone_paired']));
    expect((await verify(live.agentId)).status).toBe(200);
    expect((await verify(clone.agentId, org.sandboxKey)).status).toBe(200);
  });

  it('succeed once if requested many times at once', async () => {
    const { agentId } = await joinWithRail(org.sandboxKey);
    const answers = await Promise.all(Array.from({ length: 10 }, () => publish(agentId)));
    const won = answers.filter(({ status }) => status === 200);
    const lost = answers.filter(({ status }) => status !== 200).map(reported);
    expect(won).toHaveLength(1);
    expect(lost.filter(([status, code]) => status !== 503 && code !== 'already_in_universe')).toEqual([]);
  });
});

describe('an exchange during which an agent moves', () => {
  it('belongs to the universe in which it began: a sandbox call never counts in production', async () => {
    const [received, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = await startRecordingAgent(async (request, response, raw) => {
      received.resolve();
      await done.promise;
      await respondJson(200, { ok: true })(request, response, raw);
    });
    const receiver = await join(org.sandboxKey, { endpoint_url: slow.url });
    const caller = await join(org.sandboxKey);
    const calling = call(caller, receiver.agentId, textMessage('x'));
    await received.promise;
    for (const { agentId } of [receiver, caller]) expect((await publish(agentId)).status).toBe(200);
    done.resolve();
    const { status, body } = await calling;
    expect(status).toBe(200);

    const transaction_id = body['transaction_id'];
    for (const named of [{}, { transaction_id }]) {
      // Agents of one organisation cannot review each other in production anyway, but another check refuses them first.
      expect((await review(caller, receiver.agentId, named)).status).toBeGreaterThanOrEqual(400);
    }
    const after = (await profile(receiver.agentId)).body;
    expect(after).toMatchObject({ trust_score: 75, transaction_count: 0, success_rate: null, ratings_received: [] });
    for (const { agentId } of [receiver, caller]) await withdraw(agentId);
    expect((await review(caller, receiver.agentId, { transaction_id })).body).toMatchObject({ transaction_count: 0 });
    expect((await publish(receiver.agentId)).body).toMatchObject({ trust_score: 75, transaction_count: 0 });
    await slow.stop();
  });

  it("that began in production can be reviewed in production only, after the agent's return", async () => {
    const live = await joinWithRail(org.key);
    expect((await call(partner, live.agentId, textMessage('x'))).status).toBe(200);
    await withdraw(live.agentId);
    expect(reported(await review(partner, live.agentId))).toEqual([404, 'agent_not_found']);
    await publish(live.agentId);
    expect((await review(partner, live.agentId)).body).toMatchObject({ transaction_count: 1, success_rate: 1 });
  });
});
