import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from '../../support/registry.ts';
import type { Attempt } from './load.ts';

export type ClosedLoop = {
  clients: readonly Member[];
  atOncePerClient: number;
  /** Each of a client's loops keeps to one of these. */
  urls: readonly string[];
  answersWanted: number;
  pauseAfterRefusalMs: number;
  send: (client: Member, url: string) => Promise<Attempt>;
  /** Called once, when half of the answers are there. */
  atHalf: () => void;
};

/** Has clients send one request after another until enough of all have been answered; resolves with every attempt. */
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

/** What became of a request, told to an attempt that began when this was called. */
export type Outcome = Pick<Attempt, 'outcome' | 'status' | 'code' | 'body'>;

/** Starts the clock of one attempt; what it answers ends it. */
export function startAttempt(kind: Attempt['kind'], mark: string): (outcome: Outcome) => Attempt {
  const began = performance.now();
  return (outcome) => {
    const at = performance.now();
    return { kind, mark, ...outcome, durationMs: at - began, at };
  };
}

/** The code of an answer's body, where it has one. */
export function codeOf(body: Record<string, unknown>): string | null {
  return typeof body['code'] === 'string' ? body['code'] : null;
}

/** That no answer came, or not all of it. */
export function brokenOff(error: unknown, status: number | null = null): Outcome {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return { outcome: 'broken', status, code: String(cause), body: {} };
}
