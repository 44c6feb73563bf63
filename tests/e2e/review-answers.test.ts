/**
 * Bug: an answer to a review is given twice, or by somebody who does not own the reviewed agent; a gateway goes on showing the review without it,
 * or the answer after it was erased, from its memory or for a past moment; the text is stored in clear. Method: every gateway has shown the
 * profile before, and is asked many times at the first moment after each acknowledgement.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  type Body,
  call,
  createOrg,
  gateways,
  get,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
  review,
  stack,
} from '../support/ask.ts';
import { callTool, mcpClient, mcpGateways } from '../support/mcp-clients.ts';
import { type RecordingAgent, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';
import { findSecrets } from '../support/secrets-at-rest.ts';
import { served } from '../support/served.ts';

let endpoint: RecordingAgent;
let org: Org;
let caller: Member;
beforeAll(async () => {
  endpoint = await startRecordingAgent(respondJson(200, { ok: true }));
  org = await createOrg();
  const callers = await createOrg();
  caller = await join(callers.key, { org_domain: `${unique('d')}.example`, endpoint_url: endpoint.url });
});
afterAll(() => endpoint.stop());

const newAgent = (credential: HeaderMap = org.key): Promise<Member> => join(credential, { endpoint_url: endpoint.url });
const said = (): string => `We have refunded it, ref. ${randomUUID()} ☎`;
/** A call of the agent with a review of it. */
const reviewed = async ({ agentId }: Member, by = caller): Promise<string> => {
  const called = await call(by, agentId, textMessage('hello'));
  const transaction_id = String(called.body['transaction_id']);
  expect((await review(by, agentId, { transaction_id, success: false, score: 2 })).status).toBe(200);
  return transaction_id;
};
const answer = (agentId: string, transaction_id: string, text: string, headers: HeaderMap): Promise<Answer> =>
  post('/review/answer', { agent_id: agentId, transaction_id, text }, headers);
const outcome = ({ status, body }: Answer): string => (status === 200 ? 'ok' : `${status} ${String(body['code'])}`);
const ratingsOf = ({ body }: Answer): Body[] => body['ratings_received'] as Body[];
const answersIn = (shown: Answer): unknown[] => ratingsOf(shown).map((rating) => rating['answer']);
/** The answers in the profile, as every gateway shows it; one entry if all are alike. */
const answersEverywhere = async ({ agentId }: Member): Promise<unknown[]> => {
  const path = `/agent/${agentId}`;
  const asked = gateways.flatMap((gateway) => Array.from({ length: 6 }, () => get(path, {}, gateway)));
  return [...new Set((await Promise.all(asked)).map((shown) => JSON.stringify(answersIn(shown))))].map(
    (text) => JSON.parse(text) as unknown,
  );
};
const positionNow = async ({ agentId }: Member): Promise<string> =>
  String(((await get(`/agent/${agentId}/trust`)).body['as_of'] as Body)['position']);
const asOf = ({ agentId }: Member, position: string): Promise<Answer> => get(`/agent/${agentId}?as_of=${position}`);

