import pg from 'pg';
import { eventLogLimits } from '../limits.ts';

/** The signature of event_log.append, as grants name it. */
const append = 'event_log.append(text[], bigint[], integer[], uuid[], text[], json[], json[])';

export type EventLogAccess = {
  /** Database roles that append and read. */
  writers: readonly string[];
  /** Database roles that only read. */
  readers: readonly string[];
};

/**
 * Gives existing database roles their rights on the event log and no others: writers may call `event_log.append` and read, readers may read. No role
 * gets INSERT, UPDATE or DELETE: the append function, which runs as the owner, is the only way to write. Running it again is harmless.
 */
export async function grantEventLogAccess(ownerUrl: string, { writers, readers }: EventLogAccess): Promise<void> {
  const statements: string[] = [];
  for (const role of new Set([...writers, ...readers])) {
    const name = pg.escapeIdentifier(role);
    statements.push(
      `revoke all on all tables in schema event_log from ${name}`,
      `revoke all on all functions in schema event_log from ${name}`,
      `revoke all on schema event_log from ${name}`,
      `grant usage on schema event_log to ${name}`,
      `grant select on event_log.events, event_log.log_format to ${name}`,
    );
    if (writers.includes(role)) statements.push(`grant execute on function ${append} to ${name}`);
  }
  const client = new pg.Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: eventLogLimits.connectDeadlineMs,
  });
  // A broken connection fails the running query; its error event must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`begin; ${statements.join('; ')}; commit`);
  } finally {
    await client.end();
  }
}
