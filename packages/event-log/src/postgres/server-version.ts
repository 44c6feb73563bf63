import { postgresVersionFault } from '@agent-trust/limits';
import type pg from 'pg';
import { EventLogSetupError } from '../errors.ts';

/** @throws EventLogSetupError if the server is older than what the registry's statements need */
export async function ensurePostgresVersion(querier: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await querier.query<{ version: number }>(
    "select current_setting('server_version_num')::integer as version",
  );
  const fault = postgresVersionFault(rows[0]?.version ?? 0);
  if (fault !== null) throw new EventLogSetupError(fault);
}
