/** Runs tasks, at most so many at a time; each begins when one before it has ended. */
export async function runAll(tasks: readonly (() => Promise<void>)[], atOnce: number): Promise<void> {
  const waiting = tasks.values();
  const worker = async (): Promise<void> => {
    for (const task of waiting) await task();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
