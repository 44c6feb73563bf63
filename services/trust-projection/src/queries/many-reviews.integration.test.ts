import { randomUUID } from 'node:crypto';
import { runs } from '@agent-trust/test-kit/runs';
import { eventDefinitions } from '@agent-trust/contracts';
import type { EventLog, JsonObject, RecordedEvent } from '@agent-trust/event-log';
import { policyV1 } from '@agent-trust/trust-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  agentRegistered,
  exchangeReviewed,
  exchangeStarted,
  type MadeEvent,
  production,
} from '../testing/made-history.ts';
import { createStoppedReadModel, type StoppedReadModel } from '../testing/stopped-read-model.ts';
import { findAgentAt } from './past/agent-at.ts';
import { explainTrust } from './explain-trust.ts';

/*
 * Bug: an explanation takes longer the more reviews an agent has, or the older the requested moment is.
 * Method: one agent with many reviews by many reviewers with many roots, and each kind of query timed; the full size takes long.
 */
const reviewsWanted = runs(3_000, 100_000);
const [reviewers, roots] = [500, 60];
const timeLimitMs = 60_000 + reviewsWanted * 3;
const answerMsMax = 50;
const agentId = 'asked-by-all';

const versions = new Map<string, number>(eventDefinitions.map(({ type, version }) => [type, version]));

/** A log in memory: only reading it matters. */
const recorded = (history: readonly MadeEvent[]): RecordedEvent[] =>
  history.map(({ stream, event }, index) => ({
    eventId: randomUUID(),
    type: event.type,
    data: event.data as unknown as JsonObject,
    metadata: { schemaVersion: versions.get(event.type) ?? 1 },
    stream,
    revision: 0n,
    position: BigInt(index + 1),
    recordedAt: new Date(Date.UTC(2026, 0, 1) + index),
  }));
const logOf = (events: readonly RecordedEvent[]): EventLog => ({
  append: () => Promise.reject(new Error('nothing is appended here')),
  readStream: () => Promise.resolve([]),
  readAt: (positions) => Promise.resolve(positions.flatMap((position) => events[Number(position) - 1] ?? [])),
  readAll: ({ after, countMax }) => Promise.resolve(events.slice(Number(after ?? 0n), Number(after ?? 0n) + countMax)),
  readPacked: ({ after, countMax }) => {
    const page = events.slice(Number(after ?? 0n), Number(after ?? 0n) + countMax);
    return Promise.resolve({ lastPosition: page.at(-1)?.position ?? null, unpack: () => page });
  },
  checkFormat: () => Promise.resolve(),
  headPosition: () => Promise.resolve(BigInt(events.length)),
  subscribeToAll: () => {
    throw new Error('nobody subscribes here');
  },
  close: () => Promise.resolve(),
});

let readModel: StoppedReadModel;
let last: bigint;
beforeAll(async () => {
  const stepMs = (180 * 86_400_000) / reviewsWanted;
  const at = (index: number): string => new Date(Date.UTC(2026, 0, 2) + index * stepMs).toISOString();
  const history: MadeEvent[] = [agentRegistered({ agentId }, at(0))];
  for (let reviewer = 0; reviewer < reviewers; reviewer += 1) {
    history.push(agentRegistered({ agentId: `reviewer-${reviewer}` }, at(0)));
  }
  for (let index = 0; index < reviewsWanted; index += 1) {
    const reviewer = (index * 7 + (index >> 3)) % reviewers;
    const parties = {
      transactionId: `t${index}`,
      callerAgentId: `reviewer-${reviewer}`,
      receiverAgentId: agentId,
      universe: production,
    };
    const review = { success: index % 5 !== 0, score: 1 + (index % 10), trustScore: 50 + (index % 50) };
    history.push(
      exchangeStarted(parties, at(index)),
      exchangeReviewed(parties, at(index), { ...review, roots: { [`root${reviewer % roots}.test`]: 1 } }),
    );
  }
  const events = recorded(history);
  last = BigInt(events.length);
  readModel = await createStoppedReadModel(logOf(events));
  await readModel.advanceTo(null);
}, timeLimitMs);
afterAll(() => readModel.close());

const explained = (position: bigint, offset: number) =>
  explainTrust(readModel.database, () => policyV1, {
    agentId,
    moment: { position, time: new Date(0) },
    limit: 100,
    offset,
  });

describe(`an agent with ${reviewsWanted} reviews`, () => {
  const questions: [string, () => Promise<unknown>][] = [
    ['the newest reviews', () => explained(last, 0)],
    ['the oldest reviews', () => explained(last, reviewsWanted - 100)],
    ['half of the past ago', () => explained(last / 2n, 0)],
    ['nearly at the beginning', () => explained(1_500n, 0)],
    ['the verdict of half of the past ago', () => findAgentAt(readModel.database, () => policyV1, agentId, last / 2n)],
  ];
  it.each(questions)(`is explained in under ${answerMsMax} ms: %s`, async (what, ask) => {
    const times: number[] = [];
    for (let attempt = 0; attempt < 25; attempt += 1) {
      const startedAt = performance.now();
      expect(await ask()).not.toBeNull();
      times.push(performance.now() - startedAt);
    }
    times.sort((a, b) => a - b);
    const [median = 0, slow = 0] = [times[12], times[23]];
    process.stdout.write(
      `${reviewsWanted} reviews, ${what}: ${median.toFixed(1)} ms in the middle, ${slow.toFixed(1)} ms of 24 in 25\n`,
    );
    expect(median).toBeLessThan(answerMsMax);
  });

  it('has all of them on its pages', async () => {
    const { trust, reviewsTotal } = await explained(last, 0);
    expect([trust.reviews.length, reviewsTotal]).toEqual([100, reviewsWanted]);
  });
});
