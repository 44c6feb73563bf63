import { randomInt } from 'node:crypto';
import { DomainError } from '@agent-trust/contracts';
import { StorageType } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { createKeyValues, isLostRace } from '../../../bus/key-values.ts';
import { seal, unseal } from '../../../credentials/seal.ts';
import { HttpRefusal } from '../../../http/refusal.ts';
import { mcpLimits } from '../limits.ts';
import type { McpKeys } from '../sealing.ts';
import { addressInIds, keyOfPlace, newSessionId, placeOfSession } from './session-id.ts';
import { type SessionRecord, isOfSession, newSession, sessionRecord } from './session-record.ts';

/** Sessions of all gateways, so that any of them serves any session. What goes wrong with the store is DomainError unavailable. */
export type SessionStore = {
  /**
   * Opens a session for a client address and answers its id.
   *
   * @throws HttpRefusal rate_limited (with Retry-After) where all places of the address are in use; DomainError unavailable.
   */
  open(client: string, heldBy: string | null): Promise<string>;
  /** The session, whose use is written down; null where there is none of this id, or no more. */
  find(id: string): Promise<SessionRecord | null>;
  /** Replaces the sealed key; false where the session is gone. */
  setKey(id: string, sealed: string | null): Promise<boolean>;
  /** Ends the session. */
  end(id: string): Promise<void>;
};

/** A null record is one that another secret has sealed: it is nobody's session. */
type Kept = { record: SessionRecord | null; revision: number };

export function createSessionStore(
  connection: NatsConnection,
  keys: McpKeys,
  now: () => number = Date.now,
): SessionStore {
  const values = createKeyValues(connection, {
    name: 'mcp_sessions',
    // Clients outlive a restart of the server, and so do their sessions.
    storage: StorageType.File,
    ttlMs: mcpLimits.sessionIdleMs,
    bytesMax: mcpLimits.sessionBucketBytesMax,
    valueBytesMax: mcpLimits.sessionBytesMax,
    timeoutMs: mcpLimits.storeTimeoutMs,
  });
  const inBucket = async <Result>(work: (bucket: KV) => Promise<Result>): Promise<Result> => {
    try {
      return await work(await values.open());
    } catch (error) {
      if (isLostRace(error)) throw error;
      // Whatever went wrong, the next request looks for the bucket again: it may be gone with the server's disk.
      values.forget();
      throw new DomainError('unavailable', 'MCP sessions cannot be looked up now; try again', { cause: error });
    }
  };
  const opened = (key: string, value: Uint8Array): SessionRecord | null => {
    try {
      return sessionRecord.parse(JSON.parse(unseal(keys.sessions, key, value)));
    } catch {
      return null;
    }
  };
  const read = async (key: string): Promise<Kept | null> => {
    const kept = await inBucket((kv) => kv.get(key));
    if (kept === null || kept.operation !== 'PUT') return null;
    return { record: opened(key, kept.value), revision: kept.revision };
  };
  /** False when another writer was faster. */
  const write = async (key: string, record: SessionRecord, revision: number): Promise<boolean> => {
    const bytes = seal(keys.sessions, key, JSON.stringify(record));
    try {
      await inBucket((kv) => (revision === 0 ? kv.create(key, bytes) : kv.put(key, bytes, { previousSeq: revision })));
      return true;
    } catch (error) {
      if (isLostRace(error)) return false;
      throw error;
    }
  };
  const readSession = async (id: string): Promise<{ record: SessionRecord; revision: number; key: string } | null> => {
    const place = placeOfSession(id);
    if (place === null) return null;
    const key = keyOfPlace(place);
    const kept = await read(key);
    if (kept === null || kept.record === null || !isOfSession(kept.record, id)) return null;
    // The store drops it in its own time.
    if (now() - kept.record.seenAt >= mcpLimits.sessionIdleMs) return null;
    return { record: kept.record, revision: kept.revision, key };
  };
  const isInUse = (holder: Kept | null): boolean =>
    holder !== null && holder.record !== null && now() - holder.record.seenAt < mcpLimits.sessionYieldsMs;

  return {
    open: async (client, heldBy) => {
      const address = addressInIds(keys, client);
      const first = randomInt(mcpLimits.sessionsPerAddressMax);
      for (let tried = 0; tried < mcpLimits.placesTriedMax; tried += 1) {
        // Spread out, so that sessions opened at once seldom meet at a place.
        const place = { address, index: (first + tried * placeStride) % mcpLimits.sessionsPerAddressMax };
        const id = newSessionId(place);
        const key = keyOfPlace(place);
        const holder = await read(key);
        if (isInUse(holder)) continue;
        if (await write(key, newSession(id, now(), heldBy), holder?.revision ?? 0)) return id;
      }
      throw new HttpRefusal(
        new DomainError('rate_limited', 'this client address has as many MCP sessions as one may have; end some'),
        { headers: { 'retry-after': String(mcpLimits.sessionYieldsMs / 1_000) } },
      );
    },
    find: async (id) => {
      const kept = await readSession(id);
      if (kept === null) return null;
      const { record, revision, key } = kept;
      if (now() - record.seenAt >= mcpLimits.sessionTouchMs) {
        // Lost to another request, it has been touched; refused by a full store, it lives on until its time is over.
        await write(key, { ...record, seenAt: now() }, revision).catch(() => false);
      }
      return record;
    },
    setKey: async (id, sealed) => {
      for (let attempt = 0; attempt < mcpLimits.writeAttemptsMax; attempt += 1) {
        const kept = await readSession(id);
        if (kept === null) return false;
        const { record, revision, key } = kept;
        if (await write(key, { ...record, seenAt: now(), setKey: sealed }, revision)) return true;
      }
      throw new DomainError('overloaded', 'too many requests of this session change it at once');
    },
    end: async (id) => {
      const kept = await readSession(id);
      if (kept === null) return;
      try {
        // Of its revision only: the place may have gone to another session.
        await inBucket((kv) => kv.purge(kept.key, { previousSeq: kept.revision }));
      } catch (error) {
        if (isLostRace(error)) return;
        throw error;
      }
    },
  };
}

/** Has no divisor in common with the number of places, so that every try meets another. */
const placeStride = 389;
