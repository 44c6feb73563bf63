import { randomUUID } from 'node:crypto';
import { exchangeStream, production } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import { openEventLog } from '@agent-trust/event-log';
import pg from 'pg';
import { Pool } from 'undici';
import { appendStreams, completedExchange, startedExchange, type StreamEvents } from '../support/history.ts';
import { bearer, createOrganisation, httpTo, type Member, registerAgent } from '../support/registry.ts';
import { loop } from './load.ts';
import { untilProjected } from './until-projected.ts';

export const reviewWorkers = 16;
/** More than any machine reviews in a second; the exchanges are written before. */
const reviewsPerSecondMax = 3_000;
const reviewsBefore = 500;

type Pair = { caller: Member; receiver: Member };
export type ReviewBench = { perSecond: number; done: number; broken: string[] };

/** POST /review of exchanges that are in the log, by as many pairs of agents as there are loops. */
export async function benchReview(stack: Stack, databaseUrl: string, seconds: number): Promise<ReviewBench> {
  const http = httpTo(stack.url);
  const [callers, receivers] = [await createOrganisation(stack), await createOrganisation(stack)];
  const pairs = await Promise.all(
    Array.from({ length: reviewWorkers }, async (): Promise<Pair> => {
      const [caller, receiver] = [{ key: callers.key }, { key: receivers.key }].map((org) => registerAgent(http, org));
      return { caller: (await caller) as Member, receiver: (await receiver) as Member };
    }),
  );
  const open = pairs.map(() => [] as string[]);
  await writeExchanges(stack, databaseUrl, pairs, open, seconds * reviewsPerSecondMax + reviewsBefore);
  const client = new Pool(stack.url, { connections: reviewWorkers });
  let acknowledged = 0;
  const review = async (worker: number): Promise<void> => {
    const { caller, receiver } = pairs[worker] as Pair;
    const transactionId = open[worker]?.pop();
    if (transactionId === undefined) throw new Error('all exchanges are reviewed: write more of them before');
    const { statusCode, body } = await client.request({
      path: '/review',
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(caller.key) },
      body: JSON.stringify({
        transaction_id: transactionId,
        caller_agent_id: caller.agentId,
        receiver_agent_id: receiver.agentId,
        success: true,
        score: 8,
      }),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`a review returned ${statusCode}: ${text}`);
    acknowledged += 1;
  };
  try {
    for (let index = 0; index < reviewsBefore; index += 1) await review(index % reviewWorkers);
    const { perSecond, done } = await loop(reviewWorkers, seconds, review);
    return { perSecond, done, broken: await brokenReviews(databaseUrl, pairs, acknowledged) };
  } finally {
    await client.close();
  }
}

const writeExchanges = async (
  stack: Stack,
  databaseUrl: string,
  pairs: readonly Pair[],
  open: string[][],
  count: number,
): Promise<void> => {
  const exchanges = function* (): Generator<StreamEvents> {
    for (let index = 0; index < count; index += 1) {
      const { caller, receiver } = pairs[index % pairs.length] as Pair;
      const transactionId = randomUUID();
      open[index % pairs.length]?.push(transactionId);
      const parties = {
        transactionId,
        callerAgentId: caller.agentId,
        receiverAgentId: receiver.agentId,
        universe: production,
      };
      const now = new Date().toISOString();
      const events = [
        startedExchange(parties, { name: index, requestBytes: 100, startedAt: now }),
        completedExchange(parties, { name: index, responseBytes: 100, durationMs: 5, completedAt: now }),
      ];
      yield { stream: exchangeStream(transactionId), events };
    }
  };
  const log = await openEventLog(databaseUrl);
  const { position } = await appendStreams(log, exchanges());
  await log.close();
  await untilProjected(stack, position);
};

/** What must hold afterwards, in words where it does not: each acknowledged review is in the log and counts, and none counts twice. */
const brokenReviews = async (databaseUrl: string, pairs: readonly Pair[], acknowledged: number): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ reviews: string; exchanges: string; counted: string }>(
      `SELECT count(*) AS reviews, count(DISTINCT stream) AS exchanges,
         (SELECT sum(review_count) FROM read_models.agent_standing WHERE agent_id = ANY ($1)) AS counted
       FROM event_log.events WHERE type = 'ExchangeReviewed' AND data->>'receiverAgentId' = ANY ($1)`,
      [pairs.map(({ receiver }) => receiver.agentId)],
    );
    const { reviews, exchanges, counted } = rows[0] ?? { reviews: '0', exchanges: '0', counted: '0' };
    const broken: string[] = [];
    if (Number(reviews) !== acknowledged) broken.push(`reviews in the log: ${reviews}, acknowledged: ${acknowledged}`);
    if (exchanges !== reviews) broken.push(`exchanges with a review: ${exchanges}, reviews: ${reviews}`);
    if (Number(counted) !== acknowledged) broken.push(`reviews that count: ${counted}, acknowledged: ${acknowledged}`);
    return broken;
  } finally {
    await client.end();
  }
};
