import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { keyStoreLimits } from './limits.ts';

/**
 * Leaves no row in the table's file that was replaced or deleted. It would stay in the free space of its page, also after a plain VACUUM: only
 * a new file has none of them. Where a transaction that began earlier could still read such rows (a dump, say), Postgres takes them over into the
 * new file, so this waits for its end.
 *
 * @throws Error if that transaction does not end within the limit; errors of pg
 */
export async function removeReplacedRows(
  client: pg.Client,
  { onWait, signal }: { onWait: (kept: number) => void; signal?: AbortSignal },
): Promise<void> {
  await client.query(`SET lock_timeout = ${keyStoreLimits.rewriteLockWaitMs}`);
  for (let rewrites = 1; ; rewrites += 1) {
    const kept = await rowsKeptByRewrite(client);
    if (kept === 0) return;
    if (rewrites === keyStoreLimits.rewritesMax)
      throw new Error(
        `${kept} rows as they were before are still in the file of personal_data.agent_key, because a transaction that began earlier could read them: end it (SELECT pid, application_name, xact_start FROM pg_stat_activity WHERE xact_start IS NOT NULL ORDER BY xact_start), and run this again.`,
      );
    onWait(kept);
    await setTimeout(keyStoreLimits.rewritePauseMs, undefined, signal === undefined ? {} : { signal });
  }
}

/** How many rows that no new transaction sees are in the new file. Postgres tells it in the details of a notice, whose words depend on its language. */
const rowsKeptByRewrite = async (client: pg.Client): Promise<number> => {
  let kept: number | null = null;
  const onNotice = ({ detail }: { detail?: string | undefined }): void => {
    const number = /\d+/u.exec(detail ?? '')?.[0];
    if (number !== undefined) kept = (kept ?? 0) + Number(number);
  };
  client.on('notice', onNotice);
  try {
    await client.query('VACUUM (FULL, VERBOSE) personal_data.agent_key');
  } finally {
    client.off('notice', onNotice);
  }
  if (kept === null) throw new Error('Postgres did not say how many former rows VACUUM (FULL, VERBOSE) has kept.');
  return kept;
};
