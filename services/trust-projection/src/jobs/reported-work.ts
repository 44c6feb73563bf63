import { jobLimits } from './limits.ts';

/** What a piece of work gets: it says how far it is, and stops when the signal says so. */
export type WorkHooks<Progress> = { onProgress: (progress: Progress) => void; signal: AbortSignal };

/**
 * Does work that reports its progress at once and then every second, and stops it when a report returns a reason to.
 *
 * @param report stores the progress; returns why the work must stop, or null
 * @returns what the work returned, or what it threw and why it was stopped, which is null where it was not
 */
export async function reportedWork<Progress, Result>(
  { report, signal }: { report: (progress: Progress) => Promise<string | null>; signal: AbortSignal },
  work: (hooks: WorkHooks<Progress>) => Promise<Result>,
): Promise<{ result: Result } | { error: unknown; stopped: string | null }> {
  const asked = new AbortController();
  let reason: string | null = null;
  let newest: Progress | null = null;
  let isReporting = false;
  const say = async (): Promise<void> => {
    if (newest === null || isReporting) return;
    isReporting = true;
    try {
      reason = (await report(newest)) ?? reason;
      if (reason !== null) asked.abort(new Error(`it was stopped: ${reason}`));
    } catch {
      // The database is briefly away: the work itself says so if it stays away.
    } finally {
      isReporting = false;
    }
  };
  const timer = setInterval(() => void say(), jobLimits.reportEveryMs);
  const either = AbortSignal.any([signal, asked.signal]);
  const onProgress = (progress: Progress): void => {
    const isFirst = newest === null;
    newest = progress;
    if (isFirst) void say();
  };
  try {
    return { result: await work({ onProgress, signal: either }) };
  } catch (error) {
    return { error, stopped: either.aborted ? (reason ?? 'stopped') : null };
  } finally {
    clearInterval(timer);
  }
}

/** What an error says, as a record keeps it. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, jobLimits.errorCharsMax);
}
