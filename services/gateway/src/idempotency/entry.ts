import { z } from 'zod';

/** What is kept of the request that an Idempotency-Key was sent with first. */
export const entry = z.object({
  /** SHA-256 of the body's bytes: whether a request is the same one again. */
  bodyHash: z.string(),
  /** Goes with the command each time that the request is carried out, so that it is done once. */
  commandId: z.uuid(),
  /** What the request was found to mean, where that must not be found anew. */
  remembered: z.string().nullable(),
  progress: z.discriminatedUnion('kind', [
    /** Being carried out, by a gateway that is thought to be alive until then; milliseconds since 1970. */
    z.object({ kind: z.literal('running'), leaseEndsAt: z.number() }),
    /** Ended without an answer worth keeping; whether anything was done is not known. */
    z.object({ kind: z.literal('interrupted') }),
    z.object({ kind: z.literal('answered'), status: z.number().int(), body: z.json() }),
  ]),
});
export type Entry = z.infer<typeof entry>;
export type Answered = Extract<Entry['progress'], { kind: 'answered' }>;

/** What to do with a request, given what is kept of the first one under its key. */
type Step =
  | { kind: 'run' }
  | { kind: 'run_again'; entry: Entry }
  | { kind: 'replay'; answer: Answered }
  | { kind: 'wait' }
  | { kind: 'refuse_as_reused' };

/**
 * Decides on a request, given its body's hash and what is kept under its key (null: nothing). Whoever runs it again takes the lease;
 * should the first one be alive after all, both give the same command, which is carried out once.
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
