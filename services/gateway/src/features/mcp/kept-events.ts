import { randomBytes, timingSafeEqual } from 'node:crypto';
import { pause } from '@agent-trust/limits';
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { type JSONRPCMessage, JSONRPCMessageSchema, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { JetStreamBus } from '../../bus/key-values.ts';
import { z } from 'zod';
import { createSealedStore, ValueTooLargeError } from '../../bus/sealed-store.ts';
import { mcpLimits } from './limits.ts';
import { type McpCaller, identityOf } from './mcp-caller.ts';
import { rpcCodes } from './mcp-refusal.ts';
import type { McpKeys, NameOf } from './sealing.ts';

/** Events of streams, kept sealed for a while so that a client that lost its stream can fetch them from every gateway. */
export type KeptEvents = {
  /** The store of one stream, as the SDK's transport writes to it. `onLost` gets the error if an event cannot be kept; the client still gets the event. */
  storeFor(
    sessionId: string,
    caller: McpCaller,
    requests: readonly RequestId[],
    onLost: (cause: unknown) => void,
  ): EventStore;
  /** The events after an event, as they come, until the stream is over or nothing comes; null for an id that this caller was not given. */
  following(
    sessionId: string,
    caller: McpCaller,
    lastEventId: string,
    signal: AbortSignal,
  ): AsyncGenerator<KeptEvent> | null;
};

export type KeptEvent = { id: string; message: JSONRPCMessage };

const kept = z.object({ message: JSONRPCMessageSchema, isLast: z.boolean() });

export function createKeptEvents(bus: JetStreamBus, keys: McpKeys, now: () => number = Date.now): KeptEvents {
  const store = createSealedStore(bus, keys.events, kept, {
    name: 'mcp_events',
    ttlMs: mcpLimits.eventLifetimeMs,
    bytesMax: mcpLimits.eventBucketBytesMax,
    valueBytesMax: mcpLimits.eventBytesMax,
    timeoutMs: mcpLimits.storeTimeoutMs,
  });
  const put = async (key: string, message: JSONRPCMessage, isLast: boolean): Promise<void> => {
    try {
      await store.write(key, { message, isLast }, 0);
    } catch (error) {
      if (!(error instanceof ValueTooLargeError)) throw error;
      await store.write(key, { message: tooLong(message), isLast }, 0);
    }
  };
  const get = async (key: string): Promise<z.output<typeof kept> | undefined> => (await store.read(key))?.open();

  return {
    storeFor: (sessionId, caller, requests, onLost) => {
      const stream = randomBytes(12).toString('base64url');
      const openedAt = now();
      const open = new Set(requests);
      let seq = -1;
      return {
        storeEvent: async (_stream, message) => {
          seq += 1;
          const own = seq;
          const isAnswer = 'id' in message && !('method' in message);
          if (isAnswer && message.id !== undefined) open.delete(message.id);
          // The first event has only an id, which proves itself.
          const isEmpty = Object.keys(message).length === 0;
          if (!isEmpty)
            await put(keyOfEvent(keys.nameOf, sessionId, stream, own), message, open.size === 0).catch(onLost);
          return eventIdOf(keys.nameOf, sessionId, caller, { stream, openedAt, seq: own });
        },
        // Clients that reconnect are served by `following`: they may reach another gateway.
        replayEventsAfter: () => Promise.reject(new Error('streams are not replayed by the transport')),
      };
    },
    following: (sessionId, caller, lastEventId, signal) => {
      const found = placeOfEvent(keys, sessionId, caller, lastEventId);
      if (found === null) return null;
      const { place, nameOf } = found;
      const keyOf = (seq: number): string => keyOfEvent(nameOf, sessionId, place.stream, seq);
      return (async function* follow() {
        const until = now() + mcpLimits.followMs;
        let { seq } = place;
        // Nothing follows the last event.
        if (seq > 0 && (await get(keyOf(seq)))?.isLast) return;
        while (!signal.aborted && now() < until) {
          const event = await get(keyOf(seq + 1));
          if (event === undefined) {
            await pause(mcpLimits.followPollMs, signal);
            continue;
          }
          seq += 1;
          yield { id: eventIdOf(nameOf, sessionId, caller, { ...place, seq }), message: event.message };
          if (event.isLast) return;
        }
      })();
    },
  };
}

const tooLong = (message: JSONRPCMessage): JSONRPCMessage =>
  'id' in message && message.id !== undefined && !('method' in message)
    ? {
        jsonrpc: '2.0',
        id: message.id,
        error: {
          code: rpcCodes.refused,
          message: 'the request was carried out; its answer is too long to be sent a second time',
        },
      }
    : {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'warning', data: 'a message was too long to be kept' },
      };

/** A place in the stream of one message's answers. */
type EventPlace = {
  readonly stream: string;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
  readonly seq: number;
};

const pattern = /^([A-Za-z0-9_-]{16})\.([0-9a-z]{1,11})\.([0-9a-z]{1,6})\.([A-Za-z0-9_-]{43})$/u;

/**
 * An id that only a gateway can make, and only for this session and caller. So a place in a stream without events needs no record, and
 * another caller's session id and event id are of no use.
 */
function eventIdOf(nameOf: NameOf, sessionId: string, caller: McpCaller, place: EventPlace): string {
  const parts = [place.stream, place.openedAt.toString(36), place.seq.toString(36)];
  return [...parts, proof(nameOf, sessionId, caller, parts)].join('.');
}

/** The place of an id, and the names that it was made with; null for an id that is not of this session and caller. */
function placeOfEvent(
  { names }: McpKeys,
  sessionId: string,
  caller: McpCaller,
  id: string,
): { place: EventPlace; nameOf: NameOf } | null {
  const [, stream, openedAt, seq, given] = pattern.exec(id) ?? [];
  if (stream === undefined || openedAt === undefined || seq === undefined || given === undefined) return null;
  const nameOf = names.find((one) =>
    timingSafeEqual(Buffer.from(given), Buffer.from(proof(one, sessionId, caller, [stream, openedAt, seq]))),
  );
  if (nameOf === undefined) return null;
  return { place: { stream, openedAt: Number.parseInt(openedAt, 36), seq: Number.parseInt(seq, 36) }, nameOf };
}

function keyOfEvent(nameOf: NameOf, sessionId: string, stream: string, seq: number): string {
  return `${nameOf(['stream', sessionId, stream]).toString('hex')}.${seq}`;
}

const proof = (nameOf: NameOf, sessionId: string, caller: McpCaller, parts: readonly string[]): string =>
  nameOf(['event id', sessionId, ...identityOf(caller), ...parts]).toString('base64url');
