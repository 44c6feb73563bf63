/**
 * Does each piece of work with whichever worker is free, one piece a worker at a time, in the order given. When a piece fails no other is begun.
 *
 * @throws what failed first, after every worker has stopped
 */
export async function shareOut<Worker, Work>(
  workers: readonly Worker[],
  work: Iterable<Work>,
  run: (worker: Worker, piece: Work) => Promise<void>,
): Promise<void> {
  const pieces = [...work].values();
  let hasFailed = false;
  const runAll = async (worker: Worker): Promise<void> => {
    for (let next = pieces.next(); next.done !== true && !hasFailed; next = pieces.next()) {
      try {
        await run(worker, next.value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(workers.map(runAll));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
