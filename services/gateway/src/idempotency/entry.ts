import { z } from 'zod';
import { deriveKey, macOf } from '../credentials/seal.ts';

/** The stored state of the first request under an Idempotency-Key. */
export const entry = z.object({
  /** SHA-256 of the body's bytes: a repetition has the same. */
  bodyHash: z.string(),
  /** Sent with the command each time, so that it is carried out once. */
  commandId: z.uuid(),
  /** The id that the same request had the day before. */
  earlierCommandId: z.uuid().nullable().default(null),
  /** A choice that a repetition must not make again. */
  remembered: z.string().nullable(),
  progress: z.discriminatedUnion('kind', [
    /** Carried out by a gateway that counts as alive until then; milliseconds since 1970. */
    z.object({ kind: z.literal('running'), leaseEndsAt: z.number() }),
    /** Ended without an answer worth keeping; whether anything was done is unknown. */
    z.object({ kind: z.literal('interrupted') }),
    z.object({ kind: z.literal('answered'), status: z.number().int(), body: z.json() }),
  ]),
});
export type Entry = z.infer<typeof entry>;
export type Answered = Extract<Entry['progress'], { kind: 'answered' }>;

type Step =
  | { kind: 'run' }
  | { kind: 'run_again'; entry: Entry }
  | { kind: 'replay'; answer: Answered }
  | { kind: 'wait' }
  | { kind: 'refuse_as_reused' };

/**
 * Decides on a request, given its body's hash and the entry of its key (null: none). A repetition that runs takes the lease; if the first
 * one is still alive, both send the same command, which is carried out once.
 */
export function nextStep(kept: Entry | null, bodyHash: string, now: number): Step {
  if (kept === null) return { kind: 'run' };
  if (kept.bodyHash !== bodyHash) return { kind: 'refuse_as_reused' };
  const { progress } = kept;
  switch (progress.kind) {
    case 'answered':
      return { kind: 'replay', answer: progress };
    case 'interrupted':
      return { kind: 'run_again', entry: kept };
    case 'running':
      return now < progress.leaseEndsAt ? { kind: 'wait' } : { kind: 'run_again', entry: kept };
    default:
      return progress satisfies never;
  }
}

/** The uses of the server's secret for repeated requests. */
export type DerivedKeys = ReturnType<typeof deriveKeys>;

export function deriveKeys(secret: string) {
  const derive = (purpose: string): Buffer => deriveKey(secret, purpose);
  const [names, claims, commands] = [derive('idempotency names'), derive('claim tokens'), derive('command ids')];
  return {
    /** AES-256 key that seals the entries. */
    seal: derive('idempotency seal'),
    /** The name under which a request's answer is kept. It reveals neither the caller nor the client's key. */
    nameOf: (parts: readonly string[]): string => macOf(names, parts).digest('hex'),
    /** The secret half of a claim token: 32 bytes in base64url that only this secret and the same parts lead to. */
    claimSecretOf: (parts: readonly string[]): string => macOf(claims, parts).digest('base64url'),
    /** The id of a command that the same parts lead to: a UUID of version 8 (RFC 9562 §5.8). */
    commandIdOf: (parts: readonly string[]): string => {
      const hex = macOf(commands, parts).digest('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
    },
  };
}
