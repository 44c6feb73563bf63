import { type OwnerLimiter, createOwnerLimiter } from '../../../concurrency/owner-limiter.ts';
import { mcpLimits } from '../limits.ts';
import type { EventStream } from './event-stream.ts';

/** Streams on which clients listen at this gateway, so that they end with their session, or with the gateway. */
export type OpenStreams = {
  /**
   * Takes the places of a stream and opens it.
   *
   * @throws DomainError overloaded
   */
  open(sessionId: string, client: string, stream: () => EventStream): EventStream;
  endAllOf(sessionId: string): void;
  /** Ends those of all sessions that `which` is true of. */
  endAll(which: (sessionId: string) => boolean): void;
};

export function createOpenStreams(): OpenStreams {
  const ofAddresses: OwnerLimiter = createOwnerLimiter({
    allMax: mcpLimits.streamsAtOnceMax,
    ownerMax: mcpLimits.streamsPerAddressMax,
  });
  const ofSessions: OwnerLimiter = createOwnerLimiter({
    allMax: mcpLimits.streamsAtOnceMax,
    ownerMax: mcpLimits.streamsPerSessionMax,
  });
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
