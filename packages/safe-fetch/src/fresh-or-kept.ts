/**
 * The fresh answer to a name if it comes within `waitMs`; else the one that was kept, unless the fresh one is that there is no such name.
 *
 * @throws what `fresh` was rejected with, where that is `isGone`.
 */
export async function freshOrKept(
  fresh: Promise<readonly string[]>,
  kept: readonly string[],
  waitMs: number,
): Promise<readonly string[]> {
  const answered = fresh.catch((error: unknown) => {
    if (isGone(error)) throw error;
    return kept;
  });
  // It may come when nobody waits any more.
  answered.catch(() => {});
  if (waitMs === 0) return kept;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve(kept), waitMs);
  });
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The answer of its servers that there is no such name, not a failure to get one (`EAI_AGAIN`). */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTFOUND';
}
