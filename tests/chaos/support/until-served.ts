import { waitFor } from './wait-for.ts';

/** What of an answer says whether the request may be sent again. */
export type Repeatable = { status: number; body: Record<string, unknown>; headers: Headers };

/** Whether a registry that is too busy, or of which a part is down, asks a client to come again. */
export function asksToComeAgain({ status, headers }: Repeatable): boolean {
  return status === 503 && headers.get('retry-after') !== null;
}

/** Whether such an answer leaves open if the request was carried out: it does not say that nothing was done. */
export function leavesOpen(answer: Repeatable): boolean {
  return asksToComeAgain(answer) && !/nothing was done/u.test(String(answer.body['detail']));
}

/**
 * The answer to a request that a client sends again for as long as it is asked to come again. The request is a question, has an Idempotency-Key, or
 * may be carried out twice. An error of `send` ends it: a connection that breaks is not an answer.
 */
export async function untilServed<A extends Repeatable>(send: () => Promise<A>): Promise<A> {
  const ended = await waitFor(
    async () => {
      const sent = await send().then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      );
      return 'answer' in sent && asksToComeAgain(sent.answer) ? null : sent;
    },
    // Retry-After of the registry.
    { intervalMs: 1_000, description: 'an answer that does not ask to come again' },
  );
  if ('error' in ended) throw ended.error;
  return ended.answer;
}
