import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  call,
  createOrg,
  faultLocations,
  join,
  type Member,
  type Org,
  post,
  profile,
  review,
  verify,
} from '../support/ask.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';
import { served } from '../support/served.ts';

let endpoint: RecordingAgent;
let org: Org;
let caller: Member;
beforeAll(async () => {
  endpoint = await startRecordingAgent();
  org = await createOrg();
  caller = await join(org.key, { org_domain: `${unique('d')}.example` });
  return () => endpoint.stop();
});

const receiverOf = (credential = {}, fields = {}): Promise<Member> =>
  join(credential, { endpoint_url: endpoint.url, capabilities: ['price_quote'], ...fields });
const exchange = async (from: Member, to: Member): Promise<string> => {
  const { status, body } = await call(from, to.agentId, textMessage('hello'));
  expect(status).toBe(200);
  return String(body['transaction_id']);
};
const refusal = ({ status, body }: Answer): unknown[] => [status, body['code']];

describe('a review', () => {
  it('returns the trust object of the receiver, with the new score', async () => {
    const receiver = await receiverOf();
    const transaction_id = await exchange(caller, receiver);
    const reviewed = await review(caller, receiver.agentId, { transaction_id, score: 10 });
    expect(reviewed.status).toBe(200);
    expect(reviewed.body).toMatchObject({
      agent_id: receiver.agentId,
      trust_policy: 'v1',
      success_rate: 1,
      transaction_count: 1,
    });
    // K = 5 at 40 and one review of weight 0.75 and value 1.
    expect(reviewed.body['trust_score']).toBe(Math.floor((5 * 40 + 75) / 5.75 + 0.5));
    expect((await verify(receiver.agentId)).body).toEqual(reviewed.body);
    const { body } = await profile(receiver.agentId);
    expect(body['ratings_received']).toEqual([
      {
        transaction_id,
        caller_agent_id: caller.agentId,
        caller_org_domain: (await verify(caller.agentId)).body['org_domain'],
        success: true,
        score: 10,
        reviewed_at: expect.stringMatching(/Z$/u) as string,
      },
    ]);
  });

  it('without a transaction_id applies to the most recent unreviewed exchange, one after the other', async () => {
    const receiver = await receiverOf();
    const made = [await exchange(caller, receiver), await exchange(caller, receiver), await exchange(caller, receiver)];
    for (const score of [1, 2, 3])
      expect((await review(caller, receiver.agentId, { score, transaction_id: null })).status).toBe(200);
    expect(refusal(await review(caller, receiver.agentId))).toEqual([409, 'no_unreviewed_exchange']);
    const ratings = (await profile(receiver.agentId)).body['ratings_received'] as {
      transaction_id: string;
      score: number;
    }[];
    expect(ratings.map(({ transaction_id, score }) => [transaction_id, score])).toEqual([
      [made[0], 3],
      [made[1], 2],
      [made[2], 1],
    ]);
  });

  it('success_rate is the share of successful reviews', async () => {
    const receiver = await receiverOf();
    for (const success of [true, false, true, true]) {
      await exchange(caller, receiver);
      await review(caller, receiver.agentId, { success, score: success ? 8 : 2 });
    }
    expect((await verify(receiver.agentId)).body).toMatchObject({ success_rate: 0.75, transaction_count: 4 });
  });

  it('a failed call is an exchange: it can be reviewed and does not count as a transaction', async () => {
    const gone = await startRecordingAgent();
    const receiver = await join({}, { endpoint_url: gone.url });
    await gone.stop();
    const failed = await call(caller, receiver.agentId, textMessage('hello'));
    expect([failed.status, failed.body['code']]).toEqual([502, 'downstream_failed']);
    const reviewed = await review(caller, receiver.agentId, {
      transaction_id: failed.body['transaction_id'],
      success: false,
      score: 1,
    });
    expect(reviewed.status).toBe(200);
    expect(reviewed.body).toMatchObject({ transaction_count: 0, success_rate: 0 });
  });
});

