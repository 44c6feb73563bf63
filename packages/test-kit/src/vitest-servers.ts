import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, startNatsServer } from '@agent-trust/embedded-servers';
import type { TestProject } from 'vitest/node';
import { natsAccountsConfig } from './test-bus.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser of the run's Postgres; tests create databases with `createTestDatabase`. */
    postgresUrl: string;
    /** The run's nats-server: JetStream on, one account for all connections without a name. */
    natsUrl: string;
    /** A folder of the run's nats-server; `createTestBus` takes an account and marks it as taken here. */
    natsAccounts: { url: string; folder: string };
  }
}

const connectionsMax = 300;

/**
 * Starts one Postgres and one nats-server for a whole test run, both removed afterwards, and provides their addresses. `POSTGRES_TEST_URL` names a
 * Postgres to use instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const givenPostgres = process.env['POSTGRES_TEST_URL'];
  const folder = mkdtempSync(join(tmpdir(), 'agent-trust-test-nats-'));
  const configFile = join(folder, 'nats.conf');
  writeFileSync(configFile, natsAccountsConfig());
  const [postgres, nats] = await Promise.allSettled([
    givenPostgres === undefined
      ? startEmbeddedPostgres({ ephemeral: true, fsync: false, maxConnections: connectionsMax })
      : undefined,
    startNatsServer({ configFile }),
  ]);
  const stop = async (): Promise<void> => {
    if (postgres.status === 'fulfilled') await postgres.value?.stop();
    if (nats.status === 'fulfilled') await nats.value.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  if (postgres.status === 'rejected' || nats.status === 'rejected') {
    await stop();
    const cause: unknown =
      postgres.status === 'rejected' ? postgres.reason : nats.status === 'rejected' ? nats.reason : undefined;
    throw new Error('the servers of the test run did not start', { cause });
  }
  project.provide('postgresUrl', givenPostgres ?? postgres.value?.url ?? '');
  project.provide('natsUrl', nats.value.url);
  project.provide('natsAccounts', { url: nats.value.url, folder });
  return stop;
}
