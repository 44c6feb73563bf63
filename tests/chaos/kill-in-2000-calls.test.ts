/**
 * Bugs: those that appear only if very many calls are under way during a crash: a call that reached its agent and is not recorded or is
 * recorded twice, a caller without an answer, an exchange that never ends.
 * Method: for each process in turn, calls continue until hundreds are answered (2,000 in the long form), sixty at a time over two gateways
 * and two proxies; halfway the process is killed with SIGKILL. Calls only, as many as the machine can carry: `kill-under-load` covers the
 * other kinds of work.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { callOverheadMs } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import { runs } from '@agent-trust/test-kit/runs';
import { beforeAll, describe, expect, it } from 'vitest';
import { bearer, callBody, type Member, textMessage, unique } from '../support/registry.ts';
import { startChaosRegistry } from './support/chaos-registry.ts';
import { expectNothingLostOrDoubled, unexplained, untilHealthy } from './support/invariants.ts';
import { type Attempt, figures, hangMs } from './support/load.ts';
import { exchangesOf, readWholeLog } from './support/raw-log.ts';
import type { RecordingAgent } from './support/recording-agent.ts';
import { brokenOff, codeOf, type Outcome, startAttempt, untilAnswered } from './support/until-answered.ts';
import { waitFor } from './support/wait-for.ts';

/** Many times the number of concurrent calls, so that the kill hits calls at every stage. */
const answersWanted = runs(400, 2_000);
const callersCount = 4;
const callsAtOncePerCaller = 15;
/** The agent's delay, so that some calls are at the agent at any moment. */
const agentTakesMs = 20;
const pauseAfterRefusalMs = 200;
/** With sixty concurrent calls, an agent on a busy machine may take many seconds. */
const callTimeoutMs = 15_000;
/** A caller of a dead proxy that nobody noticed would wait for this long, the deadline of its call. */
const answerMsMax = callTimeoutMs + callOverheadMs;
/** The exchange of a dead proxy stays open for at most a minute beyond its call; a sweep every 15 s finds it, later on a busy machine. */
const endedMsMax = 240_000;

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

/** Sends calls until enough are answered; runs `atHalf` halfway. */
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
    'of %s: every caller gets the outcome of its call, and later calls are answered',
    async (name) => {
      await untilHealthy(stack);
      const restarts = stack.restartCount(name);
      const calls = await callMany(() => stack.kill(name, 'SIGKILL'));
      if (process.env['CHAOS_FIGURES'] !== undefined) process.stderr.write(`  ${name}\n${figures(calls)}`);
      expect(calls.filter(({ outcome }) => outcome === 'acknowledged').length).toBeGreaterThanOrEqual(answersWanted);
      // No gateway was killed: every connected caller gets an answer with an error code that says what to do.
      expect(calls.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
      expect(unexplained(calls, callTimeoutMs)).toEqual([]);
      expect(Math.max(...calls.map(({ durationMs }) => durationMs))).toBeLessThan(answerMsMax);
      await waitFor(() => stack.restartCount(name) > restarts, { description: `a restart of ${name}` });
      await untilHealthy(stack);
    },
  );

  it('each call that reached the agent is recorded once, and none reached it twice', async () => {
    await expectNothingLostOrDoubled(stack, attempts, { [receiver]: agent });
  });

  it(
    'every exchange has one end, including those whose proxy was killed',
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
    endedMsMax + 60_000,
  );
});