describe('rule A: the caller needs a trust_score of 50', () => {
  it('an agent at 40 is refused, with an exchange or without', async () => {
    const independent = await join();
    const receiver = await receiverOf();
    expect(refusal(await review(independent, receiver.agentId))).toEqual([403, 'caller_trust_too_low']);
    await exchange(independent, receiver);
    expect(refusal(await review(independent, receiver.agentId))).toEqual([403, 'caller_trust_too_low']);
  });

  it('an agent without an organisation may review once it has earned 50, and not at 49', async () => {
    const independent = await receiverOf();
    const receiver = await receiverOf();
    await exchange(independent, receiver);
    const scores: number[] = [];
    for (let round = 0; round < 12 && (scores.at(-1) ?? 40) < 50; round += 1) {
      // Each from a different organisation: a single one is capped at a fifth.
      const rater = await join((await createOrg()).key, { org_domain: `${unique('rater')}.example` });
      expect(refusal(await review(independent, receiver.agentId))).toEqual([403, 'caller_trust_too_low']);
      await exchange(rater, independent);
      scores.push(Number((await review(rater, independent.agentId, { score: 10 })).body['trust_score']));
    }
    expect(scores.at(-1)).toBeGreaterThanOrEqual(50);
    expect((await review(independent, receiver.agentId)).status).toBe(200);
  });
});

describe('rule B: agents of one org domain or organisation are blocked', () => {
  it('two agents of one organisation, with or without domains', async () => {
    const colleague = await receiverOf(org.key, { org_domain: `${unique('d')}.example` });
    await exchange(caller, colleague);
    expect(refusal(await review(caller, colleague.agentId))).toEqual([403, 'same_org_domain']);
    const bare = await receiverOf(org.key);
    await exchange(caller, bare);
    expect(refusal(await review(caller, bare.agentId))).toEqual([403, 'same_org_domain']);
  });

  it('two agents of different organisations, or of none, may review each other', async () => {
    const elsewhere = await receiverOf((await createOrg()).key);
    await exchange(caller, elsewhere);
    expect((await review(caller, elsewhere.agentId)).status).toBe(200);
    const [one, other] = [
      await receiverOf(adminToken, { verified: true }),
      await receiverOf(adminToken, { verified: true }),
    ];
    await exchange(one, other);
    expect((await review(one, other.agentId)).status).toBe(200);
  });

  it("inside an organisation's sandbox its agents may review each other", async () => {
    const [one, other] = [await receiverOf(org.sandboxKey), await receiverOf(org.sandboxKey)];
    await exchange(one, other);
    expect((await review(one, other.agentId)).status).toBe(200);
  });
});

