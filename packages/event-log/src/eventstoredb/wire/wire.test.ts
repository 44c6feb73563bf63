import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExpectedRevision } from '../../port.ts';
import { appendRequest, appendResponse } from './append-message.ts';
import { readResponse } from './event-message.ts';

// The generated messages of the vendor's client say what is right.
const text = fc.string({ unit: 'grapheme', maxLength: 300 });
const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const bytesOf = (message: { serializeBinary(): Uint8Array }): Buffer => Buffer.from(message.serializeBinary());
const uuidOf = (id: string): shared.UUID => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  return uuid;
};

describe('a request to append', () => {
  test('is what the generated message reads', () => {
    const expecteds = fc.oneof(number, fc.constantFrom<ExpectedRevision>('any', 'no_stream', 'stream_exists'));
    const events = fc.array(fc.record({ eventId: fc.uuid(), type: text, data: text, metadata: text }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.uuid(), text, expecteds, events, (id, stream, expected, written) => {
        const bytes = written.reduce((sum, one) => sum + Buffer.byteLength(one.type + one.data + one.metadata), 0);
        const request = streams.BatchAppendReq.deserializeBinary(
          appendRequest(id, { stream, events: written, bytes }, expected),
        );
        const options = request.getOptions();
        expect(request.getCorrelationId()?.getString()).toBe(id);
        expect(request.getIsFinal()).toBe(true);
        expect(Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).toBe(stream);
        expect({
          any: options?.hasAny(),
          no_stream: options?.hasNoStream(),
          stream_exists: options?.hasStreamExists(),
          position: options?.hasStreamPosition() === true ? BigInt(options.getStreamPosition()) : null,
        }).toEqual({
          any: expected === 'any',
          no_stream: expected === 'no_stream',
          stream_exists: expected === 'stream_exists',
          position: typeof expected === 'bigint' ? expected : null,
        });
        const read = request.getProposedMessagesList().map((message) => ({
          eventId: message.getId()?.getString(),
          type: message.getMetadataMap().get('type'),
          contentType: message.getMetadataMap().get('content-type'),
          data: Buffer.from(message.getData_asU8()).toString(),
          metadata: Buffer.from(message.getCustomMetadata_asU8()).toString(),
        }));
        expect(read).toEqual(written.map((one) => ({ ...one, contentType: 'application/json' })));
      }),
    );
  });
});

describe('an answer to an append', () => {
  test('is read as the generated message wrote it', () => {
    fc.assert(
      fc.property(fc.uuid(), number, fc.option(number), (id, revision, position) => {
        const success = new streams.BatchAppendResp.Success();
        success.setCurrentRevision(String(revision));
        if (position === null) success.setNoPosition(new shared.Empty());
        else {
          const place = new shared.AllStreamPosition();
          place.setCommitPosition(String(position));
          success.setPosition(place);
        }
        const response = new streams.BatchAppendResp();
        response.setCorrelationId(uuidOf(id));
        response.setSuccess(success);
        expect(appendResponse(bytesOf(response))).toEqual({ id, written: { revision, position }, refusal: undefined });
      }),
    );
  });

  // Some paths of the server send ids as two numbers.
  test('may have its id as two numbers', () => {
    const structured = new shared.UUID.Structured();
    const bits = (hex: string): string => String(BigInt.asIntN(64, BigInt(`0x${hex}`)));
    structured.setMostSignificantBits(bits('0123456789ab4def'));
    structured.setLeastSignificantBits(bits('8edcba9876543210'));
    const id = new shared.UUID();
    id.setStructured(structured);
    const response = new streams.BatchAppendResp();
    response.setCorrelationId(id);
    expect(appendResponse(bytesOf(response)).id).toBe('01234567-89ab-4def-8edc-ba9876543210');
  });
});

describe('an answer to a read', () => {
  test('is read as the generated message wrote it', () => {
    const events = fc.record({
      stream: text,
      type: text,
      data: text,
      metadata: text,
      revision: number,
      position: number,
    });
    fc.assert(
      fc.property(events, ({ stream, type, data, metadata, revision, position }) => {
        const identifier = new shared.StreamIdentifier();
        identifier.setStreamName(Buffer.from(stream));
        const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
        const id = randomUUID();
        recorded.setId(uuidOf(id));
        recorded.setStreamIdentifier(identifier);
        recorded.setStreamRevision(String(revision));
        recorded.setCommitPosition(String(position));
        recorded.setPreparePosition(String(position));
        recorded.getMetadataMap().set('type', type).set('content-type', 'application/json').set('created', '17');
        recorded.setData(Buffer.from(data));
        recorded.setCustomMetadata(Buffer.from(metadata));
        const resolved = new streams.ReadResp.ReadEvent();
        resolved.setEvent(recorded);
        resolved.setCommitPosition(String(position));
        const response = new streams.ReadResp();
        response.setEvent(resolved);
        const { event } = readResponse(bytesOf(response));
        const read = event && { ...event, data: event.data.toString(), metadata: event.metadata.toString() };
        const contentType = 'application/json';
        expect(read).toEqual({ id, stream, type, contentType, created: '17', revision, position, data, metadata });
      }),
    );
  });

  test('may be something else, also of a later server', () => {
    const confirmed = new streams.ReadResp();
    confirmed.setConfirmation(new streams.ReadResp.SubscriptionConfirmation());
    expect(readResponse(bytesOf(confirmed))).toEqual({ event: null, isConfirmation: true });
    const position = new streams.ReadResp();
    position.setLastStreamPosition('300');
    expect(readResponse(bytesOf(position))).toEqual({ event: null, isConfirmation: false });
  });

  test('that is not whole is refused', () => {
    const reading = (bytes: number[]) => () => readResponse(Buffer.from(bytes));
    // A field longer than the message; a number without an end; a length without an end; a wire type that is not used.
    for (const bytes of [
      [0x0a, 5, 1],
      [0x30, 0x80],
      [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff],
      [0x0d, 1, 2, 3, 4],
    ]) {
      expect(reading(bytes)).toThrow(RangeError);
    }
  });
});
