import { setTimeout as delay } from 'node:timers/promises';
import { predecessorLeasesMs } from '@agent-trust/edge-replica';
import { closeQuietly, type ConnectionSettings, tryAdvisoryLock } from '@agent-trust/projections';
import pg from 'pg';
import { hadMembers, migrateLeadership, rememberMembers, wantLock } from './leadership-rows.ts';
import { leaderLimits } from './limits.ts';

/**
 * Takes the lock of the runner, and waits until no gateway answers from memory: for a change of all rows at once, which no feed announces.
 * @returns how to let go of the lock
 */
export async function haltReplicas(connection: ConnectionSettings, schema: string): Promise<() => Promise<void>> {
  await migrateLeadership(connection.connectionString ?? '');
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: leaderLimits.connectTimeoutMs,
    statement_timeout: leaderLimits.lockWaitMs,
    keepAlive: true,
  });
  // The next statement reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await wantLock(client);
    for (const from = performance.now(); !(await tryAdvisoryLock(client, 'run', schema)); ) {
      if (performance.now() - from > leaderLimits.lockWaitMs)
        throw new Error(`the lock of ${schema} was not let go of`);
      await delay(leaderLimits.lockPollMs);
    }
    // The leader was killed, or a member is paused.
    if (await hadMembers(client)) await delay(predecessorLeasesMs);
    await rememberMembers(client, false);
    return () => closeQuietly(client);
  } catch (error) {
    await closeQuietly(client);
    throw error;
  }
}
