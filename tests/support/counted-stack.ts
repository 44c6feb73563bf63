import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { freePort, startEmbeddedPostgres, startNatsServer } from '@agent-trust/embedded-servers';
import pg from 'pg';
import { beginsWithV1 } from './first-policy.ts';

/** Work of the whole system that does not depend on the machine. */
export type Counts = {
  /** Without BEGIN and COMMIT. */
  statements: number;
  transactions: number;
  /** Published to the message bus. */
  messages: number;
  /** Of the database's write-ahead log to the disk. */
  flushes: number;
  /** Voluntary context switches of all processes and their threads. Linux only; elsewhere 0. */
  wakeUps: number;
};

export type CountedStack = Stack & {
  databaseUrl: string;
  /** The work since the start, once all of it is reported; takes `reportedAfterMs`. */
  counts(): Promise<Counts>;
  serverPids: { postgres: number; 'nats-server': number };
};

/** A backend of Postgres reports what it has done after at most ten seconds without work. */
export const reportedAfterMs = 10_500;

/** Starts a durable system whose database and message bus count what they do. */
export async function startCountedStack(env: NodeJS.ProcessEnv = process.env): Promise<CountedStack> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-trust-counted-'));
  const monitorPort = await freePort();
  const configFile = join(folder, 'nats.conf');
  writeFileSync(configFile, `http: "127.0.0.1:${monitorPort}"\nmax_payload: 4MB\n`);
  const postgres = await startEmbeddedPostgres({
    ephemeral: true,
    // Autovacuum comes once a minute, and its transactions would count as those of a request.
    settings: { shared_preload_libraries: 'pg_stat_statements', autovacuum: 'off' },
  });
  const nats = await startNatsServer({ configFile });
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  await database.query('CREATE EXTENSION pg_stat_statements');
  const stack = await startStack({
    ephemeral: true,
    env: { ...beginsWithV1, REGISTRATIONS_PER_MINUTE: '0', ...env, DATABASE_URL: postgres.url, NATS_URL: nats.url },
  });
  const pids = (): number[] => [
    ...stack.processes().flatMap(({ pid }) => pid ?? []),
    nats.pid,
    postgres.pid,
    ...childrenOf(postgres.pid),
  ];
  const read = async (): Promise<Counts> => {
    const { rows } = await database.query<{ statements: string; transactions: string; flushes: string }>(
      `SELECT (SELECT sum(calls) FROM pg_stat_statements
               WHERE toplevel AND query !~* '^(begin|commit|rollback)' AND query NOT LIKE '%pg_stat_statements%') AS statements,
         (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS transactions,
         (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS flushes
       FROM pg_stat_clear_snapshot()`,
    );
    const [row] = rows;
    const varz = await (await fetch(`http://127.0.0.1:${monitorPort}/varz`)).json();
    return {
      statements: Number(row?.statements),
      transactions: Number(row?.transactions),
      messages: (varz as { in_msgs: number }).in_msgs,
      flushes: Number(row?.flushes),
      wakeUps: pids().reduce((sum, pid) => sum + wakeUpsOf(pid), 0),
    };
  };
  return {
    ...stack,
    databaseUrl: postgres.url,
    serverPids: { postgres: postgres.pid, 'nats-server': nats.pid },
    counts: async () => {
      await delay(reportedAfterMs);
      return read();
    },
    stop: async () => {
      await stack.stop();
      await database.end();
      await postgres.stop();
      await nats.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const childrenOf = (pid: number): number[] => {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    return [];
  }
};

const wakeUpsOf = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
      const status = readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8');
      return sum + Number(/^voluntary_ctxt_switches:\s*(\d+)/mu.exec(status)?.[1] ?? 0);
    }, 0);
  } catch {
    return 0;
  }
};
