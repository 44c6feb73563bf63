/**
 * Bugs: a settlement is recorded twice, or not at all although the payer received its transaction; a payer gets no answer; a killed proxy
 * breaks payments of another one.
 * Method: payments continue until hundreds are answered, over two gateways and two proxies; halfway one process is killed with SIGKILL. Then
 * every payment is compared in four places: the payer's answer, the seller's settlements, the log, and the operators' view. Two more cases
 * stop the seller at the critical moments: settled but not yet answered, and in the middle of its answer.
 *
 * Not promised: if a proxy dies after its seller has settled and before the record is written, record and answer are both lost. The payer
 * gets 503 `unavailable`, which leaves open whether the payment happened, and learns the transaction from the chain alone. If the payer
 * repeats the same payment and the seller answers as before, that settlement is recorded once. A transaction that a payer received is always
 * recorded: if the event log is unavailable for longer than the answer waits, the outbox brings it there.
 */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { relayOverheadMs, settlementRecorded } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import { runs } from '@agent-trust/test-kit/runs';
import { beforeAll, describe, expect, it } from 'vitest';
import { bearer, type Member, unique } from '../support/registry.ts';
import { startChaosRegistry } from './support/chaos-registry.ts';
import { unexplained, untilHealthy } from './support/invariants.ts';
import { type Attempt, figures, hangMs } from './support/load.ts';
import { readWholeLog } from './support/raw-log.ts';
import type { AgentRequest, RecordingAgent } from './support/recording-agent.ts';
import { brokenOff, codeOf, type Outcome, startAttempt, untilAnswered } from './support/until-answered.ts';
import { waitFor } from './support/wait-for.ts';

const answersWanted = runs(200, 400);
const payersCount = 4;
const paymentsAtOncePerPayer = 10;
/** The seller's delay between settlement and answer, so that some payments are there at any moment. */
const sellerTakesMs = 20;
const pauseAfterRefusalMs = 100;
/** The sellers are in this process, which may be late on a busy machine. */
const callTimeoutMs = 20_000;
/** A payer of a dead proxy that nobody noticed would wait for this long, the deadline of its payment. */
const answerMsMax = callTimeoutMs + relayOverheadMs;
const proxies = ['pay-proxy', 'pay-proxy-2'];

let stack: Stack;
let seller: RecordingAgent;
let sellerId: string;
let payers: Member[];
const attempts: Attempt[] = [];
/** Marks of the payments whose payers received the transaction. */
const reportedTo = new Set<string>();

/** The seller settles each payment on request, with the same transaction for every repetition of it. */
const transactionOf = (mark: string): string => `0x${createHash('sha256').update(mark).digest('hex')}`;
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const paymentOf = (mark: string): string =>
  base64({
    x402Version: 1,
    scheme: 'exact',
    network: 'base-sepolia',
    payload: { signature: `0x${mark}`, authorization: { from: '0x1', to: '0x2', value: '5000' } },
  });
const respondSettled = ({ mark, response }: AgentRequest): ServerResponse =>
  response.writeHead(200, {
    'content-type': 'application/json',
    'x-payment-response': base64({ success: true, transaction: transactionOf(mark), network: 'base-sepolia' }),
  });
const serve = async (request: AgentRequest): Promise<void> => {
  await delay(sellerTakesMs);
  respondSettled(request).end(JSON.stringify({ done: request.mark }));
};
let sell: (request: AgentRequest) => void | Promise<void> = serve;

beforeAll(async () => {
  const registry = await startChaosRegistry({
    env: { GATEWAYS: '2', PAY_PROXIES: String(proxies.length), CALL_TIMEOUT_MS: String(callTimeoutMs) },
    agents: { seller: (request) => sell(request) },
    callers: payersCount,
  });
  ({ stack, callers: payers } = registry);
  seller = registry.agents.seller;
  sellerId = registry.agents.seller.agentId;
  return registry.stop;
});

const reported = (headers: Headers): unknown =>
  (
    JSON.parse(Buffer.from(headers.get('x-payment-response') ?? 'e30=', 'base64').toString()) as Record<string, unknown>
  )['transaction'];

