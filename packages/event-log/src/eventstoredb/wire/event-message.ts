import { parseUUID } from '@eventstore/db-client/dist/utils/grpcUUID.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { MessageReader } from './protobuf.ts';

/** An event as the server sends it. */
export type StoredEvent = {
  id: string;
  stream: string;
  type: string;
  contentType: string;
  /** In 100 nanoseconds since 1970. */
  created: string;
  revision: bigint;
  position: bigint;
  /** Bytes of the answer that it came in. */
  data: Buffer;
  metadata: Buffer;
};

/** What a `ReadResp` is: one of several messages, of which these matter here. */
export type ReadResponse = { event: StoredEvent | null; isConfirmation: boolean };

export function readResponse(bytes: Buffer): ReadResponse {
  const response: ReadResponse = { event: null, isConfirmation: false };
  const reader = new MessageReader(bytes);
  while (reader.next()) {
    if (reader.field === 2) response.isConfirmation = true;
    else if (reader.field === 1) {
      const resolved = reader.message();
      while (resolved.next()) if (resolved.field === 1) response.event = storedEvent(resolved.message());
    }
  }
  return response;
}

const storedEvent = (reader: MessageReader): StoredEvent => {
  const { bytes } = reader;
  const nothing = bytes.subarray(0, 0);
  const event: StoredEvent = {
    id: '',
    stream: '',
    type: '',
    contentType: '',
    created: '0',
    revision: 0n,
    position: 0n,
    data: nothing,
    metadata: nothing,
  };
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        event.id = uuidIn(reader.message());
        break;
      case 2: {
        const identifier = reader.message();
        while (identifier.next()) if (identifier.field === 3) event.stream = identifier.text();
        break;
      }
      case 3:
        event.revision = reader.bigint();
        break;
      case 5:
        event.position = reader.bigint();
        break;
      case 6:
        readProperty(reader.message(), event);
        break;
      case 7:
        event.metadata = bytes.subarray(reader.start, reader.end);
        break;
      case 8:
        event.data = bytes.subarray(reader.start, reader.end);
        break;
      default:
    }
  }
  return event;
};

const readProperty = (entry: MessageReader, event: StoredEvent): void => {
  let name = '';
  let value = '';
  while (entry.next()) {
    if (entry.field === 1) name = entry.text();
    else if (entry.field === 2) value = entry.text();
  }
  if (name === 'type') event.type = value;
  else if (name === 'content-type') event.contentType = value;
  else if (name === 'created') event.created = value;
};

/** A UUID comes as text when that was asked for, and from some paths of the server as two numbers. */
export function uuidIn(reader: MessageReader): string {
  const { start, end } = reader.range;
  if (reader.next() && reader.field === 2) return reader.text();
  return parseUUID(shared.UUID.deserializeBinary(reader.bytes.subarray(start, end))) ?? '';
}
