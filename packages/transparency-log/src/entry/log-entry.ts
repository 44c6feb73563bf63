import { sha256OfText } from '#sha256';
import canonicalize from 'canonicalize';
import { toHex } from '../hash/encoding.ts';
import { usualJson } from './usual-json.ts';

/** One event as it stands in a leaf of the tree: all that the log stores of it, with its personal data as hashes. */
export type LogEntry = {
  /** Place in the event log, as decimal digits: it may exceed 2^53. */
  position: string;
  event_id: string;
  stream: string;
  /** Place in the stream, from 0, as decimal digits. */
  revision: string;
  type: string;
  /** RFC 3339 in UTC with milliseconds. */
  recorded_at: string;
  metadata: object;
  data: object;
};

export type RecordedEventLike = {
  eventId: string;
  type: string;
  data: object;
  metadata: object;
  stream: string;
  revision: bigint;
  position: bigint;
  recordedAt: Date;
};

/**
 * The events with texts that may be about a person: how an agent's people are reached in a contact; how an organisation is, and what an
 * owner answers a review, in the event itself.
 */
const personalDataOf: ReadonlyMap<string, 'contact' | 'itself'> = new Map([
  ['AgentRegistered', 'contact'],
  ['ContactChanged', 'contact'],
  ['OrganisationCreated', 'itself'],
  ['ReviewAnswered', 'itself'],
]);
const personalFields = ['contactEmail', 'contactInfo', 'answer'] as const;

/**
 * The leaf of an event. A personal field, plain or sealed, is replaced by `{"sha256"}` of its canonical JSON: entries can be shown, and the tree
 * stays the same after an erasure. Null, nothing given, stays.
 */
export function logEntryOf(event: RecordedEventLike): LogEntry {
  return {
    position: event.position.toString(),
    event_id: event.eventId,
    stream: event.stream,
    revision: event.revision.toString(),
    type: event.type,
    recorded_at: event.recordedAt.toISOString(),
    metadata: event.metadata,
    data: withoutPersonalData(event),
  };
}

const withoutPersonalData = ({ type, data }: Pick<RecordedEventLike, 'type' | 'data'>): object => {
  const where = personalDataOf.get(type);
  if (where === undefined) return data;
  if (where === 'itself') return hashed(data);
  const contact: unknown = 'contact' in data ? data.contact : undefined;
  return typeof contact === 'object' && contact !== null ? { ...data, contact: hashed(contact) } : data;
};

const hashed = (fields: object): object => {
  const shown: Record<string, unknown> = { ...fields };
  for (const field of personalFields) {
    const value = shown[field];
    if (value === undefined || value === null) continue;
    shown[field] = { sha256: toHex(sha256OfText(canonicalJson(value))) };
  }
  return shown;
};

const encoder = new TextEncoder();

/** The bytes that an entry's leaf holds: its canonical JSON (RFC 8785) in UTF-8, of these eight members and no other. */
export function canonicalBytes(entry: LogEntry): Uint8Array {
  return encoder.encode(canonicalText(entry));
}

const canonicalText = ({ position, event_id, stream, revision, type, recorded_at, metadata, data }: LogEntry): string =>
  canonicalJson({ data, event_id, metadata, position, recorded_at, revision, stream, type });

/** SHA-256(0x00 ‖ the entry's bytes) (RFC 6962 §2.1). */
export function leafHash(entry: LogEntry): Uint8Array {
  return sha256OfText(`\0${canonicalText(entry)}`);
}

/**
 * A JSON value in canonical form (RFC 8785). That form refuses a text with a lone surrogate, which a log may hold: then ECMAScript's escapes are
 * used. Each value has exactly one text, and two values never share one.
 */
export function canonicalJson(value: unknown): string {
  const usual = usualJson(value);
  if (usual !== null) return usual;
  try {
    const text = canonicalize(value);
    if (text !== undefined) return text;
  } catch (error) {
    if (!hasLoneSurrogate(value)) throw error;
    return escapedJson(value);
  }
  throw new TypeError('this is no JSON value');
}

/** JSON.stringify escapes lone surrogates; one that was there already as an escape has its backslash doubled before it. */
const hasLoneSurrogate = (value: unknown): boolean => /(?<!\\)(?:\\\\)*\\ud[89a-f]/u.test(JSON.stringify(value) ?? '');

const escapedJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(escapedJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${escapedJson(member)}`).join(',')}}`;
};
