/**
 * Bugs meant: those that only show when very many calls are under way at the moment of a crash: one that reached its agent and is on no
 * record or on two, a caller without an answer, an exchange that never ends.
 * Method: for each process in turn, calls go on until hundreds have been answered (2,000 in the long form), sixty at one time over two gateways
 * and two proxies; the process is killed with SIGKILL at the half. Calls alone, as many as the machine carries: `kill-under-load` has the other kinds of work.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { runs } from '@agent-trust/test-kit/runs';
import { beforeAll, describe, expect, it } from 'vitest';
import { bearer, callBody, type Member, textMessage, unique } from '../support/registry.ts';
import { startChaosRegistry } from './support/chaos-registry.ts';
import { expectNothingLostOrDoubled, unexplained, untilHealthy } from './support/invariants.ts';
import { type Attempt, figures, hangMs } from './support/load.ts';
import { exchangesOf, readWholeLog } from './support/raw-log.ts';
import type { RecordingAgent } from './support/recording-agent.ts';
import { brokenOff, codeOf, type Outcome, startAttempt, untilAnswered } from './support/until-answered.ts';

/** Many times what is under way at once, so that the kill meets calls at every stage. */
const answersWanted = runs(400, 2_000);
const callersCount = 4;
const callsAtOncePerCaller = 15;
/** So that calls are at the agent at any moment. */
const agentTakesMs = 20;
const pauseAfterRefusalMs = 200;
/** Sixty calls at once may take seconds at the agent of a busy machine. */
const callTimeoutMs = 10_000;
/** The agent's time, and what a call may take beyond it. */
const answerMsMax = callTimeoutMs + 15_000;
/** An exchange of a dead proxy may be open for about a minute beyond its call, and is looked for every 15 s. */
const endedMsMax = 110_000;

let stack: Stack;
let agent: RecordingAgent;
let callers: Member[];
let receiver: string;
const attempts: Attempt[] = [];

beforeAll(async () => {
  const registry = await startChaosRegistry({
    env: { GATEWAYS: '2', CALL_PROXIES: '2', CALL_TIMEOUT_MS: String(callTimeoutMs) },
    agents: {
      receiver: async ({ mark, response }) => {
        await delay(agentTakesMs);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ done: mark }));
      },
    },
    callers: callersCount,
  });
  ({ stack, callers } = registry);
  agent = registry.agents.receiver;
  receiver = registry.agents.receiver.agentId;
  return registry.stop;
});

const callOnce = async (caller: Member, url: string): Promise<Attempt> => {
  const mark = unique('call');
  const end = startAttempt('call', mark);
  const record = (outcome: Outcome): Attempt => {
    const attempt = end(outcome);
    attempts.push(attempt);
    return attempt;
  };
  try {
    const response = await fetch(new URL('/call', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(caller.key) },
      body: JSON.stringify(callBody(caller, receiver, textMessage(mark))),
      signal: AbortSignal.timeout(hangMs),
    });
    const body = (await response.json()) as Record<string, unknown>;
    const outcome = response.ok ? 'acknowledged' : 'refused';
    return record({ outcome, status: response.status, code: codeOf(body), body });
  } catch (error) {
    return record(brokenOff(error));
  }
};

/** Calls until enough have been answered; `atHalf` happens at the half of them. */
const callMany = (atHalf: () => void): Promise<Attempt[]> =>
  untilAnswered({
    clients: callers,
    atOncePerClient: callsAtOncePerCaller,
    urls: stack.urls,
    answersWanted,
    pauseAfterRefusalMs,
    send: callOnce,
    atHalf,
  });

describe(`kill -9 in the middle of ${answersWanted} calls`, () => {
  it.each(['call-proxy-2', 'registry-write', 'nats-server', 'postgres'])(
    'of %s: every caller hears how its call ended, and the rest of the calls is answered',
    async (name) => {
      await untilHealthy(stack);
      const restarts = stack.restartCount(name);
      const calls = await callMany(() => stack.kill(name, 'SIGKILL'));
      if (process.env['CHAOS_FIGURES'] !== undefined) process.stderr.write(`  ${name}\n${figures(calls)}`);
      expect(calls.filter(({ outcome }) => outcome === 'acknowledged').length).toBeGreaterThanOrEqual(answersWanted);
      // No gateway was killed: whoever is connected gets an answer with a code that says what to do.
      expect(calls.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
      expect(unexplained(calls)).toEqual([]);
      expect(Math.max(...calls.map(({ durationMs }) => durationMs))).toBeLessThan(answerMsMax);
      await waitFor(() => stack.restartCount(name) > restarts, { description: `a restart of ${name}` });
      await untilHealthy(stack);
    },
  );

  it('each call that reached the agent is on record once, and none reached it twice', async () => {
    await expectNothingLostOrDoubled(stack, attempts, { [receiver]: agent });
  });

  it(
    'every exchange has one end, also those whose proxy was killed',
    async () => {
      const open = async (): Promise<string[]> => {
        const exchanges = [...exchangesOf(await readWholeLog(stack)).values()];
        expect(exchanges.length).toBeGreaterThanOrEqual(agent.seen.size);
        expect(exchanges.filter(({ after }) => after.length > 1)).toEqual([]);
        return exchanges.filter(({ after }) => after.length === 0).map(({ transactionId }) => transactionId);
      };
      await waitFor(async () => (await open()).length === 0, {
        timeoutMs: endedMsMax,
        intervalMs: 1_000,
        description: 'the end of every exchange',
      });
    },
    endedMsMax + 10_000,
  );
});
