import { archivedLeafAt } from '@agent-trust/log-archive';
import type { EventLog } from '@agent-trust/event-log';
import { leafHash, logEntryOf, sameHash } from '@agent-trust/transparency-log';
import sql from 'sql-template-tag';
import type { ReadModelDatabase } from '../../shared/database.ts';
import { findFault } from '../../log-state/find-fault.ts';
import { readLogAnchors } from '../../log-state/log-anchors.ts';
import { lastAgreed } from './last-agreed.ts';

/** How a log differs from what was computed from it. */
export type InspectedLog = {
  /** Null if it does not. */
  fault: string | null;
  headPosition: bigint | null;
  /** The last event that the log and the record of what was read have in common; null if there is none. */
  agreedPosition: bigint | null;
  /** Recorded events that the log does not have. */
  lostEvents: number;
  /** What was signed last and is not in the log: other readers may have seen it. Null if the log continues everything that was signed. */
  contradicted: { origin: string; size: number } | null;
  /** The name under which the log was signed last. */
  origin: string | null;
};

type SignedRow = { origin: string; size: bigint; lastPosition: bigint | null; lastLeaf: Buffer | null };

/** Compares the log with the log record and with the last signed checkpoint. @param database of the log record */
export async function inspectLog(
  log: Pick<EventLog, 'readAt' | 'readStream' | 'headPosition'>,
  database: ReadModelDatabase,
): Promise<InspectedLog> {
  const [tree] = await database.query<{ size: bigint }>(sql`SELECT size FROM log_record.merkle_tree`);
  const size = Number(tree?.size ?? 0n);
  const agreed = await lastAgreed(log, {
    size,
    read: async (from, to) => {
      const rows = await database.query<{ leafIndex: bigint; position: bigint; hash: string }>(
        sql`SELECT leaf_index, position, hash FROM log_record.merkle_leaf
          WHERE leaf_index >= ${from} AND leaf_index < ${to} ORDER BY leaf_index`,
      );
      return rows.map(({ leafIndex, position, hash }) => ({
        leafIndex: Number(leafIndex),
        position,
        hash: new Uint8Array(Buffer.from(hash, 'base64')),
      }));
    },
  });
  const [signed] = await database.query<SignedRow>(
    sql`SELECT origin, size, last_position, last_leaf FROM log_signing.signed_head ORDER BY signed_at DESC LIMIT 1`,
  );
  return {
    fault: (await findFault(log, await readLogAnchors(database)))?.text ?? null,
    headPosition: await log.headPosition(),
    agreedPosition: agreed?.position ?? null,
    lostEvents: size - (agreed === null ? 0 : agreed.leafIndex + 1),
    contradicted:
      signed === undefined || (await holdsSigned(log, signed))
        ? null
        : { origin: signed.origin, size: Number(signed.size) },
    origin: signed?.origin ?? null,
  };
}

const holdsSigned = async (
  log: Pick<EventLog, 'readAt' | 'readStream'>,
  { lastPosition, lastLeaf }: SignedRow,
): Promise<boolean> => {
  if (lastPosition === null || lastLeaf === null) return true;
  const [event] = await log.readAt([lastPosition]);
  const found = event === undefined ? (await archivedLeafAt(log, lastPosition))?.hash : leafHash(logEntryOf(event));
  return found !== undefined && sameHash(found, new Uint8Array(lastLeaf));
};
