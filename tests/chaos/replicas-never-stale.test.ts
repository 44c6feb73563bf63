/**
 * Bugs: a gateway that answers from memory shows an agent as it was before an acknowledged change, or as it was before another gateway had
 * shown the change: after a pause, a kill, a change of the leader, or while its messages of the bus come late.
 * Method: three gateways, and one whose connection to the bus is held up again and again while it answers HTTP; each of a few agents is changed again and again, every time to a higher number, while readers ask all gateways
 * without pause. What a reader gets must not be lower than what was acknowledged or shown before it asked. Meanwhile gateways are stopped and
 * continued, and gateways and the leader are killed. The gateway that the changes go through is left alone: a change without an answer
 * could come after a later one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@agent-trust/dev-stack';
import { runs } from '@agent-trust/test-kit/runs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Answer,
  createOrganisation,
  type Http,
  httpTo,
  orgKey,
  registerAgent,
  unique,
} from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { untilHealthy } from './support/invariants.ts';
import { type LateGateway, startLateGateway } from './support/late-gateway.ts';
import { waitFor } from './support/wait-for.ts';

const readsWanted = runs(6_000, 100_000);
const roundsMin = runs(1, 8);
/** On a busy machine it takes minutes to ask so often. */
const timeoutMs = runs(1_200_000, 4_800_000);
const agentCount = 4;
const readersPerGateway = 4;
/** Between two reads of a reader, so that the readers leave the processor to the system. */
const readPauseMs = 4;
/** A gateway is paused for longer than its lease and what its leader waits. */
const pausesMs = [300, 700, 1_500];
/** For how long the bus of one gateway is held up, and then not. Less than a lease, so that it stays a member most of the time. */
const [heldUpMs, freeMs] = [60, 100];

let stack: Stack;
let late: LateGateway;
let key: string;
const agents: string[] = [];
beforeAll(async () => {
  stack = await startChaosStack({ GATEWAYS: '3', TRUST_PROXY: '127.0.0.1' });
  ({ key } = await createOrganisation(stack));
  for (let index = 0; index < agentCount; index += 1) {
    const agentId = unique('changing');
    await registerAgent(httpTo(stack.url), { key, agentId, fields: { specialty: '0' } });
    agents.push(agentId);
  }
  late = await startLateGateway(stack);
});
afterAll(async () => {
  await late?.stop();
  await stack?.stop();
});

/** Answers that a gateway may give from memory. There are three for four agents, so each reader asks each of every agent. */
const readings: readonly ((http: Http, agentId: string) => Promise<Answer>)[] = [
  (http, agentId) => http.post('/verify', { agent_id: agentId }),
  (http, agentId) => http.get(`/agent/${agentId}`),
  (http, agentId) => http.post('/verify/batch', { agent_ids: [agentId] }),
];

/** Null while a gateway is down. */
const attempt = (asked: Promise<Answer>): Promise<Answer | null> => asked.catch(() => null);

it('shows no change late, and none is seen and then missed', { timeout: timeoutMs }, async () => {
  const acknowledged = new Map(agents.map((agentId) => [agentId, 0]));
  const shown = new Map(agents.map((agentId) => [agentId, 0]));
  const wrong: string[] = [];
  let reads = 0;
  let writes = 0;
  let isOver = false;

  const write = async (agentId: string): Promise<void> => {
    for (let value = 1; !isOver; value += 1) {
      const body = { agent_id: agentId, specialty: String(value) };
      const answer = await attempt(httpTo(stack.url).post('/update', body, orgKey(key)));
      if (answer?.status === 200) {
        acknowledged.set(agentId, Math.max(acknowledged.get(agentId) ?? 0, value));
        writes += 1;
      }
      await delay(5);
    }
  };
  const read = async (url: string, reader: number): Promise<void> => {
    const http = httpTo(url);
    for (let turn = reader; !isOver; turn += 1) {
      const agentId = agents[turn % agents.length] ?? '';
      const need = Math.max(acknowledged.get(agentId) ?? 0, shown.get(agentId) ?? 0);
      const asked = readings[turn % readings.length]!;
      const answer = await attempt(asked(http, agentId));
      if (answer?.status !== 200) {
        await delay(20);
        continue;
      }
      reads += 1;
      const value = Number((answer.list[0] ?? answer.body)['specialty']);
      if (!(value >= need))
        wrong.push(`${url} showed ${agentId} at ${value}; ${need} was acknowledged or shown before`);
      shown.set(agentId, Math.max(shown.get(agentId) ?? 0, value));
      await delay(readPauseMs);
    }
  };
  const holdUp = async (): Promise<void> => {
    while (!isOver) {
      late.bus.stall();
      await delay(heldUpMs);
      late.bus.resume();
      await delay(freeMs);
    }
  };
  const working = [
    holdUp(),
    ...agents.map(write),
    ...[...stack.urls, late.url].flatMap((url) =>
      Array.from({ length: readersPerGateway }, (_, reader) => read(url, reader)),
    ),
  ];
  const gateways = stack
    .processes()
    .flatMap(({ name }) => (name.startsWith('gateway') ? [name] : []))
    .slice(1);
  try {
    for (let round = 0; round < roundsMin || reads < readsWanted; round += 1) {
      for (const pauseMs of pausesMs) {
        const name = gateways[round % gateways.length] ?? 'gateway';
        stack.kill(name, 'SIGSTOP');
        await delay(pauseMs);
        stack.kill(name, 'SIGCONT');
        await delay(300);
      }
      for (const name of [gateways[(round + 1) % gateways.length] ?? 'gateway', 'trust-projection']) {
        const restarts = stack.restartCount(name);
        stack.kill(name, 'SIGKILL');
        await waitFor(() => stack.restartCount(name) > restarts, { description: `a restart of ${name}` });
        await untilHealthy(stack);
        await delay(2_000);
      }
      expect(wrong).toEqual([]);
    }
  } finally {
    isOver = true;
    await Promise.all(working);
  }
  expect(wrong).toEqual([]);
  expect(writes).toBeGreaterThan(runs(20, 1_000));
});
