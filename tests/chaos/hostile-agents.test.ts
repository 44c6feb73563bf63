/**
 * Bugs: an agent blocks a call forever, exhausts a process's memory, leaves an exchange without an end or with two, or makes the registry
 * contact an address of the agent's choice.
 * Method: agents that misbehave in every known way, through the whole stack, called for one answer and for a stream, over a few rounds. Each
 * call must get the expected answer within the agent's time limit, each exchange must end once and as expected, and no process may crash.
 * Memory: the resident memory of each process on the way is sampled ten times a second. Its peak may exceed the level after a warm-up by no
 * more than a bound, a fraction of what any one agent sends (1 GB), and the last round may not peak above the earlier ones.
 */
import type { Stack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { runs } from '@agent-trust/test-kit/runs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { type Canary, startCanary } from './support/canary.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import {
  endlessBytesRead,
  endlessEvents,
  type HostileAgent,
  type Hostility,
  hostilities,
  patient,
  slowEvents,
  startHostileAgent,
  tireless,
} from './support/hostile-agents.ts';
import { type PeakMemory, pidsOf, reportGrowth, watchMemory } from './support/peak-memory.ts';
import { endsOf } from './support/raw-log.ts';
import { runAll } from './support/run-all.ts';

const mebibyte = 1024 * 1024;
/** Longer than the second between two bytes of the slow agents; floods last as long. */
const callTimeoutMs = 2_000;
/** Extra time for a call beyond its agent's limit before the gateway itself gives up. */
const overheadMsMax = 10_000;
const rounds = runs(2, 3);
/** Concurrent calls. */
const atOnce = 4;
const onTheWay = ['gateway', 'call-proxy', 'nats-server'];
/** Four concurrent answers of 10 MiB, each as bytes, text and parsed value, and the same again as garbage. */
const growthMax = 500 * mebibyte;
/** Allowance between rounds: the time of a garbage collection is random. */
const growthMaxLater = 100 * mebibyte;

let stack: Stack;
let caller: Member;
/** One for each concurrent call, each of an organisation of its own: the long answers to one caller wait for each other. */
let callers: Member[];
let organisation: string;
let canary: Canary;
const agents: HostileAgent[] = [];

beforeAll(async () => {
  canary = await startCanary();
  stack = await startChaosStack({ CALL_TIMEOUT_MS: String(callTimeoutMs) });
  organisation = (await createOrganisation(stack)).key;
  const newCaller = async (): Promise<Member> =>
    registerAgent(httpTo(stack.url), { key: (await createOrganisation(stack)).key });
  caller = await newCaller();
  callers = await Promise.all(Array.from({ length: atOnce }, newCaller));
});
afterAll(async () => {
  await stack?.stop();
  for (const agent of agents) agent.stop();
  canary?.stop();
});

const register = async (answer: Hostility['answer'], fields: Hostility['fields'] = {}): Promise<string> => {
  const agent = await startHostileAgent(answer);
  agents.push(agent);
  const agentId = unique('hostile');
  await registerAgent(httpTo(stack.url), {
    key: organisation,
    agentId,
    fields: { endpoint_url: agent.url, ...fields },
  });
  return agentId;
};

const request = (agentId: string, method: string, signal: AbortSignal, from = caller): Promise<Response> =>
  fetch(new URL('/call', stack.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(from.key) },
    body: JSON.stringify(callBody(from, agentId, textMessage('x', method))),
    signal,
  });

type Outcome = { status: number; code: unknown; bytes: number; broken: boolean; tookMs: number };

/** Calls an agent and reads the answer without keeping it, to its end or until the caller has enough. */
const callAgent = async (
  agentId: string,
  method: string,
  { bytesEnough = Infinity, from = caller } = {},
): Promise<Outcome> => {
  const startedAt = performance.now();
  const leaving = new AbortController();
  const response = await request(agentId, method, leaving.signal, from);
  const { status } = response;
  const code = status === 200 ? null : ((await response.json()) as { code: unknown }).code;
  let bytes = 0;
  let broken = false;
  if (status === 200) {
    try {
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length;
        if (bytes >= bytesEnough) leaving.abort();
      }
    } catch {
      broken = true;
    }
  }
  return { status, code, bytes, broken, tookMs: performance.now() - startedAt };
};

/** Whether each end can be assigned to a different exchange, with none left over. */
const canBe = (ends: readonly string[], decided: readonly (readonly string[])[]): boolean => {
  // Exchanges with fewer choices first, so that none loses its only one to another.
  const open = decided.toSorted((one, other) => one.length - other.length);
  const left = [...ends];
  for (const allowed of open) {
    const at = left.findIndex((end) => allowed.includes(end));
    if (at === -1) return false;
    left.splice(at, 1);
  }
  return left.length === 0;
};

