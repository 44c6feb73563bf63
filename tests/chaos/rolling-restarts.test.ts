/**
 * Bugs: a call fails because its proxy was replaced meanwhile; a call finds no proxy although others run; one of several proxies gets all
 * the work; a read or a write fails while the trust-projection that leads hands over, or while a registry-write is replaced.
 * Method: three call-proxies and two of each other service. Callers keep working while every instance is replaced in turn by SIGTERM;
 * each call must return 200, and each payment must be recorded once. Then long calls and payments are held at their agent for longer than a
 * quick stop would wait.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { settlementRecorded } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import { runs } from '@agent-trust/test-kit/runs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, bearer, callBody, httpTo, type Member, textMessage, unique } from '../support/registry.ts';
import { startChaosRegistry } from './support/chaos-registry.ts';
import { untilHealthy } from './support/invariants.ts';
import { somePayment } from './support/lying-sellers.ts';
import { digestOf, exchangesOf, readWholeLog } from './support/raw-log.ts';
import { type AgentRequest, answerText, type RecordingAgent } from './support/recording-agent.ts';
import { waitFor } from './support/wait-for.ts';

const proxies = ['call-proxy', 'call-proxy-2', 'call-proxy-3'];
const payProxies = ['pay-proxy', 'pay-proxy-2'];
const callersAtOnce = 12;
/** A caller's pause between two calls. Without any, the load itself takes both cores of a small machine, and restarts take longer. */
const thinkMs = runs(20, 0);
/** Calls that must be answered between two restarts. */
const answersBetween = runs(30, 60);
/** The number of replacements of each proxy. */
const rounds = runs(1, 2);
/** Longer than a stop by Ctrl-C takes, shorter than CALL_TIMEOUT_MS. */
const longCallMs = 11_000;

let stack: Stack;
let agent: RecordingAgent;
let caller: Member;
let receiver: string;
let slow: string;
let slowAgent: RecordingAgent;
const held: AgentRequest[] = [];
let seller: string;
let sellingAgent: RecordingAgent;
/** The calls of each proxy, counted by its log lines about an agent that sends broken HTTP. */
let broken: string;
const carriedBy = new Map<string, number>();

beforeAll(async () => {
  const registry = await startChaosRegistry({
    env: {
      GATEWAYS: '2',
      CALL_PROXIES: String(proxies.length),
      PAY_PROXIES: String(payProxies.length),
      REGISTRY_WRITERS: '2',
      TRUST_PROJECTIONS: '2',
    },
    onLog: (name, line) => {
      if (line.includes('the agent did not answer')) carriedBy.set(name, (carriedBy.get(name) ?? 0) + 1);
    },
    agents: {
      receiver: answerText,
      slow: (request) => void held.push(request),
      seller: (request) => {
        const settled = { success: true, transaction: request.mark, network: 'base-sepolia' };
        request.response.setHeader('x-payment-response', Buffer.from(JSON.stringify(settled)).toString('base64'));
        answerText(request);
      },
      broken: ({ response }) => {
        response.writeHead(200, { 'content-length': '10' });
        response.write('x');
        response.destroy();
      },
    },
  });
  ({ stack } = registry);
  [caller] = registry.callers as [Member];
  agent = registry.agents.receiver;
  slowAgent = registry.agents.slow;
  sellingAgent = registry.agents.seller;
  ({ agentId: receiver } = registry.agents.receiver);
  ({ agentId: slow } = registry.agents.slow);
  ({ agentId: seller } = registry.agents.seller);
  ({ agentId: broken } = registry.agents.broken);
  return registry.stop;
});

type Outcome = { mark: string; url: string; status: number | null; what: string };
const outcomeOf = (url: string, mark: string, answer: Promise<Answer>): Promise<Outcome> =>
  answer.then(
    ({ status, body }) => ({ mark, url, status, what: String(body['code']) }),
    (error: unknown) => ({ mark, url, status: null, what: String(error instanceof Error ? error.cause : error) }),
  );
const callOnce = (url: string, agentId: string, mark = unique('rolling')): Promise<Outcome> =>
  outcomeOf(url, mark, httpTo(url).post('/call', callBody(caller, agentId, textMessage(mark)), bearer(caller.key)));
