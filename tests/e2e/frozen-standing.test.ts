import { beforeAll, expect, it } from 'vitest';
import { type Body, call, createOrg, get, join, type Member, review } from '../support/ask.ts';
import { startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';

/*
 * Bug: what a review freezes of its reviewer belongs to no moment that anybody can name, because events that were appended meanwhile had not
 * been read; so nobody can tell it from an invention.
 * Method: agents without a domain review while others review them. An outsider takes the receipt of each review, and compares what it froze
 * with the trust of the reviewer as of the position in it.
 */
const reviewsEach = 4;
let givers: Member[];
let reviewers: Member[];
let target: Member;

const times = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));

const callAndReview = async (from: Member, to: Member, score: number): Promise<void> => {
  expect((await call(from, to.agentId, textMessage('x'))).status).toBe(200);
  expect((await review(from, to.agentId, { score })).status).toBe(200);
};

beforeAll(async () => {
  const endpoint = await startRecordingAgent();
  const fields = { endpoint_url: endpoint.url };
  givers = await times(4, async () =>
    join((await createOrg()).key, { ...fields, org_domain: `${unique('giver')}.example` }),
  );
  reviewers = await times(4, () => join({}, fields));
  target = await join((await createOrg()).key, fields);
  // From 40 to above 50, the least with which one may review.
  for (const giver of givers.slice(0, 2)) for (const one of reviewers) await callAndReview(giver, one, 10);
  return () => endpoint.stop();
});

type Frozen = { trustScore: number; roots: Record<string, number>; asOf: string };

const receiptOf = async (transactionId: unknown): Promise<{ position: string; reviewer: Frozen; caller: string }> => {
  const { status, body } = await get(`/agent/${target.agentId}/trust/receipt/${String(transactionId)}`);
  expect(status).toBe(200);
  const entry = body['entry'] as { position: string; data: { reviewer: Frozen; callerAgentId: string } };
  return { position: entry.position, reviewer: entry.data.reviewer, caller: entry.data.callerAgentId };
};

/** What an agent passes on by an explanation of its trust (docs/trust-policy-v1.md): the roots that raised it, by uncapped weight. */
const passedOn = (trust: Body): Record<string, number> => {
  const raising = (trust['contributions'] as { kind: string; root: string; weight: number; mean: number }[]).filter(
    ({ kind, mean }) => kind === 'root' && 100 * mean > Number(trust['prior']),
  );
  const whole = raising.reduce((sum, { weight }) => sum + weight, 0);
  return Object.fromEntries(raising.map(({ root, weight }) => [root, weight / whole]));
};

it('is the standing at the position that the review names', async () => {
  const reviewed = await Promise.all([
    ...reviewers.map(async (one) => {
      const called = await times(reviewsEach, () => call(one, target.agentId, textMessage('x')));
      const ids = called.map(({ body }) => body['transaction_id']);
      for (const transaction_id of ids) {
        expect((await review(one, target.agentId, { transaction_id, score: 8 })).status).toBe(200);
      }
      return ids;
    }),
    ...givers.map(async (giver, index) => {
      for (const one of reviewers) await callAndReview(giver, one, 7 + index);
      return [];
    }),
  ]);
  for (const id of reviewed.flat()) {
    const { position, reviewer, caller } = await receiptOf(id);
    expect(BigInt(reviewer.asOf)).toBeLessThan(BigInt(position));
    const { body: then } = await get(`/agent/${caller}/trust?as_of=${reviewer.asOf}`);
    expect([then['basis'], then['trust_score']]).toEqual(['all', reviewer.trustScore]);
    const expected = passedOn(then);
    expect(Object.keys(reviewer.roots).sort()).toEqual(Object.keys(expected).sort());
    for (const [root, share] of Object.entries(expected)) expect(reviewer.roots[root]).toBeCloseTo(share, 9);
  }
});
