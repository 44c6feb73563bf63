/**
 * Bugs: an agent blocks a call forever, exhausts a process's memory, leaves an exchange without an end or with two, or makes the registry
 * contact an address of the agent's choice.
 * Method: agents that misbehave in every known way, through the whole stack, called for one answer and for a stream, over a few rounds. Each
 * call must get the expected answer within the agent's time limit, each exchange must end once and as expected, and no process may crash.
 * Memory: the resident memory of each process on the way is sampled ten times a second. Its peak may exceed the level after a warm-up by no
 * more than a bound, a fraction of what any one agent sends (1 GB), and rounds may not go on to peak above the earlier ones.
 */
import { callOverheadMs } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
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
import { leavesOpen, untilServed } from './support/until-served.ts';
import { waitFor } from './support/wait-for.ts';

const mebibyte = 1024 * 1024;
/** Longer than the second between two bytes of the slow agents; floods last as long. */
const callTimeoutMs = 2_000;
/** A stream with a longer silence shows nothing: this process, and with it the agent, was late, and the agent's limit may have ended the call. */
const silenceMsMax = callTimeoutMs * 0.75;
const rounds = runs(2, 3);
/** Further rounds where the last one peaked above the earlier ones: what is kept grows in each of them, and a garbage collection that came late does not. */
const roundsMore = 3;
/** Concurrent calls. */
const atOnce = 4;
const onTheWay = ['gateway', 'call-proxy', 'nats-server'];
/** How often an agent is called once more that a busy machine kept from being as it is meant. */
const timesAgain = 5;
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

type Outcome = {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
  bytes: number;
  broken: boolean;
  tookMs: number;
  /** The longest time without a byte, from the request to the end. */
  silenceMs: number;
};

/** Calls an agent and reads the answer without keeping it, to its end or until the caller has enough. */
const callAgent = async (
  agentId: string,
  method: string,
  { bytesEnough = Infinity, msEnough = Infinity, from = caller } = {},
): Promise<Outcome> => {
  const startedAt = performance.now();
  let heardAt = startedAt;
  let silenceMs = 0;
  const heard = (): void => {
    const now = performance.now();
    silenceMs = Math.max(silenceMs, now - heardAt);
    heardAt = now;
  };
  const leaving = new AbortController();
  const response = await request(agentId, method, leaving.signal, from);
  heard();
  const { status, headers } = response;
  const body = status === 200 ? {} : ((await response.json()) as Record<string, unknown>);
  let bytes = 0;
  let broken = false;
  if (status === 200) {
    try {
      for await (const chunk of response.body ?? []) {
        heard();
        bytes += chunk.length;
        if (bytes >= bytesEnough || heardAt - startedAt >= msEnough) leaving.abort();
      }
    } catch {
      broken = true;
    }
  }
  heard();
  return { status, body, headers, bytes, broken, tookMs: heardAt - startedAt, silenceMs };
};

/** Whether each decision has an end of its own, with no end left over but those of calls that may have been made. */
const canBe = (ends: readonly string[], decided: readonly (readonly string[])[], mayBeMade: number): boolean => {
  // Exchanges with fewer choices first, so that none loses its only one to another.
  const open = decided.toSorted((one, other) => one.length - other.length);
  const left = [...ends];
  for (const allowed of open) {
    const at = left.findIndex((end) => allowed.includes(end));
    if (at === -1) return false;
    left.splice(at, 1);
  }
  return left.length <= mayBeMade;
};

/** Calls an agent that is never silent for long, again if it was. */
const untilHeard = async <Call extends { outcome: Outcome }>(call: () => Promise<Call>): Promise<Call> => {
  for (let again = 0; ; again += 1) {
    const called = await call();
    if (called.outcome.silenceMs < silenceMsMax || again === timesAgain) return called;
  }
};