describe('an answer to a review', () => {
  it('is shown beside it at once, by every gateway, and for every moment since', async () => {
    const agent = await newAgent();
    const transactionId = await reviewed(agent);
    expect(await answersEverywhere(agent)).toEqual([[null]]);
    const bare = await get(`/agent/${agent.agentId}`);
    expect(Object.keys(ratingsOf(bare)[0] ?? {})).not.toContain('answer');
    const before = await positionNow(agent);
    const text = said();

    const answered = await answer(agent.agentId, transactionId, text, agent.auth);
    expect(answered.body).toEqual({
      agent_id: agent.agentId,
      transaction_id: transactionId,
      status: 'answered',
      answered_at: expect.any(String) as string,
    });
    const shown = { text, answered_at: answered.body['answered_at'] };
    expect(await answersEverywhere(agent)).toEqual([[shown]]);
    const own = await get(`/org/agents/${agent.agentId}`, org.key);
    expect(answersIn(own)).toEqual([shown]);
    expect(answersIn(await asOf(agent, await positionNow(agent)))).toEqual([shown]);
    expect((await asOf(agent, before)).text).not.toContain('"answer"');
    // Apart from the answer, the profile is as it was: an answer is no activity and changes no score.
    const { ratings_received: ratings, ...after } = (await get(`/agent/${agent.agentId}`)).body;
    const { ratings_received: ratingsBefore, ...then } = bare.body;
    expect(after).toEqual(then);
    expect(ratings).toEqual((ratingsBefore as Body[]).map((rating) => ({ ...rating, answer: shown })));
    expect(await findSecrets(stack, [text])).toEqual([]);
  });

  it('is given once, of several at once by one, and again only under its Idempotency-Key', async () => {
    const agent = await newAgent();
    const transactionId = await reviewed(agent);
    const key = { 'idempotency-key': randomUUID() };
    const text = said();
    const first = await answer(agent.agentId, transactionId, text, { ...org.key, ...key });
    expect(outcome(first)).toBe('ok');
    expect((await answer(agent.agentId, transactionId, text, { ...org.key, ...key })).text).toBe(first.text);
    expect(outcome(await answer(agent.agentId, transactionId, 'Another.', { ...org.key, ...key }))).toBe(
      '422 idempotency_key_reused',
    );
    for (const credential of [agent.auth, org.key, adminToken])
      expect(outcome(await answer(agent.agentId, transactionId, 'Another.', credential))).toBe('409 already_answered');
    const second = await reviewed(agent);
    const racing = await Promise.all(
      gateways.flatMap((gateway) =>
        Array.from({ length: 4 }, (_, n) =>
          served(() =>
            post(
              '/review/answer',
              { agent_id: agent.agentId, transaction_id: second, text: `number ${n}` },
              agent.auth,
              gateway,
            ),
          ),
        ),
      ),
    );
    expect(racing.map(outcome).toSorted()).toEqual([
      ...Array<string>(racing.length - 1).fill('409 already_answered'),
      'ok',
    ]);
    expect(await findSecrets(stack, [text])).toEqual([]);
  });

  it('is for the agent itself, its organisation and the operator', async () => {
    const agent = await newAgent();
    for (const credential of [agent.auth, org.key, adminToken])
      expect(outcome(await answer(agent.agentId, await reviewed(agent), said(), credential))).toBe('ok');
    const independent = await newAgent({});
    const theirs = await reviewed(independent);
    expect(outcome(await answer(independent.agentId, theirs, said(), independent.auth))).toBe('ok');
  });

  it('is for nobody else, and nobody else learns of the review', async () => {
    const [agent, colleague] = [await newAgent(), await newAgent()];
    const transactionId = await reviewed(agent);
    const other = await createOrg();
    const id = agent.agentId;
    expect(outcome(await answer(id, transactionId, 'x', {}))).toBe('401 credential_required');
    expect(outcome(await answer(id, transactionId, 'x', caller.auth))).toBe('403 not_owner');
    expect(outcome(await answer(id, transactionId, 'x', other.key))).toBe('403 not_owner');
    expect(outcome(await answer(id, transactionId, 'x', org.sandboxKey))).toBe('403 wrong_universe');
    const none = await answer(caller.agentId, randomUUID(), 'x', caller.auth);
    for (const [who, exchange] of [
      [caller, transactionId],
      [colleague, transactionId],
      [agent, randomUUID()],
      [agent, String((await call(caller, id, textMessage('not reviewed'))).body['transaction_id'])],
    ] as const)
      expect(outcome(await answer(who.agentId, exchange, 'x', who.auth))).toBe(outcome(none));
    expect(outcome(none)).toBe('404 review_not_found');
    expect(answersIn(await get(`/agent/${id}`))).toEqual([undefined]);
  });

  it('has 1 to 500 characters in one line, something of it to be seen', async () => {
    const agent = await newAgent();
    const transactionId = await reviewed(agent);
    const refused = ['', ' ', '\u200b', 'x'.repeat(501), 'two\nlines', 'a\u202eb', 'bell \u0007', 7, null];
    for (const text of refused) {
      const body = { agent_id: agent.agentId, transaction_id: transactionId, text };
      expect([text, (await post('/review/answer', body, agent.auth)).status]).toEqual([text, 422]);
    }
    const text = `${'𝒳'.repeat(496)} 👩‍🔧`.slice(0, 998);
    expect(outcome(await answer(agent.agentId, transactionId, text, agent.auth))).toBe('ok');
    expect(answersIn(await get(`/agent/${agent.agentId}`))).toEqual([
      { text, answered_at: expect.any(String) as string },
    ]);
  });

  it('in a sandbox is shown there', async () => {
    const [agent, tester] = [await newAgent(org.sandboxKey), await newAgent(org.sandboxKey)];
    // A sandbox review needs the trust that an agent of an organisation has.
    const transactionId = await reviewed(agent, tester);
    const text = said();
    expect(outcome(await answer(agent.agentId, transactionId, text, org.key))).toBe('403 wrong_universe');
    expect(outcome(await answer(agent.agentId, transactionId, text, org.sandboxKey))).toBe('ok');
    const shown = [{ text, answered_at: expect.any(String) as string }];
    expect(answersIn(await get(`/agent/${agent.agentId}`, org.sandboxKey))).toEqual(shown);
    expect((await get(`/agent/${agent.agentId}`)).status).toBe(404);
    // What happened in the sandbox stays there.
    expect((await post('/sandbox/publish', { agent_id: agent.agentId }, org.sandboxKey)).status).toBe(200);
    expect(answersIn(await get(`/agent/${agent.agentId}`))).toEqual([]);
    expect(outcome(await answer(agent.agentId, transactionId, text, org.key))).toBe('404 review_not_found');
  });

  it('is not given for a blocked agent, and stays beside the review of one', async () => {
    const [suspended, retired] = [await newAgent(), await newAgent()];
    const exchanges = [await reviewed(suspended), await reviewed(retired)] as const;
    const more = await reviewed(suspended);
    const text = said();
    expect(outcome(await answer(suspended.agentId, more, text, org.key))).toBe('ok');
    const suspend = `/ops/agents/${suspended.agentId}/suspend`;
    expect((await post(suspend, { reason: 'a test' }, adminToken)).status).toBe(200);
    expect((await post('/retire', { agent_id: retired.agentId }, org.key)).status).toBe(200);
    for (const credential of [suspended.auth, org.key, adminToken])
      expect(outcome(await answer(suspended.agentId, exchanges[0], 'x', credential))).toBe('403 agent_suspended');
    for (const credential of [retired.auth, org.key])
      expect(outcome(await answer(retired.agentId, exchanges[1], 'x', credential))).toBe('403 agent_retired');
    expect(JSON.stringify(answersIn(await get(`/agent/${suspended.agentId}`)))).toContain(text);
  });

  it('is an event of both parties, which shows when and not what', async () => {
    const callers = await createOrg();
    const buyer = await join(callers.key, { org_domain: `${unique('d')}.example` });
    const agent = await newAgent();
    const transactionId = await reviewed(agent, buyer);
    const text = said();
    expect(outcome(await answer(agent.agentId, transactionId, text, org.key))).toBe('ok');
    for (const [{ agentId }, key, actorId] of [
      [agent, org.key, org.name],
      [buyer, callers.key, null],
    ] as const) {
      const events = await get(`/org/agents/${agentId}/events?type=ReviewAnswered`, key);
      expect(events.list).toHaveLength(1);
      expect(events.list[0]).toMatchObject({
        actor: { kind: 'organisation', id: actorId },
        data: {
          transaction_id: transactionId,
          receiver_agent_id: agent.agentId,
          answered_at: expect.any(String) as string,
        },
      });
      expect(events.text).not.toMatch(/sealed|keyId|refunded/u);
    }
    const exported = await get(`/ops/events?agent_id=${agent.agentId}&type=ReviewAnswered`, adminToken);
    expect(exported.list[0]?.['data']).toMatchObject({
      answer: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) as string },
    });
  });

  it('is a tool', async () => {
    const agent = await newAgent();
    const transaction_id = await reviewed(agent);
    const session = await mcpClient(agent.auth, 'SSE', mcpGateways[1]);
    const text = said();
    const given = await callTool(session, 'answer_review', { agent_id: agent.agentId, transaction_id, text });
    expect([given.isError, given.body['status']]).toEqual([false, 'answered']);
    const seen = await callTool(session, 'get_agent', { agent_id: agent.agentId });
    expect(JSON.stringify(seen.body)).toContain(text);
    const again = await callTool(session, 'answer_review', { agent_id: agent.agentId, transaction_id, text });
    expect([again.isError, again.body['code']]).toEqual([true, 'already_answered']);
    await session.end();
  });
});

