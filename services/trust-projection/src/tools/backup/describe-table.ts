import { postgresVersionFault } from '@agent-trust/limits';
import type pg from 'pg';
import { BackupError } from './backup-error.ts';
import type { Manifest } from './manifest.ts';
import { nameOf, type Part } from './parts.ts';

export type Described = Pick<Manifest, 'postgresVersion' | 'logFormat' | 'log' | 'checkpoint'>;

/** What the manifest says of a table, from the snapshot of the running transaction. @throws BackupError for a server that is too old */
export async function describeTable(client: pg.ClientBase, part: Part): Promise<Partial<Described>> {
  switch (nameOf(part)) {
    case 'event_log.events':
      return describeLog(client);
    case 'log_signing.signed_head': {
      const { rows } = await client.query<{ origin: string; size: string; rootHash: string; lastPosition: string }>(
        `SELECT origin, size::text, encode(root, 'base64') AS "rootHash", last_position::text AS "lastPosition"
         FROM log_signing.signed_head ORDER BY signed_at DESC LIMIT 1`,
      );
      const [head] = rows;
      return { checkpoint: head === undefined ? null : { ...head, size: Number(head.size) } };
    }
    default:
      return {};
  }
}

const describeLog = async (client: pg.ClientBase): Promise<Partial<Described>> => {
  const { rows } = await client.query<{ version: number; postgresVersion: string; logFormat: number }>(
    `SELECT current_setting('server_version_num')::integer AS version, current_setting('server_version') AS "postgresVersion",
       (SELECT number FROM event_log.log_format) AS "logFormat"`,
  );
  const { version = 0, postgresVersion = '', logFormat = 0 } = rows[0] ?? {};
  const fault = postgresVersionFault(version);
  if (fault !== null) throw new BackupError(`The event log cannot be used: ${fault}.`);
  const { rows: ends } = await client.query<{ events: string; lastPosition: string; lastEventId: string }>(
    `SELECT (SELECT count(*) FROM event_log.events) AS events, position::text AS "lastPosition", event_id AS "lastEventId"
     FROM event_log.events ORDER BY position DESC LIMIT 1`,
  );
  const [end] = ends;
  return { postgresVersion, logFormat, log: end === undefined ? null : { ...end, events: Number(end.events) } };
};
