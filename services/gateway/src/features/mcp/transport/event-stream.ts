import type { Readable } from 'node:stream';
import { mcpLimits } from '../limits.ts';
import type { Outflow } from './outflow.ts';

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
export function openEventStream(
  outflow: Outflow,
  onTick: () => Promise<boolean> = () => Promise.resolve(true),
): EventStream {
  const out = outflow.open();
  const over = new AbortController();
  const timer = setInterval(() => {
    // A client that takes nothing gets no comments on top.
    if (out.isEmpty()) out.write(': keep-alive\n\n');
    onTick().then(
      (goesOn) => {
        if (!goesOn) out.end();
      },
      // What cannot be looked up now is looked up with the next.
      () => undefined,
    );
  }, mcpLimits.keepAliveMs);
  out.body.once('close', () => {
    clearInterval(timer);
    over.abort();
  });
  // Headers go out with the first bytes; a client waits for them.
  out.write(': open\n\n');
  return {
    body: out.body,
    closed: over.signal,
    send: ({ name, id, data }) =>
      out.write(`event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`),
    end: () => out.end(),
  };
}

/** Headers of a stream: no cache keeps it, for keys may be in it, and no proxy gathers it up (X-Accel-Buffering is nginx's word for that). */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;
