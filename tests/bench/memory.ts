import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findRunningStack } from '@agent-trust/dev-stack';
import { bearer, callBody, createOrganisation, httpTo, registerAgent } from '../support/registry.ts';
import { startHelper } from './helper-process.ts';
import { load } from './load.ts';
import { startByCommand } from './start-command.ts';

/** Seconds without requests before memory is read: processes return memory when they have been idle for two looks. */
const quietSeconds = 20;
const connections = 32;

export type MemoryBench = {
  /** Of the whole system including its supervisor, MiB; null where it cannot be read. */
  idleMib: number | null;
  afterLoadMib: number | null;
  /** By process, idle and after the load. */
  byProcess: readonly { name: string; idleMib: number; afterLoadMib: number }[];
};

/** Memory of a system started by `npm start`: idle, and when it is quiet again after verifications, registrations and calls. */
export async function benchMemory(seconds: number): Promise<MemoryBench> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-trust-bench-memory-'));
  const { url, pid, stop } = await startByCommand(folder);
  try {
    const adminKey = findRunningStack(folder)?.environment['ADMIN_KEY'];
    if (adminKey === undefined) throw new Error('the system has left no record of itself');
    await delay(quietSeconds * 1_000);
    const idle = await memoryByProcess(pid);
    await loadAll({ url, adminKey }, seconds);
    await delay(quietSeconds * 1_000);
    const afterLoad = await memoryByProcess(pid);
    const sum = (sizes: ReadonlyMap<string, number>): number | null =>
      sizes.size === 0 ? null : [...sizes.values()].reduce((total, mib) => total + mib, 0);
    return {
      idleMib: sum(idle),
      afterLoadMib: sum(afterLoad),
      byProcess: Array.from(idle, ([name, idleMib]) => ({ name, idleMib, afterLoadMib: afterLoad.get(name) ?? 0 })),
    };
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const loadAll = async (registry: { url: string; adminKey: string }, seconds: number): Promise<void> => {
  const { url } = registry;
  const http = httpTo(url);
  const agent = await startHelper('agent.ts');
  try {
    const { key } = await createOrganisation(registry);
    const caller = await registerAgent(http, { key });
    const receiver = await registerAgent(http, { key, fields: { endpoint_url: agent.url } });
    const json = { 'content-type': 'application/json' };
    const post = { method: 'POST', headers: { ...json, ...bearer(caller.key) } } as const;
    const body = JSON.stringify({ agent_id: receiver.agentId });
    await load({ url: `${url}/verify`, ...post, body }, connections, seconds);
    await load(
      { url: `${url}/call`, ...post, body: JSON.stringify(callBody(caller, receiver.agentId)) },
      connections,
      seconds,
    );
  } finally {
    await agent.stop();
  }
};

/** Proportional set sizes below a supervisor, MiB, summed up by the program's name. */
const memoryByProcess = async (supervisor: number): Promise<Map<string, number>> => {
  const sizes = new Map<string, number>();
  for (const pid of await processTree([supervisor])) {
    const mib = await memoryOf([pid]);
    if (mib === null) continue;
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
    const name =
      pid === supervisor
        ? 'supervisor'
        : (/services\/([a-z-]+)\//u.exec(command)?.[1] ?? /nats|postgres/u.exec(command)?.[0]);
    sizes.set(name ?? 'other', (sizes.get(name ?? 'other') ?? 0) + mib);
  }
  return sizes;
};

/** Proportional set size of processes in MiB: a shared page is split among the processes that share it (Linux only; null elsewhere). */
export async function memoryOf(pids: readonly number[]): Promise<number | null> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      try {
        const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
        return Number(/^Pss:\s+(\d+) kB/mu.exec(rollup)?.[1] ?? 0) / 1024;
      } catch {
        return null;
      }
    }),
  );
  const known = sizes.filter((size) => size !== null);
  return known.length === 0 ? null : known.reduce((sum, size) => sum + size, 0);
}

/** A process and all of its descendants. */
export async function processTree(rootPids: readonly number[]): Promise<number[]> {
  const { readdir } = await import('node:fs/promises');
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc').catch(() => [] as string[])) {
    if (!/^\d+$/u.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (Number.isInteger(parent)) parents.set(Number(name), parent);
  }
  const found = new Set(rootPids);
  for (let grew = true; grew; ) {
    grew = false;
    for (const [pid, parent] of parents) {
      if (found.has(parent) && !found.has(pid)) {
        found.add(pid);
        grew = true;
      }
    }
  }
  return [...found];
}