const payOnce = (url: string, agentId = seller, mark = unique('paid')): Promise<Outcome> =>
  outcomeOf(url, mark, httpTo(url).post(`/pay/${agentId}`, mark, { 'x-payment': somePayment, ...bearer(caller.key) }));

const replace = async (name: string): Promise<void> => {
  const restarts = stack.restartCount(name);
  stack.kill(name, 'SIGTERM');
  await waitFor(() => stack.restartCount(name) > restarts && stack.isReady(), {
    description: `${name} to be replaced`,
  });
};

/** Sends calls or payments to the current `urls`, until stopped. */
const keepCalling = (
  urls: () => readonly string[],
  once = (url: string): Promise<Outcome> => callOnce(url, receiver),
  pauseMs = thinkMs,
): { outcomes: Outcome[]; stop: () => Promise<void> } => {
  const outcomes: Outcome[] = [];
  let stopping = false;
  const loops = Array.from({ length: callersAtOnce }, async (_, index) => {
    for (let turn = index; !stopping; turn += 1) {
      const current = urls();
      outcomes.push(await once(current[turn % current.length] ?? stack.url));
      if (pauseMs > 0) await delay(pauseMs);
    }
  });
  return {
    outcomes,
    stop: async () => {
      stopping = true;
      await Promise.all(loops);
    },
  };
};

const untilAnswered = async (outcomes: readonly Outcome[], more: number): Promise<void> => {
  const wanted = outcomes.length + more;
  await waitFor(() => outcomes.length >= wanted, { description: `${more} more answers` });
};

describe('under load', () => {
  it('three call-proxies are replaced in turn, and every call is answered', async () => {
    await untilHealthy(stack);
    const load = keepCalling(() => stack.urls);
    for (const name of Array<string[]>(rounds).fill(proxies).flat()) {
      await untilAnswered(load.outcomes, answersBetween);
      await replace(name);
    }
    await untilAnswered(load.outcomes, answersBetween);
    await load.stop();
    expect(load.outcomes.filter(({ status }) => status !== 200)).toEqual([]);
    await untilHealthy(stack);
    const exchanges = [...exchangesOf(await readWholeLog(stack)).values()];
    const byDigest = Map.groupBy(exchanges, ({ requestDigest }) => requestDigest);
    for (const { mark } of load.outcomes) {
      const records = byDigest.get(digestOf(textMessage(mark))) ?? [];
      const what = { mark, contacts: agent.seen.get(mark), records: records.map(({ after }) => after) };
      expect(what).toEqual({ mark, contacts: 1, records: [['ExchangeCompleted']] });
    }
  });

  it('two pay-proxies are replaced in turn, and every payment is relayed and recorded once', async () => {
    await untilHealthy(stack);
    const load = keepCalling(
      () => stack.urls,
      (url) => payOnce(url),
    );
    for (const name of Array<string[]>(rounds).fill(payProxies).flat()) {
      await untilAnswered(load.outcomes, answersBetween);
      await replace(name);
    }
    await untilAnswered(load.outcomes, answersBetween);
    await load.stop();
    expect(load.outcomes.filter(({ status }) => status !== 200)).toEqual([]);
    const marks = load.outcomes.map(({ mark }) => mark).toSorted();
    expect(marks.map((mark) => sellingAgent.seen.get(mark))).toEqual(marks.map(() => 1));
    const recorded = async (): Promise<string[]> =>
      (await readWholeLog(stack))
        .filter(({ type }) => type === settlementRecorded.type)
        .map(({ data }) => settlementRecorded.schema.parse(data).confirmationRef ?? '');
    // Where the log is slow, the outbox brings a settlement there.
    await waitFor(async () => (await recorded()).length >= marks.length, { description: 'every settlement on record' });
    expect((await recorded()).toSorted()).toEqual(marks);
  });

  it('two registry-writes and two trust-projections are replaced in turn, and every write, read and call is answered', async () => {
    await untilHealthy(stack);
    const agentIds: string[] = [];
    const writeAndRead = async (url: string): Promise<Outcome> => {
      const mark = unique('written');
      const http = httpTo(url);
      const fields = { agent_id: mark, contact_email: 'owner@agent.example' };
      const written = await outcomeOf(url, mark, http.post('/register', fields));
      if (written.status !== 201) return { ...written, what: `register: ${written.what}` };
      agentIds.push(mark);
      const read = await outcomeOf(url, mark, http.post('/verify', { agent_id: mark }));
      return { ...read, what: `verify: ${read.what}` };
    };
    const calls = keepCalling(() => stack.urls);
    const writes = keepCalling(() => stack.urls, writeAndRead);
    const names = ['registry-write', 'registry-write-2', 'trust-projection', 'trust-projection-2'];
    for (const name of Array<string[]>(rounds).fill(names).flat()) {
      await untilAnswered(writes.outcomes, answersBetween);
      await replace(name);
    }
    await untilAnswered(writes.outcomes, answersBetween);
    await Promise.all([calls.stop(), writes.stop()]);
    const failed = [...calls.outcomes, ...writes.outcomes].filter(({ status }) => status !== 200);
    expect(failed.slice(0, 3), `${failed.length} failed`).toEqual([]);
    expect(agentIds.length).toBe(writes.outcomes.length);
    await untilHealthy(stack);
  });

  it('two gateways are replaced in turn, and every call that they have accepted is answered', async () => {
    await untilHealthy(stack);
    // A load balancer stops using an instance before it gets SIGTERM; accepted requests are still under way then.
    let going: string | null = null;
    // Without pauses: what was just sent on a connection that was idle is not accepted yet, and a gateway that stops closes idle connections.
    const load = keepCalling(() => stack.urls.filter((url) => url !== going), undefined, 0);
    for (const [index, name] of ['gateway', 'gateway-2'].entries()) {
      await untilAnswered(load.outcomes, answersBetween);
      going = stack.urls[index] ?? null;
      await replace(name);
      going = null;
    }
    await untilAnswered(load.outcomes, answersBetween);
    await load.stop();
    const failed = load.outcomes.filter(({ status }) => status !== 200);
    // What a gateway has not read when it closes a connection was not accepted: on a busy machine that can be what was sent just before.
    const notAccepted = failed.filter(({ mark, status }) => status === null && !agent.seen.has(mark));
    expect(failed.filter((outcome) => !notAccepted.includes(outcome))).toEqual([]);
    expect(notAccepted.length).toBeLessThanOrEqual(2 * callersAtOnce);
    const digests = new Set(
      exchangesOf(await readWholeLog(stack))
        .values()
        .map(({ requestDigest }) => requestDigest),
    );
    expect(notAccepted.filter(({ mark }) => digests.has(digestOf(textMessage(mark))))).toEqual([]);
  });
});

