import { startEmbeddedPostgres, startNatsServer } from '@agent-trust/embedded-servers';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser of the run's Postgres; tests make databases of their own with `createTestDatabase`. */
    postgresUrl: string;
    /** The run's nats-server: JetStream on, no users. */
    natsUrl: string;
  }
}

const connectionsMax = 300;

/**
 * Starts one Postgres and one nats-server for a whole test run, both thrown away afterwards, and provides their addresses.
 * `POSTGRES_TEST_URL` and `NATS_TEST_URL` name servers to use instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const givenPostgres = process.env['POSTGRES_TEST_URL'];
  const givenNats = process.env['NATS_TEST_URL'];
  const [postgres, nats] = await Promise.allSettled([
    givenPostgres === undefined
      ? startEmbeddedPostgres({ ephemeral: true, fsync: false, maxConnections: connectionsMax })
      : undefined,
    givenNats === undefined ? startNatsServer() : undefined,
  ]);
  const stop = async (): Promise<void> => {
    if (postgres.status === 'fulfilled') await postgres.value?.stop();
    if (nats.status === 'fulfilled') await nats.value?.stop();
  };
  if (postgres.status === 'rejected' || nats.status === 'rejected') {
    await stop();
    const cause: unknown =
      postgres.status === 'rejected' ? postgres.reason : nats.status === 'rejected' ? nats.reason : undefined;
    throw new Error('the servers of the test run did not start', { cause });
  }
  project.provide('postgresUrl', givenPostgres ?? postgres.value?.url ?? '');
  project.provide('natsUrl', givenNats ?? nats.value?.url ?? '');
  return stop;
}
