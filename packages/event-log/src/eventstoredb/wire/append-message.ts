import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { EncodedAppend, EncodedEvent } from '../../encode-append.ts';
import type { ExpectedRevision } from '../../port.ts';
import { uuidIn } from './event-message.ts';
import { MessageReader, MessageWriter } from './protobuf.ts';

/** More than tags, lengths, ids, the content type and the type's own key take: of an event, and of an append. */
const eventOverheadBytes = 192;
const appendOverheadBytes = 128;
const utf8BytesPerUnitMax = 3;

/**
 * `BatchAppendReq` with all events of one append. Written by hand, as `BatchAppendResp` is read: the generated messages take twice the processor time
 * of the call itself.
 *
 * Without a deadline, which is a time of day there: a server whose clock is wrong would refuse the append. It has a limit of its own.
 */
export function appendRequest(
  id: string,
  { stream, events, bytes }: EncodedAppend,
  expected: ExpectedRevision,
): Buffer {
  const streamBytes = stream.length * utf8BytesPerUnitMax;
  const writer = new MessageWriter(bytes + streamBytes + events.length * eventOverheadBytes + appendOverheadBytes);
  // is_final
  writer.number(4, 1n);
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (event !== undefined) writeEvent(writer, event);
  }
  const options = writer.mark;
  writeExpected(writer, expected);
  const identifier = writer.mark;
  writer.text(3, stream);
  writer.finish(1, identifier);
  writer.finish(2, options);
  writeUuid(writer, 1, id);
  return writer.result();
}

const writeEvent = (writer: MessageWriter, { eventId, type, data, metadata }: EncodedEvent): void => {
  const message = writer.mark;
  writer.text(4, data);
  writer.text(3, metadata);
  writeProperty(writer, 'content-type', 'application/json');
  writeProperty(writer, 'type', type);
  writeUuid(writer, 1, eventId);
  writer.finish(3, message);
};

const writeProperty = (writer: MessageWriter, name: string, value: string): void => {
  const entry = writer.mark;
  writer.text(2, value);
  writer.text(1, name);
  writer.finish(2, entry);
};

const writeUuid = (writer: MessageWriter, field: number, id: string): void => {
  const uuid = writer.mark;
  writer.text(2, id, id.length);
  writer.finish(field, uuid);
};

const writeExpected = (writer: MessageWriter, expected: ExpectedRevision): void => {
  if (typeof expected === 'bigint') writer.number(2, expected);
  else writer.finish({ no_stream: 3, any: 4, stream_exists: 5 }[expected], writer.mark);
};

export type AppendResponse = {
  /** The correlation id of the append. */
  id: string;
  /** Null if it was refused. */
  written: { revision: bigint; position: bigint | null } | null;
  refusal: Status | undefined;
};

/** Reads `BatchAppendResp`. */
export function appendResponse(bytes: Buffer): AppendResponse {
  const response: AppendResponse = { id: '', written: null, refusal: undefined };
  const reader = new MessageReader(bytes);
  while (reader.next()) {
    if (reader.field === 1) response.id = uuidIn(reader.message());
    else if (reader.field === 3) response.written = writtenIn(reader.message());
  }
  // Refusals are rare.
  if (response.written === null) response.refusal = streams.BatchAppendResp.deserializeBinary(bytes).getError();
  return response;
}

const writtenIn = (reader: MessageReader): { revision: bigint; position: bigint | null } => {
  const written: { revision: bigint; position: bigint | null } = { revision: 0n, position: null };
  while (reader.next()) {
    if (reader.field === 1) written.revision = reader.bigint();
    else if (reader.field === 3) {
      written.position = 0n;
      const position = reader.message();
      while (position.next()) if (position.field === 1) written.position = position.bigint();
    }
  }
  return written;
};
