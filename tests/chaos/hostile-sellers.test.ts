/**
 * Bugs meant: what `hostile-agents` means for calls, on the path of payments: a seller that holds a payment up for ever, fills a process's
 * memory, has its broken answer taken for a whole one, or has something recorded.
 * Method: the same agents, and some that tell of a settlement where there is none, asked and paid through /pay, two rounds; an honest one's settlement is
 * on record afterwards, and nothing else. What was paid for passes through up to 1 GiB, so a payer who has got enough of an endless answer leaves;
 * one is read to its bound. Those that only keep a payer waiting cost no work, so they all do it at once beside the others. Resident memory is sampled as it is there; as nothing is held whole but
 * answers of 1 MiB that are no success, its bound is far below what any one answer has.
 */
import { relayOverheadMs } from '@agent-trust/contracts';
import type { Stack } from '@agent-trust/dev-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, createOrganisation, httpTo, type Member, registerAgent, unique } from '../support/registry.ts';
import { type Canary, startCanary } from './support/canary.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import {
  endlessEvents,
  type HostileAgent,
  type Hostility,
  hostilities,
  patient,
  startHostileAgent,
} from './support/hostile-agents.ts';
import { honestAnswer, lyingSellers, somePayment } from './support/lying-sellers.ts';
import { type PeakMemory, pidsOf, reportGrowth, watchMemory } from './support/peak-memory.ts';
import { readWholeLog } from './support/raw-log.ts';
import { runAll } from './support/run-all.ts';

const mebibyte = 1024 * 1024;
/** Longer than the second between two bytes of the slow ones. */
const callTimeoutMs = 1_500;
const rounds = 2;
const atOnce = 4;
/** A payer has seen enough of an answer without end. */
const enoughBytes = 4 * mebibyte;
/** No answer that has an end is longer. */
const wholeBytesMax = 16 * mebibyte;
/** Answers that are no success are held, up to this. */
const heldBytesMax = mebibyte;
/** Windows of four answers, and garbage of some hundred MiB that have passed through. */
const growthMax = 400 * mebibyte;
/** Between rounds: when garbage is collected is up to chance. */
const growthMaxLater = 100 * mebibyte;
const onTheWay = ['gateway', 'pay-proxy', 'nats-server'];

let stack: Stack;
let payer: Member;
let organisation: string;
let canary: Canary;
const agents: HostileAgent[] = [];

beforeAll(async () => {
  canary = await startCanary();
  stack = await startChaosStack({ CALL_TIMEOUT_MS: String(callTimeoutMs) });
  organisation = (await createOrganisation(stack)).key;
  payer = await registerAgent(httpTo(stack.url), { key: (await createOrganisation(stack)).key });
});
afterAll(async () => {
  await stack?.stop();
  for (const agent of agents) agent.stop();
  canary?.stop();
});

const register = async (answer: Hostility['answer']): Promise<string> => {
  const agent = await startHostileAgent(answer);
  agents.push(agent);
  const agentId = unique('hostile');
  await registerAgent(httpTo(stack.url), { key: organisation, agentId, fields: { endpoint_url: agent.url } });
  return agentId;
};

type End = 'whole' | 'refused' | 'broken' | 'left';
type Outcome = { end: End; status: number; code: unknown; bytes: number; tookMs: number };

/** Pays an agent and reads what comes, without keeping it, until it is over or the payer has enough. */
const pay = async (
  agentId: string,
  method: string,
  bytesEnough = enoughBytes,
  msEnough = Infinity,
): Promise<Outcome> => {
  const startedAt = performance.now();
  const leaving = new AbortController();
  const response = await fetch(new URL(`/pay/${agentId}`, stack.url), {
    method,
    redirect: 'manual',
    headers: { 'x-payment': somePayment, ...bearer(payer.key) },
    signal: leaving.signal,
  });
  const { status } = response;
  const reported = (end: End, bytes: number, code: unknown = null): Outcome => ({
    end,
    status,
    code,
    bytes,
    tookMs: performance.now() - startedAt,
  });
  if (status === 502) return reported('refused', 0, ((await response.json()) as { code: unknown }).code);
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes >= bytesEnough || performance.now() - startedAt >= msEnough) leaving.abort();
    }
  } catch {
    return reported(leaving.signal.aborted ? 'left' : 'broken', bytes);
  }
  return reported('whole', bytes);
};

