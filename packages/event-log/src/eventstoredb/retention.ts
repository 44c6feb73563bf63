import { createHash } from 'node:crypto';
import type { AdapterOptions } from '../adapter.ts';
import { EventLogSetupError, RestoreImpossibleError } from '../errors.ts';
import { eventLogLimits } from '../limits.ts';
import type { ArchivedPositions, LogRetention } from '../retention.ts';
import { Connection } from './connection.ts';
import { readConnectionString } from './connection-string.ts';
import { removalFailure } from './failures.ts';
import { type Reader, readerOf } from './read.ts';

/**
 * Retention in EventStoreDB. Each stream is deleted for good (a tombstone), at the revision that was read: a stream that has grown meanwhile
 * stays, and a late writer is refused. The server frees the space when it is scavenged; until then, readers of the whole log may still get
 * the events. They do not come back: positions are places in the server's files.
 */
export function openEventStoreDbRetention(url: string, options: AdapterOptions = {}): LogRetention {
  const closing = new AbortController();
  const connection = new Connection(
    readConnectionString(url, `${options.applicationName ?? 'event-log'} (retention)`),
    closing.signal,
  );
  const deadlineMs = eventLogLimits.readDeadlineMs;
  const reader = readerOf(connection, deadlineMs);

  /** Whether the stream is gone. */
  const remove = async (stream: string, archived: ReadonlySet<bigint>): Promise<boolean> => {
    const events = await reader.readStream(stream, {});
    const last = events.at(-1);
    if (last === undefined) return true;
    if (!stream.startsWith('exchange-') || events.some(({ position }) => !archived.has(position))) return false;
    const node = await connection.node(eventLogLimits.connectDeadlineMs);
    try {
      await node.tombstone(stream, last.revision, deadlineMs);
      return true;
    } catch (cause) {
      connection.failed(node, cause);
      const outcome = removalFailure(stream, cause);
      if (outcome instanceof Error) throw outcome;
      return outcome === 'gone';
    }
  };

  return {
    remove: async (record, streams) => {
      await ensureRecorded(reader, record);
      const archived = new Set(record.positions);
      let gone = 0;
      for (let from = 0; from < streams.length; from += eventLogLimits.retentionConcurrentMax) {
        const some = streams.slice(from, from + eventLogLimits.retentionConcurrentMax);
        const outcomes = await Promise.all(some.map((stream) => remove(stream, archived)));
        gone += outcomes.filter((isGone) => isGone).length;
      }
      return gone;
    },
    restore: async () => {
      throw new RestoreImpossibleError(
        'EventStoreDB cannot take an event back at its position. Read the segment itself, or verify the log with it.',
      );
    },
    close: async () => {
      closing.abort();
      connection.close();
    },
  };
}

/** @throws EventLogSetupError unless the event at the position is a record of exactly these positions */
const ensureRecorded = async (reader: Reader, { recordPosition, positions }: ArchivedPositions): Promise<void> => {
  const [record] = await reader.readAt([recordPosition]);
  const hash = createHash('sha256').update(positions.join(',')).digest('hex');
  const isRecord =
    record?.position === recordPosition && record.stream === 'log-archive' && record.type === 'ExchangesArchived';
  if (!isRecord || record.data['positionsSha256'] !== hash)
    throw new EventLogSetupError(`The event at position ${recordPosition} is no record of these positions.`);
};
