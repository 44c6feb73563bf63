import { setTimeout as delay } from 'node:timers/promises';
import { predecessorLeasesMs } from '@agent-trust/edge-replica';
import { closeQuietly, type ConnectionSettings, type SwitchGuard, tryAdvisoryLock } from '@agent-trust/projections';
import pg from 'pg';
import { hadMembers, migrateLeadership, rememberMembers, wantLock } from './leadership-rows.ts';
import { leaderLimits } from './limits.ts';

/**
 * Takes the lock of the runner, and waits until no gateway answers from memory: for a change of all rows at once, which no feed announces.
 * If it loses the lock, whoever leads next waits for longer than a commit takes that was asked for before.
 */
export async function haltReplicas(connection: ConnectionSettings, schema: string): Promise<SwitchGuard> {
  await migrateLeadership(connection.connectionString ?? '');
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: leaderLimits.connectTimeoutMs,
    statement_timeout: leaderLimits.lockWaitMs,
    query_timeout: leaderLimits.lockWaitMs,
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
    // For a leader that takes a lock which this process has lost.
    await rememberMembers(client, true);
    return {
      ensureHeld: async () => void (await hadMembers(client)),
      end: async () => {
        // Nobody was one meanwhile. Where it fails, the next leader waits a little for nobody.
        await rememberMembers(client, false).catch(() => undefined);
        await closeQuietly(client);
      },
    };
  } catch (error) {
    await closeQuietly(client);
    throw error;
  }
}