const openPayment = (payer: Member, url: string, mark: string): Promise<Response> =>
  fetch(new URL(`/pay/${sellerId}`, url), {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-payment': paymentOf(mark), ...bearer(payer.key) },
    body: mark,
    signal: AbortSignal.timeout(hangMs),
  });

const payOnce = async (payer: Member, url: string, mark = unique('payment')): Promise<Attempt> => {
  const end = startAttempt('pay', mark);
  const record = (outcome: Outcome): Attempt => {
    const attempt = end(outcome);
    attempts.push(attempt);
    return attempt;
  };
  let status: number | null = null;
  try {
    const response = await openPayment(payer, url, mark);
    ({ status } = response);
    // The headers alone tell the payer of the settlement, whatever happens to the body.
    if (reported(response.headers) === transactionOf(mark)) reportedTo.add(mark);
    const body = (await response.json()) as Record<string, unknown>;
    const isServed = status === 200 && body['done'] === mark && reportedTo.has(mark);
    return record({ outcome: isServed ? 'acknowledged' : 'refused', status, code: codeOf(body), body });
  } catch (error) {
    return record(brokenOff(error, status));
  }
};

/** Pays until the payment is served; a busy registry may ask to come again. */
const payUntilServed = async (payer: Member, url: string, markOf = () => unique('payment')): Promise<void> => {
  const served = await waitFor(
    async () => {
      const attempt = await payOnce(payer, url, markOf());
      return attempt.outcome === 'refused' && unexplained([attempt]).length === 0 ? null : attempt;
    },
    { intervalMs: pauseAfterRefusalMs, description: 'a payment that is served' },
  );
  expect(served).toMatchObject({ outcome: 'acknowledged' });
};

/** Sends payments until enough are answered; runs `atHalf` halfway. */
const payMany = (atHalf: () => void): Promise<Attempt[]> =>
  untilAnswered({
    clients: payers,
    atOncePerClient: paymentsAtOncePerPayer,
    urls: stack.urls,
    answersWanted,
    pauseAfterRefusalMs,
    send: (payer, url) => payOnce(payer, url),
    atHalf,
  });

/** The number of records for each transaction. */
const recorded = async (): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  for (const event of await readWholeLog(stack)) {
    if (event.type !== settlementRecorded.type) continue;
    const { confirmationRef } = settlementRecorded.schema.parse(event.data);
    counts.set(confirmationRef ?? 'none', (counts.get(confirmationRef ?? 'none') ?? 0) + 1);
  }
  return counts;
};

const shownToOperators = async (): Promise<string[]> => {
  const refs: string[] = [];
  const pageRows = 1_000;
  for (;;) {
    const response = await fetch(new URL(`/ops/settlements?limit=${pageRows}&offset=${refs.length}`, stack.url), {
      headers: bearer(stack.adminToken),
    });
    const page = (await response.json()) as { confirmation_ref: string }[];
    refs.push(...page.map(({ confirmation_ref: ref }) => ref));
    if (page.length < pageRows) return refs;
  }
};

const killAll = (names: readonly string[]): void => {
  for (const name of names) stack.kill(name, 'SIGKILL');
};

