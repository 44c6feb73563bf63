import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  agentRegistered,
  exchangeCompleted,
  exchangeReviewed,
  exchangeStarted,
  type MadeEvent,
  production,
} from '../../services/trust-projection/src/testing/made-events.ts';

const agentCount = 1_000;
const organisationCount = 40;
/** One of so many exchanges was reviewed. */
const exchangesPerReview = 33;
/** Over this time the events are spread, up to the present. */
const logDays = 120;
const dayMs = 24 * 60 * 60_000;
/** Bytes of a COPY that are written at a time. */
const chunkBytesMin = 256 * 1024;

/** Agents, then exchanges with a start, an end and sometimes a review: exactly as many events as asked for, and one or two more. */
function* madeEvents(eventCount: number, timeOf: (place: number) => Date): Generator<MadeEvent & { revision: number }> {
  for (let n = 0; n < agentCount; n += 1) {
    const agent = { agentId: `agent-${n}`, orgId: `org${n % organisationCount}` };
    yield { ...agentRegistered(agent, timeOf(n).toISOString()), revision: 0 };
  }
  let place = agentCount;
  for (let n = 0; place < eventCount; n += 1) {
    const receiver = (n * 7919) % agentCount;
    const parties = {
      transactionId: randomUUID(),
      callerAgentId: `agent-${(receiver + 1 + (n % 97)) % agentCount}`,
      receiverAgentId: `agent-${receiver}`,
      universe: production,
    };
    const at = timeOf(place).toISOString();
    yield { ...exchangeStarted(parties, at), revision: 0 };
    yield { ...exchangeCompleted(parties, at), revision: 1 };
    place += 2;
    if (n % exchangesPerReview !== 0) continue;
    const orgDomain = `org${n % organisationCount}.test`;
    const review = { success: true, score: 8, trustScore: 60, roots: { [orgDomain]: 1 }, orgDomain };
    yield { ...exchangeReviewed(parties, at, review), revision: 2 };
    place += 1;
  }
}

/** In the text format of COPY a backslash begins an escape. JSON has no tabs or line ends outside of its own. */
const field = (text: string): string => text.replaceAll('\\', '\\\\');

function* copyLines(eventCount: number, onProgress: (fraction: number) => void): Generator<string> {
  const start = Date.now() - logDays * dayMs;
  const timeOf = (place: number): Date => new Date(start + Math.floor((logDays * dayMs * place) / (eventCount + 2)));
  let chunk = '';
  let position = 0;
  for (const { stream, event, revision } of madeEvents(eventCount, timeOf)) {
    const recordedAt = timeOf(position).toISOString();
    position += 1;
    const metadata = { correlationId: randomUUID(), schemaVersion: event.type === 'ExchangeReviewed' ? 2 : 1 };
    const [data, meta] = [field(JSON.stringify(event.data)), field(JSON.stringify(metadata))];
    chunk += `${position}\t${randomUUID()}\t${stream}\t${revision}\t${event.type}\t${data}\t${meta}\t${recordedAt}\n`;
    if (chunk.length < chunkBytesMin) continue;
    yield chunk;
    chunk = '';
    onProgress(position / eventCount);
  }
  yield chunk;
}

/**
 * Fills an empty log with events as the services write them, recorded over the last 120 days, of which nine tenths can be archived with
 * the last fourteenth young. They are copied into the table: appending ten million events one call at a time measures something else.
 */
export async function fillLog(
  client: pg.Client,
  eventCount: number,
  onProgress: (fraction: number) => void = () => undefined,
): Promise<void> {
  // Unique indexes of random values are made at once when the rows are there.
  await client.query(
    `ALTER TABLE event_log.events DROP CONSTRAINT events_event_id_key, DROP CONSTRAINT events_stream_revision_key`,
  );
  const columns = 'position, event_id, stream, revision, type, data, metadata, recorded_at';
  await pipeline(
    Readable.from(copyLines(eventCount, onProgress), { objectMode: false }),
    client.query(copyFrom(`COPY event_log.events (${columns}) FROM STDIN`)),
  );
  await client.query(`ALTER TABLE event_log.events
    ADD CONSTRAINT events_event_id_key UNIQUE (event_id), ADD CONSTRAINT events_stream_revision_key UNIQUE (stream, revision)`);
  await client.query('ANALYZE event_log.events');
}