it('an erasure removes what an agent has answered from every answer, also of the past, and nothing else', async () => {
  const agent = await newAgent();
  const [first, second] = [await reviewed(agent), await reviewed(agent)];
  const text = said();
  expect(outcome(await answer(agent.agentId, first, text, agent.auth))).toBe('ok');
  const then = await positionNow(agent);
  const given = { text, answered_at: expect.any(String) as string };
  expect(await answersEverywhere(agent)).toEqual([[null, given]]);
  expect(answersIn(await asOf(agent, then))).toEqual([undefined, given]);

  const erased = await post(`/ops/agents/${agent.agentId}/erase`, undefined, adminToken);
  expect(erased.body).toMatchObject({ status: 'erased', erased_at: expect.any(String) as string });
  const gone = { text: null, answered_at: expect.any(String) as string };
  expect(await answersEverywhere(agent)).toEqual([[null, gone]]);
  expect(answersIn(await asOf(agent, then))).toEqual([undefined, gone]);
  expect(answersIn(await get(`/org/agents/${agent.agentId}`, org.key))).toEqual([undefined, gone]);
  // The review is answered for good; another may be, with a key of its own.
  expect(outcome(await answer(agent.agentId, first, 'Again.', agent.auth))).toBe('409 already_answered');
  expect(outcome(await answer(agent.agentId, second, 'It is mended.', agent.auth))).toBe('ok');
  expect(await answersEverywhere(agent)).toEqual([
    [{ text: 'It is mended.', answered_at: expect.any(String) as string }, gone],
  ]);
  expect(await findSecrets(stack, [text])).toEqual([]);
});
