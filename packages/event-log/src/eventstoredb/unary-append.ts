import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ServiceError } from '@grpc/grpc-js';
import type { EncodedAppend, EncodedEvent } from '../encode-append.ts';
import type { ExpectedRevision } from '../port.ts';
import { internalsOf } from './client.ts';
import { conflict } from './failures.ts';

type UnaryAppendResult = { revision: bigint; position: bigint | null };

/**
 * One attempt to append, as one unary call with its own deadline.
 *
 * The client's `appendToStream` is not used. Without per-call credentials it uses the batch-append path, whose promises are shared by all clients of
 * the process and have no deadline. With them it uses a unary path that builds the call inside `new Promise(async …)`: if another call has just
 * closed the channel, the stub throws there, which is an unhandled rejection that ends the process, and a promise that never settles.
 */
export function unaryAppend(
  client: EventStoreDBClient,
  append: EncodedAppend,
  expected: ExpectedRevision,
  deadlineMs: number,
): Promise<UnaryAppendResult> {
  const internals = internalsOf(client);
  return internals.execute(
    StreamsClient,
    'append',
    (stub) =>
      new Promise<UnaryAppendResult>((resolve, reject) => {
        const [metadata, options] = internals.callArguments({ deadline: deadlineMs, requiresLeader: true });
        const call = stub.append(metadata, options, (error, response) => {
          if (error !== null) return reject(withoutTraps(error));
          if (response.hasWrongExpectedVersion()) return reject(conflictIn(response, append, expected));
          const success = response.getSuccess();
          if (success === undefined)
            return reject(new Error('EventStoreDB answered an append with neither success nor refusal.'));
          const position = success.getPosition();
          resolve({
            revision: BigInt(success.getCurrentRevision()),
            position: position === undefined ? null : BigInt(position.getCommitPosition()),
          });
        });
        // The callback gets the failure; without a listener it would be thrown as well.
        call.on('error', () => undefined);
        // Not paced by 'drain': an append is bounded by appendBytesMax, and after a failure 'drain' never comes.
        call.write(header(append.stream, expected));
        for (const event of append.events) call.write(proposed(event));
        call.end();
      }),
  );
}

/** The client reads these trailers without checking that they exist, in a promise that nobody awaits. */
const withoutTraps = (error: ServiceError): Error => {
  const exception = error.metadata?.get('exception')[0]?.toString();
  const lacks = (name: string): boolean => error.metadata.get(name).length === 0;
  if (exception === 'not-leader' && (lacks('leader-endpoint-host') || lacks('leader-endpoint-port'))) {
    return new Error('EventStoreDB says that this node is not the leader, but not which node is.');
  }
  if ((exception === 'stream-deleted' || exception === 'wrong-expected-version') && lacks('stream-name'))
    error.metadata.set('stream-name', '');
  if (exception === 'wrong-expected-version' && lacks('expected-version')) error.metadata.set('expected-version', '-2');
  if (exception === 'maximum-append-size-exceeded' && lacks('maximum-append-size'))
    error.metadata.set('maximum-append-size', '0');
  return error;
};

const conflictIn = (response: streams.AppendResp, append: EncodedAppend, expected: ExpectedRevision): Error => {
  const refusal = response.getWrongExpectedVersion();
  const actual = refusal?.hasCurrentRevision() === true ? BigInt(refusal.getCurrentRevision()) : 'no_stream';
  return conflict(append, expected, actual);
};

const header = (stream: string, expected: ExpectedRevision): streams.AppendReq => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Uint8Array.from(Buffer.from(stream, 'utf8')));
  const options = new streams.AppendReq.Options();
  options.setStreamIdentifier(identifier);
  switch (expected) {
    case 'any':
      options.setAny(new shared.Empty());
      break;
    case 'no_stream':
      options.setNoStream(new shared.Empty());
      break;
    case 'stream_exists':
      options.setStreamExists(new shared.Empty());
      break;
    default:
      options.setRevision(expected.toString());
  }
  const request = new streams.AppendReq();
  request.setOptions(options);
  return request;
};

const proposed = (event: EncodedEvent): streams.AppendReq => {
  const id = new shared.UUID();
  id.setString(event.eventId);
  const message = new streams.AppendReq.ProposedMessage();
  message.setId(id);
  message.getMetadataMap().set('type', event.type);
  message.getMetadataMap().set('content-type', 'application/json');
  message.setData(Uint8Array.from(Buffer.from(event.data, 'utf8')));
  message.setCustomMetadata(Uint8Array.from(Buffer.from(event.metadata, 'utf8')));
  const request = new streams.AppendReq();
  request.setProposedMessage(message);
  return request;
};
