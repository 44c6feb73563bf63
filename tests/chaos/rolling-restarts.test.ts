/**
 * Bugs meant: a call that fails because its proxy was replaced while it ran; a call that finds nobody although others are there; one
 * proxy of several that gets all the work.
 * Method: three call-proxies, two pay-proxies and two gateways. Callers work without pause while every proxy is replaced in turn by SIGTERM; each of their
 * calls must be answered 200, and each payment be on record once. Then long calls and payments are held at their agent for longer than a hurried stop would wait.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { settlementRecorded } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { runs } from '@agent-trust/test-kit/runs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, bearer, callBody, httpTo, type Member, textMessage, unique } from '../support/registry.ts';
import { startChaosRegistry } from './support/chaos-registry.ts';
import { untilHealthy } from './support/invariants.ts';
import { somePayment } from './support/lying-sellers.ts';
import { digestOf, exchangesOf, readWholeLog } from './support/raw-log.ts';
import { type AgentRequest, answerText, type RecordingAgent } from './support/recording-agent.ts';

const proxies = ['call-proxy', 'call-proxy-2', 'call-proxy-3'];
const payProxies = ['pay-proxy', 'pay-proxy-2'];
const callersAtOnce = 12;
/** Calls that must have been answered between two restarts. */
const answersBetween = runs(30, 60);
/** How often each proxy is replaced. */
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
/** Calls that each proxy has carried, by what it wrote down: agents that speak no HTTP are told of in its log. */
let broken: string;
const carriedBy = new Map<string, number>();

beforeAll(async () => {
  const registry = await startChaosRegistry({
    env: { GATEWAYS: '2', CALL_PROXIES: String(proxies.length), PAY_PROXIES: String(payProxies.length) },
    onLog: (name, line) => {
      if (line.includes('the agent did not answer')) carriedBy.set(name, (carriedBy.get(name) ?? 0) + 1);
    },
    agents: {
      receiver: answerText,
      slow: (asked) => void held.push(asked),
      seller: (asked) => {
        const settled = { success: true, transaction: asked.mark, network: 'base-sepolia' };
        asked.response.setHeader('x-payment-response', Buffer.from(JSON.stringify(settled)).toString('base64'));
        answerText(asked);
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
    timeoutMs: 30_000,
    description: `${name} to be replaced`,
  });
};

/** Calls or pays without pause, at the addresses that `urls` says at each moment, until it is told to stop. */
const keepCalling = (
  urls: () => readonly string[],
  once = (url: string): Promise<Outcome> => callOnce(url, receiver),
): { outcomes: Outcome[]; stop: () => Promise<void> } => {
  const outcomes: Outcome[] = [];
  let stopping = false;
  const loops = Array.from({ length: callersAtOnce }, async (_, index) => {
    for (let turn = index; !stopping; turn += 1) {
      const current = urls();
      outcomes.push(await once(current[turn % current.length] ?? stack.url));
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
  await waitFor(() => outcomes.length >= wanted, { timeoutMs: 30_000, description: `${more} more answers` });
};

describe('under load', () => {
  it('each of three call-proxies is replaced in turn, and every call is answered', async () => {
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

  it('each of two pay-proxies is replaced in turn, and every payment is relayed and on record once', async () => {
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
    const settlements = (await readWholeLog(stack)).filter(({ type }) => type === settlementRecorded.type);
    const recorded = settlements.map(({ data }) => settlementRecorded.schema.parse(data).confirmationRef ?? '');
    expect(recorded.toSorted()).toEqual(marks);
  });

  it('each of two gateways is replaced, and every call that it had taken is answered', async () => {
    await untilHealthy(stack);
    // A load balancer takes an instance out before it is told to stop; what it has taken is under way then.
    let going: string | null = null;
    const load = keepCalling(() => stack.urls.filter((url) => url !== going));
    for (const [index, name] of ['gateway', 'gateway-2'].entries()) {
      await untilAnswered(load.outcomes, answersBetween);
      going = stack.urls[index] ?? null;
      await replace(name);
      going = null;
    }
    await untilAnswered(load.outcomes, answersBetween);
    await load.stop();
    expect(load.outcomes.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

it('a call or payment that takes long is finished by a proxy and a gateway that have been told to stop', async () => {
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
  // Not a wait for something to happen: the point is that nothing does, for that long.
  await delay(longCallMs);
  expect(slowAgent.left.size).toBe(0);
  for (const asked of held.splice(0)) answerText(asked);
  expect((await outcomes).filter(({ status }) => status !== 200)).toEqual([]);
  expect(performance.now() - reportedAt).toBeGreaterThan(longCallMs);
  await untilHealthy(stack);
});

it('each of the proxies gets its share of the calls', async () => {
  await untilHealthy(stack);
  carriedBy.clear();
  const count = 150;
  for (let done = 0; done < count; done += 30)
    await Promise.all(Array.from({ length: 30 }, () => callOnce(stack.url, broken)));
  await waitFor(() => [...carriedBy.values()].reduce((sum, calls) => sum + calls, 0) === count, {
    description: 'a line for each call',
  });
  // A fair choice gives each 50 of 150; fewer than 25 for any of three happens once in 100,000 times.
  expect([...carriedBy.keys()].toSorted()).toEqual(proxies);
  expect(Math.min(...carriedBy.values())).toBeGreaterThanOrEqual(25);
});
