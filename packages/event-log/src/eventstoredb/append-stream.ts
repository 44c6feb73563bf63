import { randomUUID } from 'node:crypto';
import { parseUUID } from '@eventstore/db-client/dist/utils/grpcUUID.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type ClientDuplexStream, status } from '@grpc/grpc-js';
import type { EncodedAppend } from '../encode-append.ts';
import type { ExpectedRevision } from '../port.ts';
import { AppendRefusedError, conflict } from './failures.ts';

export type WrittenAppend = { revision: bigint; position: bigint | null };

type Waiting = {
  append: EncodedAppend;
  expected: ExpectedRevision;
  resolve: (written: WrittenAppend) => void;
  reject: (cause: unknown) => void;
  timer: NodeJS.Timeout;
};

export type AppendCall = ClientDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

/**
 * All appends to one node go over one call, each with a correlation id that its answer repeats, and with its own deadline. A call of its own for
 * each append would cost several times the processor time.
 *
 * The client's own `appendToStream` uses the same call of the server, but shares its promises among all clients of the process, and gives them no
 * deadline.
 */
export class AppendStream {
  readonly #open: () => AppendCall;
  readonly #waiting = new Map<string, Waiting>();
  #call: AppendCall | null = null;

  constructor(open: () => AppendCall) {
    this.#open = open;
  }

  /** Sends an append. Rejects with what `appendFailure` understands. */
  append(append: EncodedAppend, expected: ExpectedRevision, deadlineMs: number): Promise<WrittenAppend> {
    return new Promise((resolve, reject) => {
      // Throws if another caller has closed the node just now.
      const call = (this.#call ??= this.#opened());
      const id = randomUUID();
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new AppendRefusedError(status.DEADLINE_EXCEEDED, `no answer within ${Math.round(deadlineMs)} ms`));
      }, deadlineMs);
      this.#waiting.set(id, { append, expected, resolve, reject, timer });
      // Not paced by 'drain': `queuedAppendsMax` and `queuedBytesMax` bound what waits here.
      call.write(requestOf(id, append, expected));
    });
  }

  #opened(): AppendCall {
    const call = this.#open();
    const end = (cause: unknown): void => {
      if (this.#call !== call) return;
      this.#call = null;
      const all = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject, timer } of all) {
        clearTimeout(timer);
        reject(cause);
      }
    };
    call.on('data', (response: streams.BatchAppendResp) => this.#answered(response));
    call.on('error', end);
    call.on('end', () => end(new AppendRefusedError(status.UNAVAILABLE, 'the server ended the call for appends')));
    return call;
  }

  #answered(response: streams.BatchAppendResp): void {
    const id = parseUUID(response.getCorrelationId()) ?? '';
    const waiting = this.#waiting.get(id);
    // The answer to an append whose deadline has passed.
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    const success = response.getSuccess();
    if (success === undefined) {
      waiting.reject(refusalIn(response.getError(), waiting));
      return;
    }
    const position = success.getPosition();
    waiting.resolve({
      revision: BigInt(success.getCurrentRevision()),
      position: position === undefined ? null : BigInt(position.getCommitPosition()),
    });
  }
}

const refusalIn = (error: Status | undefined, { append, expected }: Waiting): Error => {
  const details = error?.getDetails();
  const kind = details?.getTypeName().split('.').at(-1) ?? '';
  if (kind === 'WrongExpectedVersion') {
    const refusal = shared.WrongExpectedVersion.deserializeBinary(details?.getValue_asU8() ?? new Uint8Array());
    const actual = refusal.hasCurrentStreamRevision() ? BigInt(refusal.getCurrentStreamRevision()) : 'no_stream';
    return conflict(append, expected, actual);
  }
  return new AppendRefusedError(error?.getCode() ?? status.UNKNOWN, error?.getMessage() ?? 'no reason given', kind);
};

const empty = new shared.Empty();

/** Without a deadline, which is a time of day there: a server whose clock is wrong would refuse the append. It has a limit of its own. */
const requestOf = (
  id: string,
  { stream, events }: EncodedAppend,
  expected: ExpectedRevision,
): streams.BatchAppendReq => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(identifier);
  switch (expected) {
    case 'any':
      options.setAny(empty);
      break;
    case 'no_stream':
      options.setNoStream(empty);
      break;
    case 'stream_exists':
      options.setStreamExists(empty);
      break;
    default:
      options.setStreamPosition(expected.toString());
  }
  const request = new streams.BatchAppendReq();
  request.setCorrelationId(uuidOf(id));
  request.setOptions(options);
  request.setProposedMessagesList(
    events.map((event) => {
      const message = new streams.BatchAppendReq.ProposedMessage();
      message.setId(uuidOf(event.eventId));
      message.getMetadataMap().set('type', event.type).set('content-type', 'application/json');
      message.setData(Buffer.from(event.data, 'utf8'));
      message.setCustomMetadata(Buffer.from(event.metadata, 'utf8'));
      return message;
    }),
  );
  request.setIsFinal(true);
  return request;
};

const uuidOf = (id: string): shared.UUID => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  return uuid;
};
