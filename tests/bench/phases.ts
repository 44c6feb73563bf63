import { processorSecondsHere, processorSecondsOfServer } from './processor-time.ts';

/** While a phase runs, how often it says how far it is. */
const progressMs = 60_000;
const mib = 2 ** 20;

/** Says how far a phase is, as a fraction from 0 to 1. */
export type Progress = (fraction: number) => void;

/**
 * Runs phases of a long measurement one after another, and says of each, as soon as it has ended, how long it took, the processor time that
 * it took here (commands that it ran included) and in the database, and the memory that this process has then.
 */
export function phases(databasePid: number, say: (line: string) => void) {
  return async <Result>(
    name: string,
    work: (progress: Progress) => Promise<Result>,
  ): Promise<{ result: Result; seconds: number }> => {
    const startedAt = performance.now();
    const [here, database] = [await processorSecondsHere(), await processorSecondsOfServer(databasePid)];
    let saidAt = startedAt;
    const result = await work((fraction) => {
      const now = performance.now();
      if (now - saidAt < progressMs) return;
      saidAt = now;
      say(`      ${name}: ${(100 * fraction).toFixed(1)} % after ${((now - startedAt) / 1_000).toFixed(0)} s`);
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    const hereSeconds = (await processorSecondsHere()) - here;
    const databaseSeconds = (await processorSecondsOfServer(databasePid)) - database;
    const resident = Math.round(process.memoryUsage.rss() / mib);
    say(
      `    ${name}: ${seconds.toFixed(1)} s; processor time ${hereSeconds.toFixed(1)} s here, ${databaseSeconds.toFixed(1)} s in the database; ${resident} MiB resident`,
    );
    return { result, seconds };
  };
}