it('a proxy and a gateway finish long calls and payments after SIGTERM', async () => {
  await untilHealthy(stack);
  const calls = Array.from({ length: proxies.length * 8 }, () => unique('long'));
  const payments = Array.from({ length: payProxies.length * 8 }, () => unique('long'));
  const marks = [...calls, ...payments];
  const url = stack.urls[1] ?? stack.url;
  const outcomes = Promise.all([
    ...calls.map((mark) => callOnce(url, slow, mark)),
    ...payments.map((mark) => payOnce(url, slow, mark)),
  ]);
  await waitFor(() => marks.every((mark) => slowAgent.seen.has(mark)), { description: 'all of them at the agent' });
  const reportedAt = performance.now();
  for (const name of ['gateway-2', ...proxies, ...payProxies]) stack.kill(name, 'SIGTERM');
  // A fixed time, because the test checks that nothing happens meanwhile.
  await delay(longCallMs);
  expect(slowAgent.left.size).toBe(0);
  for (const request of held.splice(0)) answerText(request);
  expect((await outcomes).filter(({ status }) => status !== 200)).toEqual([]);
  expect(performance.now() - reportedAt).toBeGreaterThan(longCallMs);
  await untilHealthy(stack);
});

it('the calls are spread over all proxies', async () => {
  await untilHealthy(stack);
  carriedBy.clear();
  const count = 150;
  for (let done = 0; done < count; done += 30)
    await Promise.all(Array.from({ length: 30 }, () => callOnce(stack.url, broken)));
  await waitFor(() => [...carriedBy.values()].reduce((sum, calls) => sum + calls, 0) === count, {
    description: 'a line for each call',
  });
  // On average each proxy gets 50 of 150 calls; the chance that any of the three gets fewer than 25 is 1 in 100,000.
  expect([...carriedBy.keys()].toSorted()).toEqual(proxies);
  expect(Math.min(...carriedBy.values())).toBeGreaterThanOrEqual(25);
});
