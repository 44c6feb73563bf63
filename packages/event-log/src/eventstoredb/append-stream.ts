import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { type ClientDuplexStream, status } from '@grpc/grpc-js';
import type { EncodedAppend } from '../encode-append.ts';
import type { ExpectedRevision } from '../port.ts';
import { AppendRefusedError, conflict } from './failures.ts';
import { appendRequest, type AppendResponse } from './wire/append-message.ts';

export type WrittenAppend = { revision: bigint; position: bigint | null };

type Waiting = {
  append: EncodedAppend;
  expected: ExpectedRevision;
  resolve: (written: WrittenAppend) => void;
  reject: (cause: unknown) => void;
  timer: NodeJS.Timeout;
};

export type AppendCall = ClientDuplexStream<Buffer, AppendResponse>;

/**
 * All appends to one node go over one call, each with a correlation id that its answer repeats, and with its own deadline. A call of its own for
 * each append would cost several times the processor time.
 *
 * The client's own `appendToStream` uses the same call of the server, but shares its promises among all clients of the process, and gives them no
 * deadline.
 */
export class AppendStream {
  readonly #open: () => AppendCall;
  readonly #isConnected: () => boolean;
  readonly #waiting = new Map<string, Waiting>();
  #call: AppendCall | null = null;

  constructor(open: () => AppendCall, isConnected: () => boolean) {
    this.#open = open;
    this.#isConnected = isConnected;
  }

  /** Sends an append. Rejects with what `appendFailure` understands. */
  append(append: EncodedAppend, expected: ExpectedRevision, deadlineMs: number): Promise<WrittenAppend> {
    return new Promise((resolve, reject) => {
      // Throws if another caller has closed the node just now.
      const call = (this.#call ??= this.#opened());
      const id = randomUUID();
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        const within = `within ${Math.round(deadlineMs)} ms`;
        // A call that was sent ends when its connection does: this one still waits for a connection.
        const isSent = this.#isConnected();
        reject(
          isSent
            ? new AppendRefusedError(status.DEADLINE_EXCEEDED, `no answer ${within}`)
            : new AppendRefusedError(status.UNAVAILABLE, `No connection established ${within}`),
        );
      }, deadlineMs);
      this.#waiting.set(id, { append, expected, resolve, reject, timer });
      // Not paced by 'drain': `queuedAppendsMax` and `queuedBytesMax` bound what waits here.
      call.write(appendRequest(id, append, expected));
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
    call.on('data', (response: AppendResponse) => this.#answered(response));
    call.on('error', end);
    call.on('end', () => end(new AppendRefusedError(status.UNAVAILABLE, 'the server ended the call for appends')));
    return call;
  }

  #answered({ id, written, refusal }: AppendResponse): void {
    const waiting = this.#waiting.get(id);
    // The answer to an append whose deadline has passed.
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (written === null) waiting.reject(refusalOf(refusal, waiting));
    else waiting.resolve(written);
  }
}

const refusalOf = (error: AppendResponse['refusal'], { append, expected }: Waiting): Error => {
  const details = error?.getDetails();
  const kind = details?.getTypeName().split('.').at(-1) ?? '';
  if (kind === 'WrongExpectedVersion') {
    const refusal = shared.WrongExpectedVersion.deserializeBinary(details?.getValue_asU8() ?? new Uint8Array());
    const actual = refusal.hasCurrentStreamRevision() ? BigInt(refusal.getCurrentStreamRevision()) : 'no_stream';
    return conflict(append, expected, actual);
  }
  return new AppendRefusedError(error?.getCode() ?? status.UNKNOWN, error?.getMessage() ?? 'no reason given', kind);
};
