import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEventLog, type RecordedEvent } from '@agent-trust/event-log';
import pg from 'pg';
import { busEntries } from './bus-entries.ts';

/** Matches every secret that the registry issues: agent and organisation keys, claim tokens, and webhook secrets. */
const secretPatterns: Readonly<Record<string, RegExp>> = {
  'a key': /registry-(?:agent|org|org-sandbox|operator)-sk-[A-Za-z0-9_-]{20,}/u,
  'a signed token': /eyJ[\w-]{8,}\.eyJ[\w-]+\.[\w-]{20,}/u,
  'a claim token': /(?<=[A-Za-z0-9_-]{4})\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/u,
  'the secret of a webhook': /whsec_[A-Za-z0-9+/]{32,}/u,
};

const quotedCharactersMax = 300;

/** The part of a secret that a text shows. */
export function secretsIn(text: string, others: readonly string[] = []): string[] {
  return [
    ...Object.entries(secretPatterns).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : [])),
    ...others.flatMap((secret) => (text.includes(secret) ? ['a secret that was handed out'] : [])),
  ];
}

/**
 * Finds secrets stored in clear: in the log files (and traces, if the stack collects them), in the event log, in every other table that
 * trust-projection can read (read models, keys of personal data), and in the key-value buckets of the bus. Issued secrets are found by
 * their form, the operator's credentials and `others` by their value. Returns one description for each place.
 */
export async function findSecrets(
  stack: {
    logsFolder: string;
    eventLogUrl: string;
    readModelsUrl: string;
    gatewayNatsUrl?: string;
    payProxyNatsUrl?: string;
    adminKey: string;
    adminToken: string;
    registrySecret?: string;
    webhookSecret?: string;
  },
  others: readonly string[] = [],
): Promise<string[]> {
  const { adminKey, adminToken, registrySecret, webhookSecret, gatewayNatsUrl, payProxyNatsUrl } = stack;
  const own = [registrySecret, webhookSecret].filter((secret) => secret !== undefined);
  const known = [adminKey, adminToken, ...own, ...others];
  const found: string[] = [];
  const search = (where: string, texts: readonly string[], whole = texts.join('\n')): void => {
    // Search the whole text first: it has tens of megabytes and rarely contains a secret.
    if (secretsIn(whole, known).length === 0) return;
    for (const text of texts)
      for (const fault of secretsIn(text, known))
        found.push(`${fault} in ${where}: ${text.slice(0, quotedCharactersMax)}`);
  };
  for (const file of readdirSync(stack.logsFolder)) {
    const whole = readFileSync(join(stack.logsFolder, file), 'utf8');
    search(file, whole.split('\n'), whole);
  }
  for await (const page of eventPages(stack.eventLogUrl)) {
    const texts = page.map(({ position, type, stream, data, metadata }) =>
      JSON.stringify([String(position), type, stream, data, metadata]),
    );
    search('an event', texts);
  }
  for await (const { table, rows } of allRows(stack.readModelsUrl)) search(table, rows);
  if (gatewayNatsUrl !== undefined)
    for await (const { bucket, text } of busEntries(gatewayNatsUrl)) search(`the bucket ${bucket}`, [text]);
  if (payProxyNatsUrl !== undefined)
    for await (const { bucket, text } of busEntries(payProxyNatsUrl, 'pay-proxy'))
      search(`the bucket ${bucket}`, [text]);
  return found;
}

const pageEventsMax = 1_000;

/** Every event of a log, in the order of positions. */
export async function* allEvents(eventLogUrl: string): AsyncGenerator<RecordedEvent> {
  for await (const page of eventPages(eventLogUrl)) yield* page;
}

async function* eventPages(eventLogUrl: string): AsyncGenerator<RecordedEvent[]> {
  const log = await openEventLog(eventLogUrl, { applicationName: 'end-to-end tests' });
  try {
    let after: bigint | null = null;
    for (;;) {
      const page: RecordedEvent[] = await log.readAll({ after, countMax: pageEventsMax });
      yield page;
      after = page.at(-1)?.position ?? null;
      if (page.length < pageEventsMax) return;
    }
  } finally {
    await log.close();
  }
}

async function* allRows(readModelsUrl: string): AsyncGenerator<{ table: string; rows: string[] }> {
  const client = new pg.Client({ connectionString: readModelsUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'event_log')`,
    );
    for (const { name: table } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
      yield { table, rows: rows.map(({ row }) => row) };
    }
  } finally {
    await client.end();
  }
}
