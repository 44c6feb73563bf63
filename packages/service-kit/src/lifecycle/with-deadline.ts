/** Something took longer than it may. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/**
 * The result of `work`, or a DeadlineError after `timeoutMs`. The work itself goes on; its later failure is ignored.
 *
 * @param what Names the work in the error's message.
 */
export async function withDeadline<Result>(what: string, timeoutMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`${what} took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
