import { createTestDatabase } from '@agent-trust/test-kit';
import { migratePostgresEventLog, openEventLog, type EventLog } from '@agent-trust/event-log';
import pg from 'pg';
import { createSchema } from '../schema.ts';
import { bankReadModel } from './bank.ts';

export type Fixture = {
  url: string;
  log: EventLog;
  connection: { connectionString: string };
  /** Rows of a query, over a separate connection. */
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Another connection, closed with the fixture. */
  connect(): Promise<pg.Client>;
  /** Every row of the bank, in order of the keys. */
  bankRows(schema: string): Promise<unknown>;
  close(): Promise<void>;
};

/** A database with an event log and an empty bank read model in `read_models`. */
export async function createFixture(): Promise<Fixture> {
  const database = await createTestDatabase();
  const { url } = database;
  await migratePostgresEventLog(url);
  const log = await openEventLog(url);
  const clients: pg.Client[] = [];
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  };
  const own = await connect();
  await createSchema(own, 'read_models', (await bankReadModel()).schema);
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await own.query<Row>(text, values)).rows;
  return {
    url,
    log,
    connection: { connectionString: url },
    query,
    connect,
    bankRows: async (schema) => ({
      accounts: await query(`SELECT * FROM ${schema}.account ORDER BY account_id`),
      deposits: await query(`SELECT * FROM ${schema}.deposit ORDER BY account_id, deposit_id`),
      movements: await query(`SELECT * FROM ${schema}.movement ORDER BY position`),
      audits: await query(`SELECT * FROM ${schema}.audit ORDER BY account_id`),
    }),
    close: async () => {
      await log.close();
      await Promise.all(clients.map((client) => client.end()));
      await database.drop();
    },
  };
}
