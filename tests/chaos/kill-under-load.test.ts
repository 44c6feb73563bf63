/**
 * Bugs: an acknowledged write is lost in a crash; an exchange counts twice because an append or an event was repeated; a call reaches its
 * agent without a record; a client waits forever; the system does not recover by itself.
 * Method: clients work without pause while each process in turn is killed with SIGKILL. All answers that clients received and all requests
 * that agents saw are compared with the log afterwards; then the read models are compared row by row with a replay.
 */
import { callOverheadMs } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import { beforeAll, describe, expect, it } from 'vitest';
import { createOrganisation, unique } from '../support/registry.ts';
import { startChaosRegistry } from './support/chaos-registry.ts';
import { expectNothingLostOrDoubled, unexplained, untilHealthy } from './support/invariants.ts';
import { type Attempt, figures, hangMs, startLoad, type Load } from './support/load.ts';
import { hashRows, replay } from './support/read-model-rows.ts';
import { answerText, type RecordingAgent } from './support/recording-agent.ts';
import { waitFor } from './support/wait-for.ts';

/** Requests of each kind that must succeed before a kill and again after it. */
const successesWanted = 3;
const kinds: readonly Attempt['kind'][] = ['register', 'redeem', 'call', 'stream', 'review', 'verify'];
const projectionKills = 4;
/** Each client makes unary calls with reviews and streamed calls at the same time. */
const callerCount = 4;
/** A caller of a dead proxy that nobody noticed would wait for this long, the deadline of its call with the default CALL_TIMEOUT_MS. */
const answerMsMax = 30_000 + callOverheadMs;
/** How often the read models are compared with a replay while exchanges still end. */
const looksMax = 10;

let stack: Stack;
let load: Load;
/** The ids of the called agents. */
let agents: Record<string, RecordingAgent>;

beforeAll(async () => {
  const registry = await startChaosRegistry({
    agents: {
      unary: answerText,
      streaming: async ({ mark, response }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let event = 0; event < 3; event += 1) {
          response.write(`data: ${mark} ${event}\n\n`);
          await new Promise(setImmediate);
        }
        response.end();
      },
    },
    callers: callerCount,
    callerFields: () => ({ org_domain: `${unique('caller')}.example` }),
  });
  ({ stack } = registry);
  const { unary, streaming } = registry.agents;
  agents = { [unary.agentId]: unary, [streaming.agentId]: streaming };
  const { key: orgKey } = await createOrganisation(stack);
  const receivers = { unary: unary.agentId, streaming: streaming.agentId };
  load = startLoad({ urls: stack.urls, orgKey, callers: registry.callers, receivers });
  return async () => {
    await load.stop();
    await registry.stop();
  };
});

const untilWorking = async (since: number): Promise<void> => {
  await waitFor(() => kinds.every((kind) => load.acknowledgedSince(kind, since) >= successesWanted), {
    description: `${successesWanted} successes of each of ${kinds.join(', ')}`,
  });
};

describe('kill -9 under load', () => {
  it.each(['call-proxy', 'registry-write', 'trust-projection', 'pay-proxy', 'gateway', 'nats-server', 'postgres'])(
    'of %s: the system recovers and clients succeed again',
    async (name) => {
      await untilWorking(performance.now());
      const restarts = stack.restartCount(name);
      stack.kill(name, 'SIGKILL');
      await waitFor(() => stack.restartCount(name) > restarts, { description: `a restart of ${name}` });
      await untilHealthy(stack);
      await untilWorking(performance.now());
      expect(stack.restartCount(name)).toBe(restarts + 1);
    },
  );

  it('restarts the killed process and no other', () => {
    expect(stack.processes().filter(({ restarts }) => restarts !== 1)).toEqual([]);
  });

  it('of trust-projection, repeatedly: it continues after its last commit', async () => {
    for (let kill = 0; kill < projectionKills; kill += 1) {
      await waitFor(() => stack.isReady(), { description: 'every process' });
      const restarts = stack.restartCount('trust-projection');
      stack.kill('trust-projection', 'SIGKILL');
      await waitFor(() => stack.restartCount('trust-projection') > restarts, { description: 'a restart' });
    }
    await untilHealthy(stack);
    expect(stack.restartCount('trust-projection')).toBe(1 + projectionKills);
  });

  it('of every process at once: the system recovers and clients succeed again', async () => {
    await untilWorking(performance.now());
    for (const { name } of stack.processes()) stack.kill(name, 'SIGKILL');
    // A service that is up before its database exits and is restarted.
    await waitFor(() => stack.processes().every(({ restarts }) => restarts >= 2), { description: 'all restarts' });
    await untilHealthy(stack);
    await untilWorking(performance.now());
    expect(stack.isReady()).toBe(true);
  });

  it('leaves no client waiting, and every answer has a meaningful code', async () => {
    const attempts = await load.stop();
    if (process.env['CHAOS_FIGURES'] !== undefined) process.stderr.write(figures(attempts));
    const slowest = Math.max(...attempts.map(({ durationMs }) => durationMs));
    expect(slowest).toBeLessThan(Math.min(answerMsMax, hangMs));
    expect(unexplained(attempts)).toEqual([]);
  });

  it('every acknowledged write is in the log and nothing counts twice', async () => {
    await untilHealthy(stack);
    await expectNothingLostOrDoubled(stack, load.attempts, agents);
  });

  it('the read models equal a replay', async () => {
    // Exchanges of killed proxies end by themselves, so an event may come between the two looks: then once more.
    for (let looks = 1; ; looks += 1) {
      const before = await hashRows(stack);
      const { code, output } = await replay(stack);
      expect(output).not.toMatch(/differ(?!ing: 0)/iu);
      expect(code, `the replay's exit code: ${output}`).toBe(0);
      const after = await hashRows(stack);
      if (looks < looksMax && after['log_clock_now'] !== before['log_clock_now']) continue;
      expect(after).toEqual(before);
      break;
    }
  });
});
