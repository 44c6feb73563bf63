import type { Readable } from 'node:stream';
import { createOwnerLimiter } from '../../../concurrency/caller-limiter.ts';
import { mcpLimits } from '../limits.ts';
import type { Outflow } from './outflow.ts';

/** A stream of server-sent events (WHATWG HTML §9.2) that stays open. */
export type EventStream = {
  readonly body: Readable;
  /** Aborts when the stream has ended, by either side. */
  readonly closed: AbortSignal;
  send(event: { name: string; id?: string; data: string }): void;
  end(): void;
};

/** Opens a stream and keeps it alive. @param onTick Runs with each keep-alive comment; false ends the stream. */
export function openEventStream(
  outflow: Outflow,
  onTick: () => Promise<boolean> = () => Promise.resolve(true),
): EventStream {
  const out = outflow.open();
  const over = new AbortController();
  const timer = setInterval(() => {
    // A client that does not read gets no further comments.
    if (out.isEmpty()) out.write(': keep-alive\n\n');
    onTick().then(
      (goesOn) => {
        if (!goesOn) out.end();
      },
      // A failed lookup is repeated with the next comment.
      () => undefined,
    );
  }, mcpLimits.keepAliveMs);
  out.body.once('close', () => {
    clearInterval(timer);
    over.abort();
  });
  // Headers are sent with the first bytes, and a client waits for them.
  out.write(': open\n\n');
  return {
    body: out.body,
    closed: over.signal,
    send: ({ name, id, data }) =>
      out.write(`event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`),
    end: () => out.end(),
  };
}

/** No cache stores a stream, for it may contain keys, and no proxy buffers it (X-Accel-Buffering is nginx's header for that). */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** Streams on which clients listen at this gateway, so that they end with their session, or with the gateway. */
export type OpenStreams = {
  /** @throws DomainError overloaded */
  open(sessionId: string, client: string, stream: () => EventStream): EventStream;
  endAllOf(sessionId: string): void;
  endAll(which: (sessionId: string) => boolean): void;
};

export function createOpenStreams(): OpenStreams {
  const allMax = mcpLimits.streamsAtOnceMax;
  const ofAddresses = createOwnerLimiter({ allMax, ownerMax: mcpLimits.streamsPerAddressMax });
  const ofSessions = createOwnerLimiter({ allMax, ownerMax: mcpLimits.streamsPerSessionMax });
  const bySession = new Map<string, Set<EventStream>>();
  return {
    open: (sessionId, client, openStream) => {
      const leave = [ofSessions.acquire(sessionId)];
      try {
        leave.push(ofAddresses.acquire(client));
      } catch (error) {
        for (const giveBack of leave) giveBack();
        throw error;
      }
      const stream = openStream();
      const ofSession = bySession.get(sessionId) ?? new Set();
      bySession.set(sessionId, ofSession.add(stream));
      stream.closed.addEventListener('abort', () => {
        for (const giveBack of leave) giveBack();
        ofSession.delete(stream);
        if (ofSession.size === 0 && bySession.get(sessionId) === ofSession) bySession.delete(sessionId);
      });
      return stream;
    },
    endAllOf: (sessionId) => {
      for (const stream of bySession.get(sessionId) ?? []) stream.end();
    },
    endAll: (which) => {
      for (const [sessionId, ofSession] of bySession) {
        if (which(sessionId)) for (const stream of ofSession) stream.end();
      }
    },
  };
}
