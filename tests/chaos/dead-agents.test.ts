/**
 * Bugs: an agent that accepts requests and never answers occupies the whole capacity of the proxies, so that calls to other agents wait or
 * are refused; a dead agent is contacted again and again; a recovered one is never contacted.
 * Method: two proxies with low concurrency limits. Many callers flood two dead agents (one is silent, the port of the other is closed) while
 * others call a healthy agent and one on the silent agent's server. The answers are compared with the agents' requests and the log.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  bearer,
  callBody,
  createOrganisation,
  httpTo,
  type Member,
  registerAgent,
  textMessage,
  unique,
} from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { untilHealthy } from './support/invariants.ts';
import { exchangesOf, readWholeLog } from './support/raw-log.ts';
import { answerText, type RecordingAgent, startRecordingAgent } from './support/recording-agent.ts';

/** Longer than a call to a healthy agent takes on a busy machine. */
const callTimeoutMs = 6_000;
/** The limit of each of two proxies. Without limits per target the flood would exhaust both. */
const callConcurrencyMax = 64;
const floodCallers = 10;
const floodPerCaller = 16;
/** Pause between a refusal and the next attempt of a caller that ignores Retry-After. */
const floodPauseMs = 1_000;
const healthyCallers = 4;
const healthyCalls = 200;
/** How often one of the healthy callers comes again after a 503. */
const comesAgainMax = 3;

let stack: Stack;
let agent: RecordingAgent;
/** A server that answers under `/alive` and is silent elsewhere until `isSilent` is cleared. */
let isSilent = true;
let silentContacts = 0;
const shared = createServer((request, response) => {
  request.resume();
  if (request.url === '/alive') return response.end('"here"');
  silentContacts += 1;
  if (!isSilent) response.end('"back"');
  return undefined;
});
const [healthy, neighbour, silent, closed] = ['healthy', 'neighbour', 'silent', 'closed'].map(unique) as [
  string,
  string,
  string,
  string,
];
let callers: Member[] = [];

beforeAll(async () => {
  stack = await startChaosStack({
    CALL_PROXIES: '2',
    GATEWAYS: '2',
    CALL_TIMEOUT_MS: String(callTimeoutMs),
    CALL_CONCURRENCY_MAX: String(callConcurrencyMax),
  });
  agent = await startRecordingAgent(answerText);
  shared.listen(0, '127.0.0.1');
  await once(shared, 'listening');
  const sharedUrl = `http://127.0.0.1:${(shared.address() as AddressInfo).port}`;
  const unused = createServer().listen(0, '127.0.0.1');
  await once(unused, 'listening');
  const closedUrl = `http://127.0.0.1:${(unused.address() as AddressInfo).port}/`;
  unused.close();
  await once(unused, 'close');
  const http = httpTo(stack.url);
  const { key } = await createOrganisation(stack);
  const capabilities = ['ocr'];
  for (const [agentId, url] of [
    [healthy, agent.url],
    [neighbour, `${sharedUrl}/alive`],
    [silent, `${sharedUrl}/silent`],
    [closed, closedUrl],
  ] as const)
    await registerAgent(http, { key, agentId, fields: { endpoint_url: url, capabilities } });
  callers = [];
  for (let index = 0; index < floodCallers + healthyCallers; index += 1)
    callers.push(await registerAgent(http, { key: (await createOrganisation(stack)).key }));
});
afterAll(async () => {
  await stack?.stop();
  await agent?.stop();
  shared.closeAllConnections();
  shared.close();
});

type Outcome = {
  target: string;
  status: number;
  code: unknown;
  retryAfter: number;
  fallback: unknown;
  /** Whether the answer leaves open if the call reached the agent. */
  isOutcomeUnknown: boolean;
  durationMs: number;
};
let turn = 0;
const callOnce = async (caller: Member, target: string): Promise<Outcome> => {
  const began = performance.now();
  const { status, body, text, headers } = await httpTo(stack.urls[(turn += 1) % 2] ?? stack.url).post(
    '/call',
    callBody(caller, target, textMessage(unique('m'))),
    bearer(caller.key),
  );
  return {
    target,
    status,
    code: body['code'],
    retryAfter: Number(headers.get('retry-after')),
    fallback: body['fallback_suggestion'],
    isOutcomeUnknown: text.includes('may or may not have done so'),
    durationMs: performance.now() - began,
  };
};