describe('rule C: one review for each executed exchange', () => {
  it('a second one of the same exchange is 409, also with another score', async () => {
    const receiver = await receiverOf();
    const transaction_id = await exchange(caller, receiver);
    expect((await review(caller, receiver.agentId, { transaction_id })).status).toBe(200);
    for (const score of [9, 1])
      expect(refusal(await review(caller, receiver.agentId, { transaction_id, score }))).toEqual([
        409,
        'already_reviewed',
      ]);
    expect(((await profile(receiver.agentId)).body['ratings_received'] as unknown[]).length).toBe(1);
  });

  it('without an exchange, with an unknown one, or with one of another pair or direction it is 409', async () => {
    const [receiver, other] = [await receiverOf(), await receiverOf()];
    expect(refusal(await review(caller, receiver.agentId))).toEqual([409, 'no_unreviewed_exchange']);
    const foreign = await exchange(caller, other);
    const rival = await join((await createOrg()).key);
    const rivals = await exchange(rival, receiver);
    for (const transaction_id of ['nothing', foreign, rivals, '\u{10FFFF}', 'a'.repeat(128)])
      expect(refusal(await review(caller, receiver.agentId, { transaction_id }))).toEqual([
        409,
        'no_unreviewed_exchange',
      ]);
    const verified = await receiverOf(adminToken, { verified: true });
    await exchange(caller, verified);
    expect(refusal(await review(verified, caller.agentId))).toEqual([409, 'no_unreviewed_exchange']);
  });

  it('of twenty at once exactly one is accepted, and it counts once', async () => {
    const receiver = await receiverOf();
    const transaction_id = await exchange(caller, receiver);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => served(() => review(caller, receiver.agentId, { transaction_id }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body['code'] === 'already_reviewed')).toHaveLength(19);
    expect(((await profile(receiver.agentId)).body['ratings_received'] as unknown[]).length).toBe(1);
  });

  it('twenty at once without a transaction_id never review more exchanges than there are', async () => {
    const receiver = await receiverOf();
    await exchange(caller, receiver);
    await exchange(caller, receiver);
    const answers = await Promise.all(Array.from({ length: 20 }, () => served(() => review(caller, receiver.agentId))));
    const taken = answers.filter(({ status }) => status === 200).length;
    expect(taken).toBeGreaterThanOrEqual(1);
    expect(taken).toBeLessThanOrEqual(2);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(((await profile(receiver.agentId)).body['ratings_received'] as unknown[]).length).toBe(taken);
  });
});

describe('rule D: no self-review', () => {
  it('is refused with or without an exchange', async () => {
    const self = await receiverOf(org.key);
    expect(refusal(await review(self, self.agentId))).toEqual([403, 'self_review']);
    await exchange(self, self);
    expect(refusal(await review(self, self.agentId))).toEqual([403, 'self_review']);
  });
});

describe('the order of checks', () => {
  const body = (fields: Record<string, unknown> = {}) => ({
    caller_agent_id: caller.agentId,
    receiver_agent_id: 'nobody at all',
    success: true,
    score: 5,
    ...fields,
  });

  it('the shape before the credential, the credential before the receiver, the receiver before the permissions', async () => {
    expect(refusal(await post('/review', body({ score: 11 })))).toEqual([422, 'validation_failed']);
    expect(refusal(await post('/review', body()))).toEqual([401, 'credential_required']);
    expect(refusal(await post('/review', body(), { authorization: 'Bearer x' }))).toEqual([401, 'invalid_credential']);
    expect(refusal(await post('/review', body(), org.key))).toEqual([401, 'credential_required']);
    expect(refusal(await post('/review', body(), adminToken))).toEqual([401, 'invalid_credential']);
    expect(refusal(await post('/review', body({ caller_agent_id: 'somebody' }), caller.auth))).toEqual([
      404,
      'agent_not_found',
    ]);
    const receiver = await receiverOf();
    const mismatch = body({ caller_agent_id: 'somebody', receiver_agent_id: receiver.agentId });
    expect(refusal(await post('/review', mismatch, caller.auth))).toEqual([403, 'caller_mismatch']);
  });

  it.each([
    ['caller_agent_id', undefined],
    ['receiver_agent_id', undefined],
    ['receiver_agent_id', 'a'.repeat(129)],
    ['success', undefined],
    ['success', 'true'],
    ['success', 1],
    ['score', undefined],
    ['score', 0],
    ['score', 11],
    ['score', 5.5],
    ['score', '5'],
    ['score', null],
    ['score', 1e300],
    ['transaction_id', ''],
    ['transaction_id', 7],
    ['transaction_id', 'a\0'],
  ])('%s %j is 422', async (field, value) => {
    const answer = await post('/review', body({ [field]: value }), caller.auth);
    expect([answer.status, ...new Set(faultLocations(answer))]).toEqual([422, `body.${field}`]);
  });

  it.each([1, 10])('a score of %i is allowed', async (score) => {
    const receiver = await receiverOf();
    await exchange(caller, receiver);
    expect((await review(caller, receiver.agentId, { score })).status).toBe(200);
  });
});
