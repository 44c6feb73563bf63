import { fromErrorAnswer } from '../answer-error.ts';
import { RpcCancelledError, RpcError, RpcProtocolError, RpcTimeoutError, RpcUnavailableError } from '../errors.ts';
import { decodeJson } from '../json.ts';
import type { RpcLimits } from '../limits.ts';
import { CreditGate } from './credit.ts';
import { decodeCredit, decodeFrame, encodeCredit, encodeFrame, type FrameKind } from './frames.ts';
import { ReceiveQueue } from './receive-queue.ts';

type StreamEndOptions = {
  /** Names the stream in errors. */
  what: string;
  limits: RpcLimits;
  idleTimeoutMs: number;
  /** The first sequence numbers: the opening message was the opener's frame 0. */
  nextOut: number;
  nextIn: number;
  /** Publishes a frame to the peer. For a probe, NATS also reports if nobody listens there any more. Throws `RpcPayloadTooLargeError`. */
  publish(frame: Uint8Array, probe: boolean): void;
  /** Handles frames that only one of the two sides receives: accept, head, end, whole. May throw an RpcError to fail the stream. */
  onFrame(kind: FrameKind, payload: Uint8Array): void;
  /** Notifies the peer of a failure found on this side. */
  tellFailure(error: RpcError): void;
  /** Called once, when the stream is over on this side. */
  onClosed(error: RpcError | undefined): void;
  /** The reader of the body left before its end. */
  onReaderLeft(): void;
};

/**
 * One end of a stream, the same on both sides: it numbers and checks frames, enforces credits, detects a lost peer, and closes once. Nothing in it
 * grows beyond the window.
 */
export class StreamEnd {
  readonly gate: CreditGate;
  readonly queue: ReceiveQueue;
  readonly #options: StreamEndOptions;
  readonly #timer: NodeJS.Timeout;
  #nextOut: number;
  #nextIn: number;
  #closed = false;
  #sentSinceTick = true;
  #silentTicks = 0;
  #mayProbe = false;

  constructor(options: StreamEndOptions) {
    const { limits, idleTimeoutMs, what } = options;
    this.#options = options;
    this.#nextOut = options.nextOut;
    this.#nextIn = options.nextIn;
    const idle = (waited: string) => (): void =>
      this.fail(new RpcTimeoutError('idle', idleTimeoutMs, `${what}: no ${waited} for ${idleTimeoutMs} ms`));
    this.gate = new CreditGate(idleTimeoutMs, idle('reading by the peer'));
    this.queue = new ReceiveQueue({
      windowBytes: limits.windowBytes,
      idleTimeoutMs,
      onCredit: (bytes) => this.send('credit', encodeCredit(bytes)),
      onIdle: idle('data'),
      onLeft: () => options.onReaderLeft(),
    });
    // Counts ticks instead of reading the clock: after a pause of this process, the peer's frames are still waiting in the socket.
    this.#timer = setInterval(() => this.#tick(), limits.keepAliveMs);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** From now on frames can be sent to the peer. */
  startKeepAlive(): void {
    this.#mayProbe = true;
  }

  /** Publishes one frame; does nothing when the stream is over. */
  send(kind: FrameKind, ...parts: Uint8Array[]): void {
    if (this.#closed) return;
    this.#publish(kind, parts, false);
  }

  /** Sends bytes in chunks as the peer has room for them. Rejects with the stream's failure. */
  async sendData(bytes: Uint8Array): Promise<void> {
    const chunkBytes = Math.max(1, Math.min(this.#options.limits.chunkBytesMax, this.gate.frameBytesMax));
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const chunk = bytes.subarray(at, at + chunkBytes);
      await this.gate.take(chunk.length);
      this.send('data', chunk);
    }
  }

  /** Handles a message from the peer. Never throws. */
  receive(message: Uint8Array): void {
    if (this.#closed) return;
    this.#silentTicks = 0;
    const frame = decodeFrame(message);
    if (frame === null) return this.#breach('a message that is no frame');
    if (frame.sequence !== this.#nextIn) {
      return this.#breach(
        `frame ${frame.sequence} where ${this.#nextIn} was due: one was lost, duplicated or reordered`,
      );
    }
    this.#nextIn = (this.#nextIn + 1) >>> 0;
    try {
      this.#dispatch(frame.kind, frame.payload);
    } catch (error) {
      const unreadable = `${this.#options.what}: ${frame.kind} cannot be read`;
      this.fail(error instanceof RpcError ? error : new RpcProtocolError(unreadable, { cause: error }));
    }
  }

  /** NATS reported that nobody listens where a probe was sent. */
  peerGone(): void {
    this.close(new RpcUnavailableError('peer_lost', `${this.#options.what}: the other side is lost`));
  }

  /** Ends the stream for a reason found here, and notifies the peer. */
  fail(error: RpcError): void {
    if (this.#closed) return;
    try {
      this.#options.tellFailure(error);
    } finally {
      this.close(error);
    }
  }

  /** Ends the stream on this side; without an error, received data can still be read. */
  close(error?: RpcError): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    this.gate.fail(() => error ?? new RpcCancelledError(`${this.#options.what} is over`));
    if (error instanceof RpcCancelledError) this.queue.abort(error);
    else this.queue.end(error);
    this.#options.onClosed(error);
  }

  #dispatch(kind: FrameKind, payload: Uint8Array): void {
    switch (kind) {
      case 'data':
        if (!this.queue.push(payload)) this.#breach('more data than there was credit for');
        return;
      case 'credit': {
        const bytes = decodeCredit(payload);
        if (bytes === null || !this.gate.add(bytes)) this.#breach('a credit that cannot be');
        return;
      }
      case 'alive':
        return;
      case 'error':
        return this.close(fromErrorAnswer(decodeJson(payload), this.#options.what));
      case 'cancel':
        return this.close(new RpcCancelledError(`${this.#options.what} was cancelled by the caller`));
      case 'open':
      case 'accept':
      case 'head':
      case 'end':
      case 'whole':
        return this.#options.onFrame(kind, payload);
      default:
        return kind satisfies never;
    }
  }

  #breach(detail: string): void {
    this.fail(new RpcProtocolError(`${this.#options.what}: ${detail}`));
  }

  #tick(): void {
    const { keepAliveMs, peerSilenceMsMax } = this.#options.limits;
    this.#silentTicks += 1;
    if (this.#silentTicks * keepAliveMs > peerSilenceMsMax) {
      this.fail(
        new RpcUnavailableError('peer_lost', `${this.#options.what}: nothing heard for ${peerSilenceMsMax} ms`),
      );
      return;
    }
    if (this.#mayProbe && !this.#sentSinceTick) this.#publish('alive', [], true);
    this.#sentSinceTick = false;
  }

  #publish(kind: FrameKind, parts: readonly Uint8Array[], probe: boolean): void {
    this.#options.publish(encodeFrame(kind, this.#nextOut, parts), probe);
    this.#nextOut = (this.#nextOut + 1) >>> 0;
    this.#sentSinceTick = true;
  }
}
