import { archiveEvents, archiveStream, type ExchangesArchived } from '@agent-trust/contracts';
import { createEventRegistry, type EventLog, type RecordedEvent } from '@agent-trust/event-log';
import { createHash } from 'node:crypto';
import { archiveLimits } from './limits.ts';

const registry = createEventRegistry(archiveEvents);

/** What the log says of one segment: the event that archived it, and whether its events are outside the log now. */
export type ArchiveRecord = ExchangesArchived['data'] & {
  /** Position of the record itself. */
  position: bigint;
  /** Revision in the stream of the archive. */
  revision: bigint;
};

/** A segment as far as people and commands need it; `state` is what was last said of it. */
export type SegmentState = Omit<ArchiveRecord, 'exchanges' | 'leaves' | 'agentIds'> & {
  state: 'archived' | 'restored';
};

/** SHA-256 of positions as a record has it. */
export function hashOfPositions(positions: readonly bigint[]): string {
  return createHash('sha256').update(positions.join(',')).digest('hex');
}

/** The record that an event of the archive's stream is; null for the others. */
export function recordOf(recorded: RecordedEvent): ArchiveRecord | null {
  const event = registry.decodeKnown(recorded);
  if (event.type !== 'ExchangesArchived') return null;
  return { ...event.data, position: recorded.position, revision: recorded.revision };
}

/** The records of the archive from a revision of its stream on, in order, read a few at a time. */
export async function* archiveRecords(
  log: Pick<EventLog, 'readStream'>,
  fromRevision = 0n,
): AsyncGenerator<ArchiveRecord> {
  for await (const recorded of archiveEventsFrom(log, fromRevision)) {
    const record = recordOf(recorded);
    if (record !== null) yield record;
  }
}

async function* archiveEventsFrom(
  log: Pick<EventLog, 'readStream'>,
  fromRevision: bigint,
): AsyncGenerator<RecordedEvent> {
  for (let from = fromRevision; ; ) {
    const events = await log.readStream(archiveStream, { fromRevision: from, countMax: archiveLimits.recordsPerRead });
    yield* events;
    const last = events.at(-1);
    if (last === undefined || events.length < archiveLimits.recordsPerRead) return;
    from = last.revision + 1n;
  }
}

/** Every segment with its state, in order, and the revision that the stream of the archive has; null while it has no event. */
export async function readSegments(
  log: Pick<EventLog, 'readStream'>,
): Promise<{ segments: SegmentState[]; revision: bigint | null }> {
  const segments = new Map<string, SegmentState>();
  let revision: bigint | null = null;
  for await (const recorded of archiveEventsFrom(log, 0n)) {
    revision = recorded.revision;
    const event = registry.decodeKnown(recorded);
    switch (event.type) {
      case 'ExchangesArchived': {
        const { exchanges: _exchanges, leaves: _leaves, agentIds: _agentIds, ...said } = event.data;
        const { position } = recorded;
        segments.set(said.segment, { ...said, position, revision: recorded.revision, state: 'archived' });
        break;
      }
      case 'SegmentRestored':
      case 'SegmentRemoved': {
        const segment = segments.get(event.data.segment);
        const state = event.type === 'SegmentRestored' ? 'restored' : 'archived';
        if (segment !== undefined) segments.set(segment.segment, { ...segment, state });
        break;
      }
      default:
        event satisfies never;
    }
  }
  return { segments: [...segments.values()], revision };
}
