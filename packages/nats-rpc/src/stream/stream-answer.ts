import { encodeJson } from '../json.ts';
import type { Sent, StreamMethod } from '../method.ts';
import { endOfTurn } from '../turn.ts';
import { encodeWhole } from './frames.ts';
import type { StreamEnd } from './stream-end.ts';

/** How a handler answers: a head, then bytes; its return value is the trailer. */
export type StreamAnswer<Method extends StreamMethod> = {
  /** Sends the head. Once, before any bytes. */
  head(head: Sent<Method['head']>): void;
  /** Sends bytes; resolves when the caller had room for them. Await each call before the next. Rejects when the stream has ended. */
  write(bytes: Uint8Array): Promise<void>;
};

/**
 * The answer of one stream. The head waits until the end of the event loop's turn: if the answer is complete by then and small, all of it is sent in
 * one message.
 */
export class StreamAnswerWriter<Method extends StreamMethod> implements StreamAnswer<Method> {
  readonly #end: StreamEnd;
  readonly #accept: () => void;
  readonly #inlineBytesMax: number;
  #head: Uint8Array | undefined;
  #corked: Uint8Array[] | undefined;
  #corkedBytes = 0;
  #flushed: Promise<void> | undefined;

  /** `accept` sends the accept frame, unless it has been sent. */
  constructor(end: StreamEnd, accept: () => void, inlineBytesMax: number) {
    this.#end = end;
    this.#accept = accept;
    this.#inlineBytesMax = inlineBytesMax;
  }

  get hasHead(): boolean {
    return this.#head !== undefined;
  }

  head(head: Sent<Method['head']>): void {
    if (this.#head) throw new Error('the head was written already');
    this.#head = encodeJson(head);
    this.#corked = [];
    setImmediate(() => {
      // A failure to send is reported by the next write, or by finish().
      this.#flush().catch(() => {});
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#head) throw new Error('the head comes before the body');
    if (bytes.length === 0) return;
    if (this.#corked && this.#corkedBytes + bytes.length <= this.#inlineBytesMax) {
      this.#corked.push(bytes);
      this.#corkedBytes += bytes.length;
      return;
    }
    await this.#flush();
    await this.#end.sendData(bytes);
  }

  /** Completes the answer. */
  async finish(trailer: unknown): Promise<void> {
    if (!this.#head) throw new Error('the handler returned without a head');
    const trailerBytes = encodeJson(trailer);
    if (this.#corked) {
      const body = Buffer.concat(this.#corked);
      this.#corked = undefined;
      await endOfTurn();
      this.#end.send('whole', ...encodeWhole({ head: this.#head, trailer: trailerBytes, body }));
      return;
    }
    await this.#flush();
    this.#end.send('end', trailerBytes);
  }

  #flush(): Promise<void> {
    this.#flushed ??= this.#uncork();
    return this.#flushed;
  }

  async #uncork(): Promise<void> {
    const corked = this.#corked;
    if (!corked || !this.#head) return;
    this.#corked = undefined;
    this.#accept();
    this.#end.send('head', this.#head);
    if (corked.length > 0) await this.#end.sendData(Buffer.concat(corked));
  }
}
