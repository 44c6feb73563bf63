import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from '../../support/registry.ts';
import type { Attempt } from './load.ts';

export type ClosedLoop = {
  clients: readonly Member[];
  atOncePerClient: number;
  /** Each loop of a client uses one of these. */
  urls: readonly string[];
  answersWanted: number;
  pauseAfterRefusalMs: number;
  send: (client: Member, url: string) => Promise<Attempt>;
  /** Runs once, when half of the answers have arrived. */
  atHalf: () => void;
};

/** Makes clients send one request after another until enough of all are answered; resolves with every attempt. */
export async function untilAnswered(options: ClosedLoop): Promise<Attempt[]> {
  const { clients, atOncePerClient, urls, answersWanted, pauseAfterRefusalMs, send, atHalf } = options;
  const attempts: Attempt[] = [];
  let answered = 0;
  let isHalf = false;
  const loops = clients.flatMap((client) =>
    Array.from({ length: atOncePerClient }, async (_, index) => {
      while (answered < answersWanted) {
        const attempt = await send(client, urls[index % urls.length] as string);
        attempts.push(attempt);
        if (attempt.outcome === 'acknowledged') answered += 1;
        else await delay(pauseAfterRefusalMs);
        if (isHalf || answered < answersWanted / 2) continue;
        isHalf = true;
        atHalf();
      }
    }),
  );
  await Promise.all(loops);
  return attempts;
}

/** Ends the attempt with the outcome of its request. */
export type Outcome = Pick<Attempt, 'outcome' | 'status' | 'code' | 'body'>;

/** Starts the clock of one attempt; the returned function ends it. */
export function startAttempt(kind: Attempt['kind'], mark: string): (outcome: Outcome) => Attempt {
  const began = performance.now();
  return (outcome) => {
    const at = performance.now();
    return { kind, mark, ...outcome, durationMs: at - began, at };
  };
}

/** The code in an answer's body, if it has one. */
export function codeOf(body: Record<string, unknown>): string | null {
  return typeof body['code'] === 'string' ? body['code'] : null;
}

/** The outcome of a request whose answer is missing or incomplete. */
export function brokenOff(error: unknown, status: number | null = null): Outcome {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return { outcome: 'broken', status, code: String(cause), body: {} };
}
