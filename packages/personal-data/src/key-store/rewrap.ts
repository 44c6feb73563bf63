import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { unwrapKey, type WrappedKey, wrapKey, type WrappingKey } from '../sealing/agent-key.ts';
import { keyStoreLimits } from './limits.ts';
import { removeReplacedRows } from './remove-replaced-rows.ts';
import { countOfRowsToRewrap, rowsToRewrap } from './wrapped-by.ts';

export type RewrapReport = {
  /** Keys in all. */
  total: number;
  /** Wrapped anew by this run. */
  rewrapped: number;
  /** Not wrapped by the current value at the end: keys that a service has made meanwhile under another value, and `unreadable`. */
  remaining: number;
  /** Ids of keys that neither value opens, a few of them. */
  unreadable: string[];
};

export type RewrapOptions = {
  onProgress?: (done: number, of: number) => void;
  /** Called with the number of former rows that a transaction of somebody else still keeps in the table. */
  onWait?: (kept: number) => void;
  signal?: AbortSignal;
};

/** Another run is at work. */
export class RewrapInProgressError extends Error {
  override readonly name = 'RewrapInProgressError';
}

/**
 * Wraps every stored key with the current wrapping key. Services may run meanwhile: a key is replaced only if its row is as it was read, so
 * one that is destroyed stays destroyed. A run that was stopped is continued by the next one, which finds the keys that are left.
 *
 * @param ownerUrl of the owner of the table: no service may change a key
 * @throws RewrapInProgressError; errors of pg
 */
export async function rewrapKeys(
  ownerUrl: string,
  wrappingKey: WrappingKey,
  { onProgress = () => undefined, onWait = () => undefined, signal }: RewrapOptions,
): Promise<RewrapReport> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'personal data rewrap',
    connectionTimeoutMillis: keyStoreLimits.connectTimeoutMs,
    options: '-c synchronous_commit=on',
  });
  // A broken connection fails the running query; its error event must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const turn = "SELECT pg_try_advisory_lock(hashtext('personal_data rewrap')) AS taken";
    if ((await client.query<{ taken: boolean }>(turn)).rows[0]?.taken !== true)
      throw new RewrapInProgressError('Another run wraps the keys of this database anew at this moment: wait for it.');
    const counts = async () =>
      (await client.query<{ remaining: number; total: number }>(countOfRowsToRewrap(wrappingKey))).rows[0] ?? {
        remaining: 0,
        total: 0,
      };
    const { remaining: wanted } = await counts();
    let rewrapped = 0;
    const unreadable: string[] = [];
    for (let after = ''; signal?.aborted !== true; ) {
      const { rows } = await client.query<WrappedKey>(rowsToRewrap(wrappingKey, after, keyStoreLimits.rewrapBatchRows));
      const last = rows.at(-1);
      if (last === undefined) break;
      const fresh = rows.flatMap((row) => {
        const key = openedOrNull(wrappingKey, row);
        if (key !== null) return [{ was: row.wrapped, now: wrapKey(wrappingKey, key) }];
        if (unreadable.length < keyStoreLimits.unreadableShownMax) unreadable.push(row.keyId);
        return [];
      });
      const { rowCount } = await client.query(
        `UPDATE personal_data.agent_key AS stored SET wrapped_key = fresh.now
         FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS fresh (key_id, was, now)
         WHERE stored.key_id = fresh.key_id AND stored.wrapped_key = fresh.was`,
        [fresh.map(({ now }) => now.keyId), fresh.map(({ was }) => was), fresh.map(({ now }) => now.wrapped)],
      );
      rewrapped += rowCount ?? 0;
      onProgress(rewrapped, wanted);
      after = last.keyId;
      await setImmediate();
    }
    // Also after a run that replaced nothing, because an earlier one may have been killed here.
    if (signal?.aborted !== true)
      await removeReplacedRows(client, { onWait, ...(signal === undefined ? {} : { signal }) });
    return { ...(await counts()), rewrapped, unreadable };
  } finally {
    await client.end();
  }
}

const openedOrNull = (wrappingKey: WrappingKey, row: WrappedKey): ReturnType<typeof unwrapKey> | null => {
  try {
    return unwrapKey(wrappingKey, row);
  } catch {
    return null;
  }
};