/** What a byte a second keeps alive lives for as long as an answer may: its payer has to leave. */
const livesOn = new Set(['a byte a second']);

const isDecided = ({ name, unary }: Hostility, { end, status, code, bytes, tookMs }: Outcome): boolean => {
  if (status !== 200 && bytes > heldBytesMax) return false;
  if (end === 'whole') return unary.includes('completed');
  if (end === 'left') return livesOn.has(name) || bytes >= enoughBytes;
  const isClear = end === 'broken' || code === 'downstream_failed';
  return isClear && tookMs < callTimeoutMs + relayOverheadMs;
};

describe('hostile sellers', () => {
  it('cost each payer a decided answer in time, no process its memory, and record nothing', async () => {
    const all = [...hostilities(canary.url), ...lyingSellers];
    expect(all.filter(({ name }) => patient.has(name))).toHaveLength(patient.size);
    const targets = await Promise.all(
      all.map(async (hostility) => ({ ...hostility, agentId: await register(hostility.answer) })),
    );
    const honest = await register(honestAnswer);
    const harmless = await register((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
    for (let index = 0; index < 50; index += 1) await pay(harmless, 'GET');

    const faults: string[] = [];
    const tasksOf = (those: typeof targets): (() => Promise<void>)[] =>
      those.flatMap((hostility) =>
        ['GET', 'POST'].map((method) => async () => {
          const bytesEnough = hostility.unary.includes('completed') ? wholeBytesMax : enoughBytes;
          const msEnough = livesOn.has(hostility.name) ? callTimeoutMs * 2 : Infinity;
          const outcome = await pay(hostility.agentId, method, bytesEnough, msEnough);
          if (!isDecided(hostility, outcome)) faults.push(`${hostility.name}, ${method}: ${JSON.stringify(outcome)}`);
        }),
      );
    const waiting = tasksOf(targets.filter(({ name }) => patient.has(name)));
    const working = tasksOf(targets.filter(({ name }) => !patient.has(name)));
    const peaks: PeakMemory[] = [];
    const before = watchMemory(pidsOf(stack, onTheWay)).now();
    for (let round = 0; round < rounds; round += 1) {
      const memory = watchMemory(pidsOf(stack, onTheWay), before);
      await Promise.all([runAll(waiting, waiting.length), runAll(working, atOnce)]);
      peaks.push(memory.stop());
    }
    reportGrowth(`${waiting.length + working.length} payments a round`, peaks);
    expect(faults).toEqual([]);
    expect(canary.visits()).toBe(0);
    for (const name of onTheWay) {
      const growth = peaks.map((peak) => peak[name] ?? 0);
      expect(Math.max(...growth)).toBeLessThan(growthMax);
      expect(growth.at(-1)).toBeLessThan(Math.max(...growth.slice(0, -1)) + growthMaxLater);
    }
    expect(stack.processes().filter(({ restarts }) => restarts > 0)).toEqual([]);
    // An honest one is on record, so that the others could be.
    expect((await pay(honest, 'GET')).end).toBe('whole');
    const recorded = (await readWholeLog(stack)).filter(({ type }) => type === 'SettlementRecorded');
    expect(recorded.map(({ data }) => data['receiverAgentId'])).toEqual([honest]);
  }, 300_000);

  it('that answer without end are cut at 1 GiB, which no process holds', async () => {
    const agentId = await register(endlessEvents);
    const memory = watchMemory(pidsOf(stack, onTheWay));
    const { end, bytes } = await pay(agentId, 'GET', Infinity);
    const growth = memory.stop();
    reportGrowth('1 GiB', [growth]);
    expect(end).toBe('broken');
    expect(bytes).toBeGreaterThan(1_000 * mebibyte);
    expect(bytes).toBeLessThanOrEqual(1_024 * mebibyte);
    for (const name of onTheWay) expect(growth[name]).toBeLessThan(150 * mebibyte);
  }, 300_000);
});
