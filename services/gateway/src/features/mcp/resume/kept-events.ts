import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StorageType } from '@nats-io/jetstream';
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { type JSONRPCMessage, JSONRPCMessageSchema, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { createKeyValues } from '../../../bus/key-values.ts';
import { seal, unseal } from '../../../credentials/seal.ts';
import { mcpLimits } from '../limits.ts';
import type { McpCaller } from '../mcp-caller.ts';
import { rpcCodes } from '../mcp-refusal.ts';
import type { McpKeys } from '../sealing.ts';
import { eventIdOf, keyOfEvent, placeOfEvent } from './event-id.ts';

/** What was sent in streams, for clients that lost theirs: sealed, for a while, to be had from every gateway. */
export type KeptEvents = {
  /** The store of one stream, as the SDK's transport writes to it. `onLost` hears why an event could not be kept; the client gets it all the same. */
  storeFor(
    sessionId: string,
    caller: McpCaller,
    requests: readonly RequestId[],
    onLost: (cause: unknown) => void,
  ): EventStore;
  /** What follows an event, as it comes, until the stream is over or nothing comes; null for an id that was not given to this caller. */
  following(
    sessionId: string,
    caller: McpCaller,
    lastEventId: string,
    signal: AbortSignal,
  ): AsyncGenerator<KeptEvent> | null;
};

export type KeptEvent = { id: string; message: JSONRPCMessage };

const kept = z.object({ message: JSONRPCMessageSchema, isLast: z.boolean() });

export function createKeptEvents(connection: NatsConnection, keys: McpKeys, now: () => number = Date.now): KeptEvents {
  const values = createKeyValues(connection, {
    name: 'mcp_events',
    storage: StorageType.File,
    ttlMs: mcpLimits.eventLifetimeMs,
    bytesMax: mcpLimits.eventBucketBytesMax,
    valueBytesMax: mcpLimits.eventBytesMax,
    timeoutMs: mcpLimits.storeTimeoutMs,
  });
  const sealed = (key: string, message: JSONRPCMessage, isLast: boolean): Uint8Array =>
    seal(keys.events, key, JSON.stringify({ message, isLast }));
  const put = async (key: string, message: JSONRPCMessage, isLast: boolean): Promise<void> => {
    const whole = sealed(key, message, isLast);
    const bytes = whole.byteLength <= valueBytesMax ? whole : sealed(key, tooLong(message), isLast);
    try {
      await (await values.open()).put(key, bytes);
    } catch (error) {
      values.forget();
      throw error;
    }
  };
  const get = async (key: string): Promise<z.output<typeof kept> | null> => {
    const entry = await (await values.open()).get(key);
    return entry === null ? null : kept.parse(JSON.parse(unseal(keys.events, key, entry.value)));
  };

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
          // The first event says nothing but its id, which proves itself.
          const saysNothing = Object.keys(message).length === 0;
          if (!saysNothing) await put(keyOfEvent(keys, sessionId, stream, own), message, open.size === 0).catch(onLost);
          return eventIdOf(keys, sessionId, caller, { stream, openedAt, seq: own });
        },
        // Clients that come back are served by `following`: they may have come to another gateway.
        replayEventsAfter: () => Promise.reject(new Error('streams are not replayed by the transport')),
      };
    },
    following: (sessionId, caller, lastEventId, signal) => {
      const place = placeOfEvent(keys, sessionId, caller, lastEventId);
      if (place === null) return null;
      const keyOf = (seq: number): string => keyOfEvent(keys, sessionId, place.stream, seq);
      return (async function* follow() {
        const until = now() + mcpLimits.followMs;
        let { seq } = place;
        // Nothing follows the last event, and the wait for it would be in vain.
        if (seq > 0 && (await get(keyOf(seq)))?.isLast === true) return;
        while (!signal.aborted && now() < until) {
          const event = await get(keyOf(seq + 1));
          if (event === null) {
            await delay(mcpLimits.followPollMs, undefined, { signal }).catch(() => undefined);
            continue;
          }
          seq += 1;
          yield { id: eventIdOf(keys, sessionId, caller, { ...place, seq }), message: event.message };
          if (event.isLast) return;
        }
      })();
    },
  };
}

/** What is kept with a value by the server counts too. */
const valueBytesMax = mcpLimits.eventBytesMax - 1_024;

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