/** How the exchanges of an agent ended, once all of them have. */
const endsOfAgent = (agentId: string): Promise<string[]> =>
  waitFor(
    async () => {
      const ends = (await endsOf(stack)).get(agentId);
      return ends?.includes('open') === false ? ends : null;
    },
    { description: 'the end of the exchange' },
  );

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
    /** The calls of an agent of which a registry that was too busy did not know whether they were made; they were repeated. */
    const leftOpen = new Map<string, number>();
    const tasksOf = (some: readonly (typeof targets)[number][], free: Member[]) =>
      some.flatMap(({ name, agentId, unary, stream }) =>
        (
          [
            ['message/send', unary],
            ['message/stream', stream],
          ] as const
        ).map(([method, ends]) => async () => {
          const from = free.pop() ?? caller;
          const outcome = await untilServed(async () => {
            const answered = await callAgent(agentId, method, { from });
            if (leavesOpen(answered)) leftOpen.set(agentId, (leftOpen.get(agentId) ?? 0) + 1);
            return answered;
          });
          if (from !== caller) free.push(from);
          // On a busy machine even an agent that answers at once can be late; then, and only then, its limit may have ended the call.
          const allowed = outcome.tookMs < callTimeoutMs ? ends : [...ends, 'timeout' as const];
          allowedEnds.set(agentId, [...(allowedEnds.get(agentId) ?? []), allowed]);
          meantEnds.set(agentId, new Set([...(meantEnds.get(agentId) ?? []), ...ends]));
          const isWhole = outcome.status === 200 && !outcome.broken;
          const isRefused =
            (outcome.status === 502 && outcome.body['code'] === 'downstream_failed') ||
            (method === 'message/stream' && outcome.broken);
          const asDecided = allowed.some((end) => (end === 'completed' ? isWhole : isRefused));
          // An answer that came whole was in time; its way to the caller takes as long as the machine needs.
          const inTime = isWhole || outcome.tookMs < callTimeoutMs + callOverheadMs;
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
    const growing = (): string[] =>
      onTheWay.filter((name) => {
        const growth = peaks.map((peak) => peak[name] ?? 0);
        return (growth.at(-1) ?? 0) >= Math.max(...growth.slice(0, -1)) + growthMaxLater;
      });
    for (let round = 0; round < rounds || (round < rounds + roundsMore && growing().length > 0); round += 1) {
      const memory = watchMemory(pidsOf(stack, onTheWay), before);
      const floods = round === 0 ? [...once, ...heavy] : heavy;
      await Promise.all([runAll(floods, atOnce).then(() => runAll(light, atOnce)), runAll(waiting, waiting.length)]);
      peaks.push(memory.stop());
    }
    reportGrowth(`${waiting.length + light.length + heavy.length} calls a round, ${once.length} once`, peaks);
    expect(faults).toEqual([]);
    expect(canary.visits()).toBe(0);
    for (const name of onTheWay) expect(Math.max(...peaks.map((peak) => peak[name] ?? 0))).toBeLessThan(growthMax);
    expect([growing(), peaks]).toEqual([[], peaks]);
    expect(stack.processes().filter(({ restarts }) => restarts > 0)).toEqual([]);

    const names = new Map(targets.map(({ agentId, name }) => [agentId, name]));
    const neverAsMeant = async (): Promise<string[]> => {
      const ends = await endsOf(stack);
      return [...meantEnds].flatMap(([agentId, meant]) =>
        ends.get(agentId)?.some((end) => meant.has(end)) === true ? [] : [agentId],
      );
    };
    // A machine that was too busy each time for an agent to be as it is meant: now there is nothing beside it.
    for (let again = 0; again < timesAgain; again += 1)
      for (const agentId of await neverAsMeant())
        for (const task of tasksOf(
          targets.filter((target) => target.agentId === agentId),
          callers,
        ))
          await task();
    expect(faults).toEqual([]);
    // A stream may break off before its end is on record.
    const ends = await waitFor(
      async () => {
        const all = await endsOf(stack);
        return [...all.values()].flat().includes('open') ? null : all;
      },
      { description: 'an end of every exchange' },
    );
    const otherEnds = [...allowedEnds]
      .filter(([agentId, allowed]) => !canBe(ends.get(agentId) ?? [], allowed, leftOpen.get(agentId) ?? 0))
      .map(([agentId, allowed]) => ({ name: names.get(agentId), ends: ends.get(agentId), allowed }));
    expect(otherEnds).toEqual([]);
    expect((await neverAsMeant()).map((agentId) => names.get(agentId))).toEqual([]);
    expect((await untilServed(() => callAgent(harmless, 'message/send'))).status).toBe(200);
  }, 900_000);

  it('that send endless events are cut at 1 GiB, or when the caller leaves, and no process buffers it', async () => {
    const { agentId, outcome, growth } = await untilHeard(async () => {
      const endless = await register(endlessEvents);
      const memory = watchMemory(pidsOf(stack, onTheWay));
      const ended = await callAgent(endless, 'message/stream', { bytesEnough: endlessBytesRead });
      return { agentId: endless, outcome: ended, growth: memory.stop() };
    });
    reportGrowth('endless events', [growth]);
    const { status, bytes, broken } = outcome;
    expect([status, broken]).toEqual([200, true]);
    expect(bytes).toBeGreaterThanOrEqual(Math.min(endlessBytesRead, 1_000 * mebibyte));
    expect(bytes).toBeLessThanOrEqual(1_024 * mebibyte);
    for (const name of onTheWay) expect(growth[name]).toBeLessThan(150 * mebibyte);
    const end = endlessBytesRead === Infinity ? 'too_large' : 'cancelled';
    expect(await endsOfAgent(agentId)).toEqual([end]);
  }, 900_000);

  it('that send a byte per second delay only their own caller, who can disconnect', async () => {
    // Longer than the agent's idle timeout: each byte restarts it.
    const msEnough = callTimeoutMs * 2;
    const { agentId, outcome } = await untilHeard(async () => {
      const slow = await register(slowEvents);
      return { agentId: slow, outcome: await callAgent(slow, 'message/stream', { msEnough }) };
    });
    expect(outcome).toMatchObject({ status: 200, broken: true });
    expect(outcome.bytes).toBeGreaterThan('data: '.length);
    expect(outcome.tookMs).toBeGreaterThanOrEqual(msEnough);
    expect(await endsOfAgent(agentId)).toEqual(['cancelled']);
  });
});
