import { randomUUID } from 'node:crypto';
import { migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { createTestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { postgresLog } from '../sources/event-log.ts';

/** A real event log with direct access to its table, as the owner of the database has it. */
export type TamperedLog = {
  url: string;
  append(count: number, stream?: string): Promise<void>;
  /** Runs a statement with the log's own guard disabled; returns the number of rows. */
  reach(text: string, values?: unknown[]): Promise<number>;
  rows<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  leaves(): Promise<Uint8Array[]>;
  drop(): Promise<void>;
};

const eventsPerAppend = 250;

export async function tamperedLog(): Promise<TamperedLog> {
  const database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query('alter table event_log.events disable trigger all');
  let made = 0;
  return {
    url: database.url,
    append: async (count, stream = 'agent-einkäufer') => {
      const log = await openEventLog(database.url);
      try {
        for (let left = count; left > 0; left -= eventsPerAppend) {
          const events = Array.from({ length: Math.min(left, eventsPerAppend) }, () => {
            made += 1;
            return {
              eventId: randomUUID(),
              type: made % 3 === 0 ? 'ContactChanged' : 'ExchangeReviewed',
              metadata: {
                correlationId: randomUUID(),
                actor: { kind: 'agent', id: `agent-${made % 7}` },
                schemaVersion: 1,
              },
              data: {
                agentId: `agent-${made % 7}`,
                score: made % 11,
                trust: 0.1 * made,
                text: `Größe "${made}" \\ done`,
                contact: { contactEmail: `someone-${made}@example.org`, contactInfo: null },
              },
            };
          });
          await log.append(stream, events, { expectedRevision: 'any' });
        }
      } finally {
        await log.close();
      }
    },
    reach: async (text, values = []) => (await admin.query(text, values)).rowCount ?? 0,
    rows: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await admin.query<Row>(text, values)).rows,
    leaves: async () => {
      const source = postgresLog(database.url, await openEventLog(database.url));
      const hashes: Uint8Array[] = [];
      for await (const page of source.pages()) hashes.push(...page.map(({ hash }) => hash));
      await source.close();
      return hashes;
    },
    drop: async () => {
      await admin.end();
      await database.drop();
    },
  };
}
