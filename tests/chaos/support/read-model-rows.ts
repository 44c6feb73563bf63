import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { Stack } from '@agent-trust/dev-stack';
import pg from 'pg';

const root = resolve(import.meta.dirname, '..', '..', '..');
const replayFile = join(root, 'services/trust-projection/src/tools/replay/main.ts');

export async function query<Row extends pg.QueryResultRow>(url: string | undefined, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A hash of every row of every table of the live read model, except the checkpoint. */
export async function hashRows(stack: Stack): Promise<Record<string, string>> {
  const url = stack.environment['DATABASE_URL'];
  const tables = await query<{ name: string }>(
    url,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'read_models'
       AND table_name <> 'projection_checkpoint' ORDER BY 1`,
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await query<{ hash: string }>(
      url,
      `SELECT count(*) || ':' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS hash FROM read_models."${name}" t`,
    );
    hashes[name] = row?.hash ?? '';
  }
  return hashes;
}

export type Replay = {
  pid: number;
  output: () => string;
  /** Exit code, or null if a signal ended it. */
  ended: Promise<number | null>;
  kill: (signal: NodeJS.Signals) => void;
};

/** Starts the replay command beside a running stack. */
export function startReplay(stack: Stack): Replay {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', replayFile], {
    env: { ...process.env, ...stack.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return {
    pid: child.pid ?? -1,
    output: () => output,
    ended: once(child, 'close').then(([code]) => code as number | null),
    kill: (signal) => child.kill(signal),
  };
}

/** Runs the replay command to its end. It compares every row with the live read model and exits with 0 only if all are equal. */
export async function replay(stack: Stack): Promise<{ code: number | null; output: string }> {
  const running = startReplay(stack);
  return { code: await running.ended, output: running.output() };
}
