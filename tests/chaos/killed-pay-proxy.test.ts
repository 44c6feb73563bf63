/**
 * Bugs meant: a settlement that is on record twice, or not at all although the payer was told of it; a payer without an answer; a proxy's
 * death that takes payments with it which ran on another.
 * Method: payments go on until hundreds have been answered, over two gateways and two proxies; at the half of them one process is killed with
 * SIGKILL. Then every payment is compared in four places: what its payer was told, what its seller settled, what the log and the operators'
 * view say. Two more cases hold the seller at the moments that matter: settled and not yet answered, and in the middle of its answer.
 *
 * Not promised: a proxy that dies after its seller has settled and before the record is written takes the record with it, and the answer too:
 * the payer is told 503 `unavailable`, that it may or may not have happened, and is not told the transaction; it has that from the chain
 * alone. When it repeats the same payment and the seller answers as before, that is recorded, once. What a payer was told of is on record,
 * but where the event log stayed away for five seconds: then the proxy's own log has the event.
 */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { settlementRecorded } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { runs } from '@agent-trust/test-kit/runs';
import { beforeAll, describe, expect, it } from 'vitest';
import { bearer, type Member, unique } from '../support/registry.ts';
import { startChaosRegistry } from './support/chaos-registry.ts';
import { unexplained, untilHealthy } from './support/invariants.ts';
import { type Attempt, figures, hangMs } from './support/load.ts';
import { readWholeLog } from './support/raw-log.ts';
import type { AgentRequest, RecordingAgent } from './support/recording-agent.ts';
import { brokenOff, codeOf, type Outcome, startAttempt, untilAnswered } from './support/until-answered.ts';

const answersWanted = runs(200, 400);
const payersCount = 4;
const paymentsAtOncePerPayer = 10;
/** Between settling and answering, so that payments are there at any moment. */
const sellerTakesMs = 20;
const pauseAfterRefusalMs = 100;
const callTimeoutMs = 5_000;
/** The seller's time, the record's, and what finding a dead proxy out may take. */
const answerMsMax = callTimeoutMs + 15_000;
const proxies = ['pay-proxy', 'pay-proxy-2'];

let stack: Stack;
let seller: RecordingAgent;
let sellerId: string;
let payers: Member[];
const attempts: Attempt[] = [];
/** What the proxies wrote into their own logs since they could not into the event log. */
const leftToOperators: string[] = [];
/** Marks that payers were told the transaction of. */
const reportedTo = new Set<string>();

/** The seller settles when it is asked, and tells one payment the same however often it comes. */
const transactionOf = (mark: string): string => `0x${createHash('sha256').update(mark).digest('hex')}`;
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const paymentOf = (mark: string): string =>
  base64({
    x402Version: 1,
    scheme: 'exact',
    network: 'base-sepolia',
    payload: { signature: `0x${mark}`, authorization: { from: '0x1', to: '0x2', value: '5000' } },
  });
const tellSettled = ({ mark, response }: AgentRequest): ServerResponse =>
  response.writeHead(200, {
    'content-type': 'application/json',
    'x-payment-response': base64({ success: true, transaction: transactionOf(mark), network: 'base-sepolia' }),
  });
const serve = async (asked: AgentRequest): Promise<void> => {
  await delay(sellerTakesMs);
  tellSettled(asked).end(JSON.stringify({ done: asked.mark }));
};
let sell: (asked: AgentRequest) => void | Promise<void> = serve;

beforeAll(async () => {
  const registry = await startChaosRegistry({
    env: { GATEWAYS: '2', PAY_PROXIES: String(proxies.length), CALL_TIMEOUT_MS: String(callTimeoutMs) },
    onLog: (name, line) => {
      if (name.startsWith('pay-proxy') && line.includes('a settlement could not be recorded'))
        leftToOperators.push(line);
    },
    agents: { seller: (asked) => sell(asked) },
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
    // The head alone tells the payer of its settlement, whatever becomes of the rest.
    if (reported(response.headers) === transactionOf(mark)) reportedTo.add(mark);
    const body = (await response.json()) as Record<string, unknown>;
    const isServed = status === 200 && body['done'] === mark && reportedTo.has(mark);
    return record({ outcome: isServed ? 'acknowledged' : 'refused', status, code: codeOf(body), body });
  } catch (error) {
    return record(brokenOff(error, status));
  }
};

/** Pays until enough has been answered; `atHalf` happens at the half of it. */
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

/** How often each transaction is on record. */
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
    'of %s: every payer hears how its payment ended, and the rest is relayed',
    async (name) => {
      await untilHealthy(stack);
      const restarts = stack.restartCount(name);
      const payments = await payMany(() => stack.kill(name, 'SIGKILL'));
      if (process.env['CHAOS_FIGURES'] !== undefined) process.stderr.write(`  ${name}\n${figures(payments)}`);
      // No gateway was killed: whoever is connected gets an answer. One that had begun cannot become an error; it breaks off.
      expect(payments.filter(({ outcome, status }) => outcome === 'broken' && status !== 200)).toEqual([]);
      expect(unexplained(payments)).toEqual([]);
      expect(Math.max(...payments.map(({ durationMs }) => durationMs))).toBeLessThan(answerMsMax);
      await waitFor(() => stack.restartCount(name) > restarts, { description: `a restart of ${name}` });
      await untilHealthy(stack);
      for (const url of stack.urls)
        for (const payer of payers) expect(await payOnce(payer, url)).toMatchObject({ outcome: 'acknowledged' });
    },
  );

  it('what a payer was told of is on record once, and nothing that its seller did not settle', async () => {
    const onRecord = await recorded();
    expect([...onRecord].filter(([, count]) => count !== 1)).toEqual([]);
    const forOperators = leftToOperators.join('\n');
    const undisclosed = [...reportedTo]
      .map(transactionOf)
      .filter((transaction) => !onRecord.has(transaction) && !forOperators.includes(transaction));
    expect(undisclosed).toEqual([]);
    const settled = new Set([...seller.seen.keys()].map(transactionOf));
    expect([...onRecord.keys()].filter((transaction) => !settled.has(transaction))).toEqual([]);
    // No payment was sent twice by anybody but its payer, who sent each once.
    expect([...seller.seen].filter(([, times]) => times !== 1)).toEqual([]);
    expect((await shownToOperators()).toSorted()).toEqual([...onRecord.keys()].toSorted());
  });
});

describe('kill -9 of every pay-proxy', () => {
  it('after the seller has settled and before it has answered: no record, no transaction told, and a repeat is recorded once', async () => {
    await untilHealthy(stack);
    const held: AgentRequest[] = [];
    sell = (asked) => void held.push(asked);
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
      const repeats = await Promise.all(marks.map((mark) => payOnce(payer, stack.url, mark)));
      expect(repeats.filter(({ outcome }) => outcome !== 'acknowledged')).toEqual([]);
    }
    const after = await recorded();
    expect(marks.map((mark) => after.get(transactionOf(mark)))).toEqual(marks.map(() => 1));
  });

  it('in the middle of an answer that was paid for: the payer knows its transaction, which is on record, and its answer breaks off', async () => {
    await untilHealthy(stack);
    sell = (asked) => void tellSettled(asked).write('the first half');
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
    expect(await payOnce(payer, stack.url)).toMatchObject({ outcome: 'acknowledged' });
  });
});
