import { randomInt } from 'node:crypto';
import { DomainError } from '@agent-trust/contracts';
import type { JetStreamBus } from '../../../bus/key-values.ts';
import { isLostRace } from '../../../bus/key-values.ts';
import { createSealedStore } from '../../../bus/sealed-store.ts';
import { HttpRefusal } from '../../../http/error-answer.ts';
import { mcpLimits } from '../limits.ts';
import type { McpKeys } from '../sealing.ts';
import {
  addressInIds,
  isOfSession,
  keyOfPlace,
  newSession,
  newSessionId,
  placeOfSession,
  type SessionRecord,
  sessionRecord,
} from './session-record.ts';

/** Sessions of all gateways, so that each gateway serves each session. A failure of the store is DomainError unavailable. */
export type SessionStore = {
  /**
   * Opens a session and returns its id. @throws HttpRefusal rate_limited (with Retry-After) if all places of the address are in use;
   * DomainError unavailable.
   */
  open(client: string, heldBy: string | null): Promise<string>;
  /** The session, whose use is recorded; null if there is none of this id. */
  find(id: string): Promise<SessionRecord | null>;
  /** Replaces the sealed key; false if the session has ended. */
  setKey(id: string, sealed: string | null): Promise<boolean>;
  end(id: string): Promise<void>;
};

type Kept = {
  /** Null if the place is free, or another secret sealed its record. */
  record: SessionRecord | null;
  revision: number;
};

export function createSessionStore(bus: JetStreamBus, keys: McpKeys, now: () => number = Date.now): SessionStore {
  const store = createSealedStore(bus, keys.sessions, sessionRecord, {
    name: 'mcp_sessions',
    ttlMs: mcpLimits.sessionIdleMs,
    bytesMax: mcpLimits.sessionBucketBytesMax,
    valueBytesMax: mcpLimits.sessionBytesMax,
    timeoutMs: mcpLimits.storeTimeoutMs,
  });
  const unavailable = (error: unknown): never => {
    throw new DomainError('unavailable', 'MCP sessions cannot be looked up now; try again', { cause: error });
  };
  const read = async (key: string): Promise<Kept> => {
    const kept = await store.read(key).catch(unavailable);
    if (kept === null) return { record: null, revision: 0 };
    try {
      return { record: kept.open(), revision: kept.revision };
    } catch {
      return { record: null, revision: kept.revision };
    }
  };
  /** False if another writer was faster. */
  const write = async (key: string, record: SessionRecord, revision: number): Promise<boolean> =>
    (await store.write(key, record, revision).catch(unavailable)) !== null;
  const readSession = async (id: string): Promise<{ record: SessionRecord; revision: number; key: string } | null> => {
    const place = placeOfSession(id);
    if (place === null) return null;
    const key = keyOfPlace(place);
    const { record, revision } = await read(key);
    // The store drops an idle session later.
    if (record === null || !isOfSession(record, id) || idleMs(record) >= mcpLimits.sessionIdleMs) return null;
    return { record, revision, key };
  };
  const idleMs = ({ seenAt }: SessionRecord): number => now() - seenAt;

  return {
    open: async (client, heldBy) => {
      const address = addressInIds(keys, client);
      const first = randomInt(mcpLimits.sessionsPerAddressMax);
      for (let tried = 0; tried < mcpLimits.placesTriedMax; tried += 1) {
        // Spread out, so that concurrent sessions seldom try the same place.
        const place = { address, index: (first + tried * placeStride) % mcpLimits.sessionsPerAddressMax };
        const id = newSessionId(place);
        const key = keyOfPlace(place);
        const { record, revision } = await read(key);
        if (record !== null && idleMs(record) < mcpLimits.sessionYieldsMs) continue;
        if (await write(key, newSession(id, now(), heldBy), revision)) return id;
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
      if (idleMs(record) >= mcpLimits.sessionTouchMs) {
        // If another request is faster, it records the use; if a full store refuses, the session lasts until its time is over.
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
      throw new DomainError('overloaded', 'too many requests of this session change it at once', {
        limitedBy: 'caller',
      });
    },
    end: async (id) => {
      const kept = await readSession(id);
      if (kept === null) return;
      // Only of this revision: the place may have gone to another session.
      await store
        .use((kv) => kv.purge(kept.key, { previousSeq: kept.revision }))
        .catch((error: unknown) => (isLostRace(error) ? undefined : unavailable(error)));
    },
  };
}

/** Has no divisor in common with the number of places, so that each attempt tries another one. */
const placeStride = 389;