const flood = (): { outcomes: Outcome[]; stop: () => Promise<void> } => {
  const outcomes: Outcome[] = [];
  const stopping = new AbortController();
  const loops = callers.slice(0, floodCallers).flatMap((caller) =>
    Array.from({ length: floodPerCaller }, async (_, index) => {
      const target = index % 2 === 0 ? silent : closed;
      while (!stopping.signal.aborted) {
        outcomes.push(await callOnce(caller, target));
        await delay(floodPauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }),
  );
  return {
    outcomes,
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
};

const healthyWork = async (): Promise<Outcome[]> => {
  const work = callers.slice(floodCallers).map(async (caller) => {
    const outcomes: Outcome[] = [];
    let again = 0;
    for (let index = 0; index < healthyCalls / healthyCallers; index += 1) {
      const outcome = await callOnce(caller, index % 2 === 0 ? healthy : neighbour);
      // A machine with too much to do is not a proxy without room, which would answer `overloaded`.
      const isLate = outcome.code === 'unavailable' && outcome.retryAfter >= 1 && (again += 1) <= comesAgainMax;
      if (isLate) index -= 1;
      else outcomes.push(outcome);
    }
    return outcomes;
  });
  return (await Promise.all(work)).flat();
};
const medianMs = (outcomes: readonly Outcome[]): number =>
  outcomes.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)[Math.floor(outcomes.length / 2)] ?? 0;

const flooded: Outcome[] = [];
/** A registry whose machine has too much to do says so instead of answering for the agent: 503, come again. */
const isPressed = ({ status, code }: Outcome): boolean =>
  status === 503 && (code === 'unavailable' || code === 'overloaded');
it('a flood of calls to dead agents does not affect calls to other agents', async () => {
  await untilHealthy(stack);
  const quiet = await healthyWork();
  const flooding = flood();
  // From the first moment on, before any circuit is open.
  const early = await healthyWork();
  await waitFor(
    () => flooding.outcomes.some(({ target, code }) => target === silent && code === 'target_unavailable'),
    {
      timeoutMs: 20_000,
      description: 'the open circuit of the silent agent',
    },
  );
  const later = await healthyWork();
  await flooding.stop();
  flooded.push(...flooding.outcomes);
  if (process.env['CHAOS_FIGURES'] !== undefined) {
    const figures = [quiet, early, later].map(
      (work) =>
        `${Math.round(medianMs(work))} ms, longest ${Math.round(Math.max(...work.map(({ durationMs }) => durationMs)))} ms`,
    );
    process.stderr.write(`  healthy calls: quiet ${figures[0]}; at first ${figures[1]}; circuits open ${figures[2]}\n`);
  }
  for (const work of [early, later]) {
    expect(work.filter(({ status }) => status !== 200)).toEqual([]);
    // A caller that waited for capacity held by a dead agent would have waited for that agent's timeout.
    expect(Math.max(...work.map(({ durationMs }) => durationMs))).toBeLessThan(callTimeoutMs);
  }
});

it('callers of a dead agent are refused at once, with Retry-After and an alternative agent', () => {
  const pressed = flooded.filter(isPressed);
  const answered = flooded.filter((outcome) => !isPressed(outcome));
  const kinds = new Set(answered.map(({ status, code }) => `${status} ${String(code)}`));
  expect([...kinds].toSorted()).toEqual(
    ['429 target_busy', '502 downstream_failed', '502 target_unavailable'].filter((kind) => kinds.has(kind)),
  );
  const refused = answered.filter(({ code }) => String(code).startsWith('target_'));
  expect(refused.length).toBeGreaterThan(flooded.length / 2);
  expect([...refused, ...pressed].filter(({ retryAfter }) => !(retryAfter >= 1 && retryAfter <= 30))).toEqual([]);
  expect(medianMs(refused)).toBeLessThan(callTimeoutMs / 4);
  const unavailable = refused.filter(({ code }) => code === 'target_unavailable');
  expect(unavailable.filter(({ fallback }) => typeof fallback !== 'string')).toEqual([]);
});

it('a refused call reached no agent and is not recorded; a call that reached one is', async () => {
  await untilHealthy(stack);
  const failed = (target: string): number =>
    flooded.filter((outcome) => outcome.target === target && outcome.code === 'downstream_failed').length;
  const exchanges = [...exchangesOf(await readWholeLog(stack)).values()];
  const recorded = (target: string): number =>
    exchanges.filter(({ receiverAgentId }) => receiverAgentId === target).length;
  for (const target of [silent, closed]) {
    const unknown = flooded.filter((outcome) => outcome.target === target && outcome.isOutcomeUnknown).length;
    expect(recorded(target)).toBeGreaterThanOrEqual(failed(target));
    expect(recorded(target)).toBeLessThanOrEqual(failed(target) + unknown);
  }
  expect(silentContacts).toBe(recorded(silent));
  // The capacity of both proxies, used once or twice before the circuits opened, and a few probes.
  expect(failed(silent)).toBeLessThan(callConcurrencyMax * 2);
});

it('a payment to a dead agent is refused at once, too, without contacting the agent', async () => {
  const pay = () => httpTo(stack.url).get(`/pay/${closed}`);
  const codes: unknown[] = [];
  // One pay-proxy runs here. It opens its own circuit after five failures.
  for (let index = 0; index < 6; index += 1) codes.push((await pay()).body['code']);
  expect(codes).toEqual([...Array<string>(5).fill('downstream_failed'), 'target_unavailable']);
  const { status, headers } = await pay();
  expect([status, headers.get('retry-after')]).toEqual([502, '1']);
});

it('calls to a recovered agent resume without intervention', async () => {
  isSilent = false;
  const [caller] = callers as [Member];
  const isBack = async (): Promise<boolean> => {
    // Each proxy detects the recovery separately.
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => callOnce(caller, silent)));
    return outcomes.every(({ status }) => status === 200);
  };
  await waitFor(isBack, { timeoutMs: 60_000, intervalMs: 200, description: 'both proxies to call it again' });
  expect((await callOnce(caller, closed)).code).toMatch(/^(target_unavailable|downstream_failed)$/u);
});
