import { PassThrough, type Readable } from 'node:stream';
import { mcpLimits } from '../limits.ts';

/** A stream of server-sent events (WHATWG HTML §9.2) that stays open. */
export type EventStream = {
  /** What is sent to the client. */
  readonly body: Readable;
  /** Aborts when the stream is over, whoever ended it. */
  readonly closed: AbortSignal;
  send(event: { name: string; id?: string; data: string }): void;
  /** Ends the stream after what has been sent. */
  end(): void;
};

/**
 * Opens a stream and keeps it alive.
 *
 * @param onTick Runs with each comment that keeps the stream alive; false ends the stream.
 */
export const openEventStream = (onTick: () => Promise<boolean> = () => Promise.resolve(true)): EventStream => {
  const body = new PassThrough();
  const over = new AbortController();
  const timer = setInterval(() => {
    // A client that takes nothing gets no comments on top.
    if (body.writableLength === 0) body.write(': keep-alive\n\n');
    onTick().then(
      (goesOn) => {
        if (!goesOn) body.end();
      },
      // What cannot be looked up now is looked up with the next.
      () => undefined,
    );
  }, mcpLimits.keepAliveMs);
  body.once('close', () => {
    clearInterval(timer);
    over.abort();
  });
  body.on('error', () => undefined);
  // Headers go out with the first bytes; a client waits for them.
  body.write(': open\n\n');
  return {
    body,
    closed: over.signal,
    send: ({ name, id, data }) => {
      if (body.writableEnded || body.destroyed) return;
      const isStuck =
        body.writableLength + body.readableLength > 0 &&
        body.writableLength + data.length > mcpLimits.streamWaitingBytesMax;
      if (isStuck) return void body.destroy(new Error('the client does not read its stream'));
      body.write(`event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);
    },
    end: () => void body.end(),
  };
};

/** Headers of a stream: no cache keeps it, and no proxy gathers it up (X-Accel-Buffering is nginx's word for that). */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;
