/**
 * Makes something of each piece, and finishes it: several are made at the same time, also while earlier ones are finished, and they are
 * finished one after another, in the order of the pieces. What comes behind a failure is not finished.
 *
 * @param options `countMax`: how many are under way at most, from being made to being finished
 * @throws the first failure in the order of the pieces, when nothing that was begun still runs
 */
export async function makeAhead<Piece, Made>(
  pieces: AsyncIterable<Piece>,
  options: { countMax: number; make: (piece: Piece) => Promise<Made>; finish: (made: Made) => Promise<void> },
): Promise<void> {
  const underWay: { made: Promise<Made>; finished: Promise<void> }[] = [];
  let last: Promise<void> = Promise.resolve();
  try {
    for await (const piece of pieces) {
      const made = options.make(piece);
      last = last.then(async () => options.finish(await made));
      // Whoever waits for the last one gets the failure.
      for (const promise of [made, last]) promise.catch(() => undefined);
      underWay.push({ made, finished: last });
      if (underWay.length >= options.countMax) await underWay.shift()?.finished;
    }
    await last;
  } catch (error) {
    // What gives the pieces is ahead of what is made of them.
    await last;
    throw error;
  } finally {
    await Promise.allSettled(underWay.flatMap(({ made, finished }) => [made, finished]));
  }
}
