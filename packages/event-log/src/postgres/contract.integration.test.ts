import { createTestDatabase } from '@agent-trust/test-kit';
import pg from 'pg';
import { eventLogContract } from '../contract-suite/index.ts';
import { openPostgresEventLog } from './event-log.ts';
import { migratePostgresEventLog } from './migrate.ts';
import { openPostgresRetention } from './retention.ts';

const endSubscriberBackends = `
  select count(pg_terminate_backend(pid)) from pg_stat_activity
  where datname = current_database() and application_name = 'event-log (subscription)'`;

eventLogContract('Postgres', async () => {
  const database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  const admin = new pg.Client(database.url);
  await admin.connect();
  return {
    open: () => openPostgresEventLog(database.url),
    openRetention: () => openPostgresRetention(database.url),
    cutSubscriptions: async () => {
      const { rows } = await admin.query<{ count: string }>(endSubscriberBackends);
      return Number(rows[0]?.count);
    },
    stop: async () => {
      await admin.end();
      await database.drop();
    },
  };
});
