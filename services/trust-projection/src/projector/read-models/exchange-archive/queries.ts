import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../../shared/database.ts';
import type { ExchangeArchiveRow } from './projection.ts';

/** What was archived so far; null if nothing was. */
export async function findExchangeArchive(
  database: ReadModelDatabase,
): Promise<Omit<ExchangeArchiveRow, 'onlyRow'> | null> {
  const [row] = await database.query<Omit<ExchangeArchiveRow, 'onlyRow'>>(
    sql`SELECT segments, exchanges, last_position, ended_to FROM exchange_archive`,
  );
  return row ?? null;
}
