import { readFileSync } from 'node:fs';
import type { Stack } from '@agent-trust/dev-stack';
import pg from 'pg';
import { Pool } from 'undici';
import { bearer, callBody, createOrganisation, httpTo, registerAgent } from '../support/registry.ts';
import { startHelper } from './helper-process.ts';
import { processTree } from './memory.ts';

const callsCounted = 2_000;
const workers = 32;
/** Linux counts processor time in hundredths of a second. */
export const tickMs = 10;

/** The average cost of one call, in figures that hardly depend on the size of the machine. */
export type CallCost = {
  /** Processor time of each service and its children, milliseconds. */
  cpuMs: Readonly<Record<string, number>>;
  /** Bytes that the message bus reads and writes. */
  busBytesIn: number;
  busBytesOut: number;
  /** Bytes that Postgres adds to its write-ahead log and to its tables. */
  walBytes: number;
  storedBytes: number;
  /** Transactions that Postgres commits. */
  commits: number;
};

/** Processor time of a process, in ticks; 0 if it is gone. */
export function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

const bytesOf = (pid: number): { read: number; written: number } => {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8');
  const counter = (name: string): number => Number(new RegExp(`^${name}: (\\d+)`, 'mu').exec(io)?.[1] ?? 0);
  return { read: counter('rchar'), written: counter('wchar') };
};

type Counters = {
  cpuMs: Map<string, number>;
  bus: { read: number; written: number };
  wal: number;
  stored: number;
  commits: number;
};

const count = async (stack: Stack, database: pg.Client): Promise<Counters> => {
  const cpuMs = new Map<string, number>();
  for (const { name, pid } of stack.processes()) {
    if (pid === undefined) continue;
    const pids = await processTree([pid]);
    cpuMs.set(name, tickMs * pids.reduce((sum, one) => sum + ticksOf(one), 0));
  }
  const bus = stack.processes().find(({ name }) => name === 'nats-server')?.pid;
  if (bus === undefined) throw new Error('The benchmark needs the embedded message bus: unset NATS_URL.');
  const { rows } = await database.query<{ wal: string; stored: string; commits: string }>(
    `SELECT pg_current_wal_lsn() - '0/0' AS wal, pg_database_size(current_database()) AS stored,
       (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS commits
     FROM pg_stat_clear_snapshot()`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('Postgres returned no row');
  return {
    cpuMs,
    bus: bytesOf(bus),
    wal: Number(row.wal),
    stored: Number(row.stored),
    commits: Number(row.commits),
  };
};

/** Measures the cost of calls by the counters of the system and of Postgres; no clock is involved. Linux only. */
export async function countCallCost(stack: Stack, databaseUrl: string): Promise<CallCost> {
  const http = httpTo(stack.url);
  const agent = await startHelper('agent.ts');
  const pool = new Pool(stack.url, { connections: workers });
  const database = new pg.Client({ connectionString: databaseUrl });
  try {
    await database.connect();
    const caller = await registerAgent(http, { key: (await createOrganisation(stack)).key });
    const other = await createOrganisation(stack);
    const receiver = await registerAgent(http, { key: other.key, fields: { endpoint_url: agent.url } });
    const body = JSON.stringify(callBody(caller, receiver.agentId));
    const headers = { 'content-type': 'application/json', ...bearer(caller.key) };
    const call = async (): Promise<void> => {
      const response = await pool.request({ path: '/call', method: 'POST', headers, body });
      await response.body.dump();
      if (response.statusCode !== 200) throw new Error(`a call returned ${response.statusCode}`);
    };
    const callMany = async (calls: number): Promise<void> => {
      let left = calls;
      const work = async (): Promise<void> => {
        while (left-- > 0) await call();
      };
      await Promise.all(Array.from({ length: workers }, work));
    };
    // The first calls open connections, fill caches and compile code; they do not count.
    await callMany(callsCounted / 4);
    const before = await count(stack, database);
    await callMany(callsCounted);
    const after = await count(stack, database);
    const each = (total: number): number => total / callsCounted;
    return {
      cpuMs: Object.fromEntries(
        Array.from(after.cpuMs, ([name, ms]) => [name, each(ms - (before.cpuMs.get(name) ?? 0))] as const),
      ),
      busBytesIn: each(after.bus.read - before.bus.read),
      busBytesOut: each(after.bus.written - before.bus.written),
      walBytes: each(after.wal - before.wal),
      storedBytes: each(after.stored - before.stored),
      commits: each(after.commits - before.commits),
    };
  } finally {
    await database.end();
    await pool.close();
    await agent.stop();
  }
}
