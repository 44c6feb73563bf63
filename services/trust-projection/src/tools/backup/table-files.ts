import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { backupLimits } from './limits.ts';
import { nameOf, type Part } from './parts.ts';

type Table = Pick<Part, 'schema' | 'table'>;

const quoted = ({ schema, table }: Table): string => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
const listOf = (columns: readonly string[]): string => columns.map((one) => pg.escapeIdentifier(one)).join(', ');

/** The columns of a table in their order; none if it does not exist. */
export async function columnsOf(client: pg.ClientBase, table: Table): Promise<string[]> {
  const { rows } = await client.query<{ attname: string }>(
    `SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     ORDER BY attnum`,
    [quoted(table)],
  );
  return rows.map(({ attname }) => attname);
}

/** Writes a table, as COPY writes it, into a new file that only its owner reads and that is on the disk when this resolves. */
export async function copyOut(
  client: pg.Client,
  table: Table,
  columns: readonly string[],
  file: string,
  signal: AbortSignal,
): Promise<{ rows: number; bytes: number }> {
  // Keys have no order of their own; a log in its order is compressed better, and restored faster.
  const order = table.table === 'events' ? ' ORDER BY position' : '';
  const rows = client.query(copyTo(`COPY (SELECT ${listOf(columns)} FROM ${quoted(table)}${order}) TO STDOUT`));
  const zstd = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: backupLimits.zstdLevel, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  await pipeline(rows, zstd, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }), { signal });
  return { rows: rows.rowCount, bytes: statSync(file).size };
}

/** Reads such a file into a table, and resolves with the number of rows. */
export async function copyIn(
  client: pg.Client,
  table: Table,
  columns: readonly string[],
  file: string,
  signal: AbortSignal,
): Promise<number> {
  const rows = client.query(copyFrom(`COPY ${quoted(table)} (${listOf(columns)}) FROM STDIN`));
  try {
    await pipeline(createReadStream(file), createZstdDecompress(), rows, { signal });
  } catch (cause) {
    throw new Error(`${nameOf(table)} could not be restored from ${file}: ${String(cause)}`, { cause });
  }
  return rows.rowCount;
}

/**
 * Calls `onRow` with each row of such a file: the fields, in which a backslash is still doubled. Resolves with their number.
 * @throws Error for a row that is cut, or longer than `rowBytesMax`
 */
export async function readRows(file: string, onRow: (fields: string[]) => void, signal?: AbortSignal): Promise<number> {
  let rows = 0;
  // Pieces of a row that is longer than a chunk, joined once when it ends.
  let rest: Buffer[] = [];
  let restBytes = 0;
  // COPY writes a line feed inside of a value as \n, so each byte 10 ends a row.
  const split = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      let from = 0;
      for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
        const end = chunk.subarray(from, to);
        onRow((restBytes === 0 ? end : Buffer.concat([...rest, end])).toString('utf8').split('\t'));
        rows += 1;
        rest = [];
        restBytes = 0;
        from = to + 1;
      }
      if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)));
      restBytes += chunk.length - from;
      const isTooLong = restBytes > backupLimits.rowBytesMax;
      done(isTooLong ? new Error(`row ${rows + 1} is longer than ${backupLimits.rowBytesMax} bytes`) : null);
    },
  });
  await pipeline(
    createReadStream(file),
    createZstdDecompress(),
    split.resume(),
    signal === undefined ? {} : { signal },
  );
  if (restBytes > 0) throw new Error(`${file} ends within a row`);
  return rows;
}
