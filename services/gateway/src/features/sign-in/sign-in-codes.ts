import { actor, DomainError, limits, operatorRole, sha256Hex } from '@agent-trust/contracts';
import { StorageType } from '@nats-io/jetstream';
import { z } from 'zod';
import { createKeyValues, type JetStreamBus } from '../../bus/key-values.ts';

const codeLimits = {
  lifetimeMs: limits.signInCodeMinutes * 60_000,
  /** About 600 bytes a code: more than all operators may ask for in the lifetime of one. A full bucket takes no more. */
  bytesMax: 4 * 1024 * 1024,
  timeoutMs: 2_000,
} as const;

const offer = z.object({
  role: operatorRole,
  /** Who asked for the code, for the event of the key. */
  actor,
  /** Of the operator's key that asked, which must still work; null for another credential. */
  keyHash: sha256Hex.nullable(),
  /** When the credential that asked ends, RFC 3339; null if it does not. */
  credentialEndsAt: z.string().nullable(),
});
/** What a code gives to whoever redeems it. */
export type SignInOffer = z.infer<typeof offer>;

export type SignInCodes = {
  /** Keeps the offer of a code under its SHA-256. @returns until when it can be taken, RFC 3339. @throws DomainError unavailable */
  put(codeHash: string, given: SignInOffer): Promise<string>;
  /** The offer of a code, once; null for one that is unknown, expired or taken. @throws DomainError unavailable */
  take(codeHash: string): Promise<SignInOffer | null>;
};

/**
 * The codes of all gateways, in one bucket: of many that take a code at once, one replaces its entry and the others come too late. The bucket is in
 * memory: a server that was restarted, and may have lost what it last wrote, knows none any more, and so gives none out twice.
 */
export function createSignInCodes(bus: JetStreamBus, now: () => number = Date.now): SignInCodes {
  const bucket = createKeyValues(bus, {
    name: 'sign_in_codes',
    storage: StorageType.Memory,
    ttlMs: codeLimits.lifetimeMs,
    bytesMax: codeLimits.bytesMax,
    timeoutMs: codeLimits.timeoutMs,
  });
  return {
    put: async (codeHash, given) => {
      const expiresAt = new Date(now() + codeLimits.lifetimeMs).toISOString();
      await bucket.swap(codeHash, JSON.stringify({ ...given, expiresAt }), 0).catch(unavailable);
      return expiresAt;
    },
    take: async (codeHash) => {
      const entry = await bucket.use((kv) => kv.get(codeHash)).catch(unavailable);
      if (entry === null || entry.length === 0) return null;
      const { expiresAt, ...given } = offer.extend({ expiresAt: z.string() }).parse(entry.json());
      if (Date.parse(expiresAt) <= now()) return null;
      const isFirst = (await bucket.swap(codeHash, '', entry.revision).catch(unavailable)) !== null;
      return isFirst ? given : null;
    },
  };
}

const unavailable = (cause: unknown): never => {
  throw new DomainError('unavailable', 'sign-in codes cannot be kept or checked now', { cause });
};
