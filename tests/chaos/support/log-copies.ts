import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Stack } from '@agent-trust/dev-stack';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

const asOwner = async <Result>(stack: Stack, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: stack.postgresUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** A backup of the event log's table, as pg_dump makes it. */
export function copyLog(stack: Stack): Promise<Buffer> {
  return asOwner(stack, (client) => buffer(client.query(copyTo('COPY event_log.events TO STDOUT'))));
}

/** Restores such a backup in the place of the log, as one transaction. */
export function restoreLog(stack: Stack, copy: Buffer): Promise<void> {
  return asOwner(stack, async (client) => {
    await client.query('BEGIN; SET LOCAL session_replication_role TO replica; DELETE FROM event_log.events');
    await pipeline(Readable.from([copy]), client.query(copyFrom('COPY event_log.events FROM STDIN')));
    await client.query('COMMIT');
  });
}

/** The answer of `/readyz` of each service, by its name. The supervisor tells the port to nobody else. */
export async function readiness(stack: Stack): Promise<Record<string, { status: number; parts: unknown }>> {
  const answers: Record<string, { status: number; parts: unknown }> = {};
  for (const { name, pid } of stack.processes()) {
    const environment = pid === undefined ? '' : readFileSync(`/proc/${pid}/environ`, 'utf8');
    const [, port] = /(?:^|\0)HEALTH_PORT=(\d+)/u.exec(environment) ?? [];
    if (port === undefined) continue;
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    answers[name] = { status: response.status, parts: ((await response.json()) as { parts: unknown }).parts };
  }
  return answers;
}
