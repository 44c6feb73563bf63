import { setTimeout as delay } from 'node:timers/promises';

type Refusable = { status: number; body: Record<string, unknown>; text: string; headers: Headers };

/** Codes of a 503 after which nothing was done: others were faster, or too many were waiting. */
const nothingDone: ReadonlySet<unknown> = new Set(['overloaded', 'write_conflict']);
/** Whether an answer asks to come again, and nothing was done. */
const asksToComeAgain = ({ status, body }: Refusable): boolean =>
  status === 503 && (nothingDone.has(body['code']) || String(body['detail']).includes('nothing was done'));
/** For a request that does nothing, or whose repetition is told that the first was carried out: it is sent again after any 503 with Retry-After. */
export const evenIfDone = true;
/** Long enough for a flood of requests on a busy machine. */
const servedWithinMs = 60_000;

/**
 * Sends a request again as long as the registry answers that it has no room for it now, as often as Retry-After asks: on a busy machine the answer to
 * one of many at once. Nothing was done then, so whatever is counted counts as if it had been sent once.
 * @param anyway as `evenIfDone` says
 * @returns the first other answer. @throws Error if there is none in time, or if an answer does not say when to come again
 */
export async function served<Answer extends Refusable>(send: () => Promise<Answer>, anyway = false): Promise<Answer> {
  for (const endsAt = performance.now() + servedWithinMs; ; ) {
    const answer = await send();
    if (!asksToComeAgain(answer) && !(anyway && answer.status === 503)) return answer;
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
    if (!(seconds > 0)) throw new Error(`503 without Retry-After: ${answer.text}`);
    if (performance.now() > endsAt) throw new Error(`not served within ${servedWithinMs} ms: ${answer.text}`);
    await delay(seconds * 1_000);
  }
}