describe('calls to hostile agents', () => {
  it('end with the expected answer in time and one end of each exchange, within the memory bound', async () => {
    const all = hostilities(canary.url);
    const targets = await Promise.all(
      all.map(async (hostility) => ({ ...hostility, agentId: await register(hostility.answer, hostility.fields) })),
    );
    const harmless = await register((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
    for (let index = 0; index < 50; index += 1) await callAgent(harmless, 'message/send');

    const faults: string[] = [];
    /** The ends that each call of an agent may have, and those that the agent is meant to bring about. */
    const allowedEnds = new Map<string, (readonly string[])[]>();
    const meantEnds = new Map<string, ReadonlySet<string>>();
    const tasksOf = (some: readonly (typeof targets)[number][], free: Member[]) =>
      some.flatMap(({ name, agentId, unary, stream }) =>
        (
          [
            ['message/send', unary],
            ['message/stream', stream],
          ] as const
        ).map(([method, ends]) => async () => {
          const from = free.pop() ?? caller;
          const outcome = await callAgent(agentId, method, { from });
          if (from !== caller) free.push(from);
          // On a busy machine even an agent that answers at once can be late; then, and only then, its limit may have ended the call.
          const allowed = outcome.tookMs < callTimeoutMs ? ends : [...ends, 'timeout' as const];
          allowedEnds.set(agentId, [...(allowedEnds.get(agentId) ?? []), allowed]);
          meantEnds.set(agentId, new Set([...(meantEnds.get(agentId) ?? []), ...ends]));
          const isWhole = outcome.status === 200 && !outcome.broken;
          const isRefused =
            (outcome.status === 502 && outcome.code === 'downstream_failed') ||
            (method === 'message/stream' && outcome.broken);
          const asDecided = allowed.some((end) => (end === 'completed' ? isWhole : isRefused));
          // An answer that came whole was in time; its way to the caller takes as long as the machine needs.
          const inTime = isWhole || outcome.tookMs < callTimeoutMs + overheadMsMax;
          if (!asDecided || !inTime)
            faults.push(`${name}, ${method}, ${ends.join(' or ')}: ${JSON.stringify(outcome)}`);
        }),
      );

    // Agents that only keep a caller waiting cause no work, so all of them run at once, beside the others.
    const waiting = tasksOf(
      targets.filter(({ name }) => patient.has(name)),
      [],
    );
    const isHeavy = ({ unary, stream }: Hostility): boolean => unary.length > 1 || stream.length > 1;
    const atWork = targets.filter(({ name }) => !patient.has(name) && !tireless.has(name));
    // Where the machine's speed may not decide the end, no flood runs beside it.
    const light = tasksOf(
      atWork.filter((hostility) => !isHeavy(hostility)),
      callers,
    );
    const heavy = tasksOf(atWork.filter(isHeavy), callers);
    const once = tasksOf(
      targets.filter(({ name }) => tireless.has(name)),
      callers,
    );
    const peaks: PeakMemory[] = [];
    const before = watchMemory(pidsOf(stack, onTheWay)).now();
    for (let round = 0; round < rounds; round += 1) {
      const memory = watchMemory(pidsOf(stack, onTheWay), before);
      const floods = round === 0 ? [...once, ...heavy] : heavy;
      await Promise.all([runAll(floods, atOnce).then(() => runAll(light, atOnce)), runAll(waiting, waiting.length)]);
      peaks.push(memory.stop());
    }
    reportGrowth(`${waiting.length + light.length + heavy.length} calls a round, ${once.length} once`, peaks);
    expect(faults).toEqual([]);
    expect(canary.visits()).toBe(0);
    for (const name of onTheWay) {
      const growth = peaks.map((peak) => peak[name] ?? 0);
      expect(Math.max(...growth)).toBeLessThan(growthMax);
      expect(growth.at(-1)).toBeLessThan(Math.max(...growth.slice(0, -1)) + growthMaxLater);
    }
    expect(stack.processes().filter(({ restarts }) => restarts > 0)).toEqual([]);

    const names = new Map(targets.map(({ agentId, name }) => [agentId, name]));
    const ends = await endsOf(stack);
    const otherEnds = [...allowedEnds]
      .filter(([agentId, allowed]) => !canBe(ends.get(agentId) ?? [], allowed))
      .map(([agentId, allowed]) => ({ name: names.get(agentId), ends: ends.get(agentId), allowed }));
    expect(otherEnds).toEqual([]);
    const neverAsMeant = [...meantEnds]
      .filter(([agentId, meant]) => !ends.get(agentId)?.some((end) => meant.has(end)))
      .map(([agentId]) => names.get(agentId));
    expect(neverAsMeant).toEqual([]);
    expect((await callAgent(harmless, 'message/send')).status).toBe(200);
  }, 300_000);

  it('that send endless events are cut at 1 GiB, or when the caller leaves, and no process buffers it', async () => {
    const agentId = await register(endlessEvents);
    const memory = watchMemory(pidsOf(stack, onTheWay));
    const { status, bytes, broken } = await callAgent(agentId, 'message/stream', { bytesEnough: endlessBytesRead });
    const growth = memory.stop();
    reportGrowth('endless events', [growth]);
    expect([status, broken]).toEqual([200, true]);
    expect(bytes).toBeGreaterThanOrEqual(Math.min(endlessBytesRead, 1_000 * mebibyte));
    expect(bytes).toBeLessThanOrEqual(1_024 * mebibyte);
    for (const name of onTheWay) expect(growth[name]).toBeLessThan(150 * mebibyte);
    const end = endlessBytesRead === Infinity ? 'too_large' : 'cancelled';
    await waitFor(async () => (await endsOf(stack)).get(agentId)?.length === 1, {
      description: 'the end of the exchange',
    });
    expect((await endsOf(stack)).get(agentId)).toEqual([end]);
  }, 300_000);

  it('that send a byte per second delay only their own caller, who can disconnect', async () => {
    const agentId = await register(slowEvents);
    const leaving = new AbortController();
    const response = await request(agentId, 'message/stream', leaving.signal);
    const startedAt = performance.now();
    let bytes = 0;
    // Longer than the agent's idle timeout: each byte restarts it.
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (performance.now() - startedAt > callTimeoutMs * 2) break;
    }
    leaving.abort();
    expect(bytes).toBeGreaterThan('data: '.length);
    await waitFor(async () => (await endsOf(stack)).get(agentId)?.length === 1, {
      description: 'the end of the exchange',
    });
    expect((await endsOf(stack)).get(agentId)).toEqual(['cancelled']);
  });
});
