/** Runs tasks with limited concurrency; each starts when an earlier one has ended. */
export async function runAll(tasks: readonly (() => Promise<void>)[], atOnce: number): Promise<void> {
  const waiting = tasks.values();
  const worker = async (): Promise<void> => {
    for (const task of waiting) await task();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