describe('kill -9 in the middle of payments', () => {
  it.each(['pay-proxy-2', 'nats-server', 'postgres'])(
    'of %s: every payer gets the outcome of its payment, and later payments are relayed',
    async (name) => {
      await untilHealthy(stack);
      const restarts = stack.restartCount(name);
      const payments = await payMany(() => stack.kill(name, 'SIGKILL'));
      if (process.env['CHAOS_FIGURES'] !== undefined) process.stderr.write(`  ${name}\n${figures(payments)}`);
      // No gateway was killed: every connected payer gets an answer. An answer that had begun cannot become an error; it breaks off.
      expect(payments.filter(({ outcome, status }) => outcome === 'broken' && status !== 200)).toEqual([]);
      const atSeller = ({ mark }: Attempt) => ({ seen: seller.seen.get(mark), answered: seller.answered.has(mark) });
      expect(unexplained(payments, callTimeoutMs).map((attempt) => ({ ...attempt, ...atSeller(attempt) }))).toEqual([]);
      expect(Math.max(...payments.map(({ durationMs }) => durationMs))).toBeLessThan(answerMsMax);
      await waitFor(() => stack.restartCount(name) > restarts, { description: `a restart of ${name}` });
      await untilHealthy(stack);
      for (const url of stack.urls) for (const payer of payers) await payUntilServed(payer, url);
    },
  );

  it('each settlement that a payer received is recorded once, and none that the seller did not make', async () => {
    await waitFor(
      async () => {
        const present = await recorded();
        return [...reportedTo].map(transactionOf).every((transaction) => present.has(transaction));
      },
      { intervalMs: 500, description: 'every settlement that a payer received to be on record' },
    );
    await untilHealthy(stack);
    const onRecord = await recorded();
    expect([...onRecord].filter(([, count]) => count !== 1)).toEqual([]);
    const settled = new Set([...seller.seen.keys()].map(transactionOf));
    expect([...onRecord.keys()].filter((transaction) => !settled.has(transaction))).toEqual([]);
    // Only a payer repeats a payment, and each payer sent each of them once.
    expect([...seller.seen].filter(([, times]) => times !== 1)).toEqual([]);
    expect((await shownToOperators()).toSorted()).toEqual([...onRecord.keys()].toSorted());
  });
});

describe('kill -9 of every pay-proxy', () => {
  it('after the settlement and before the answer: no record, no transaction in the answer, and a repeated payment is recorded once', async () => {
    await untilHealthy(stack);
    const held: AgentRequest[] = [];
    sell = (request) => void held.push(request);
    const [payer] = payers as [Member];
    const marks = Array.from({ length: 10 }, () => unique('settled'));
    const lost = Promise.all(marks.map((mark, index) => payOnce(payer, stack.urls[index % 2] ?? stack.url, mark)));
    await waitFor(() => held.length === marks.length, { description: 'every payment at the seller' });
    killAll(proxies);
    for (const attempt of await lost) {
      expect(attempt).toMatchObject({ status: 503, code: 'unavailable' });
      expect(attempt.body['detail']).toMatch(/may or may not/u);
      expect(attempt.durationMs).toBeLessThan(answerMsMax);
    }
    await untilHealthy(stack);
    const before = await recorded();
    expect(marks.filter((mark) => before.has(transactionOf(mark)) || reportedTo.has(mark))).toEqual([]);

    sell = serve;
    for (const _ of ['again', 'and again']) {
      await Promise.all(marks.map((mark) => payUntilServed(payer, stack.url, () => mark)));
    }
    const after = await recorded();
    expect(marks.map((mark) => after.get(transactionOf(mark)))).toEqual(marks.map(() => 1));
  });

  it('in the middle of a paid answer: the payer has the transaction, which is recorded, and the answer breaks off', async () => {
    await untilHealthy(stack);
    sell = (request) => void respondSettled(request).write('the first half');
    const [payer] = payers as [Member];
    const marks = Array.from({ length: 6 }, () => unique('half'));
    const answers = await Promise.all(
      marks.map((mark, index) => openPayment(payer, stack.urls[index % 2] ?? '', mark)),
    );
    const readers = answers.map(({ body }) => (body as ReadableStream<Uint8Array>).getReader());
    for (const reader of readers)
      expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('the first half');
    expect(answers.map(({ headers }) => reported(headers))).toEqual(marks.map(transactionOf));
    const killedAt = performance.now();
    killAll(proxies);
    for (const reader of readers) await expect(reader.read()).rejects.toThrow(/terminated/u);
    expect(performance.now() - killedAt).toBeLessThan(answerMsMax);
    sell = serve;
    await untilHealthy(stack);
    const onRecord = await recorded();
    expect(marks.map((mark) => onRecord.get(transactionOf(mark)))).toEqual(marks.map(() => 1));
    await payUntilServed(payer, stack.url);
  });
});
