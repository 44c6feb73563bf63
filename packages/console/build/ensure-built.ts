import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtFrom } from './built.ts';
import { fingerprint } from './fingerprint.ts';

/** About ten times as long as a build takes on two idle cores. */
const buildTimeoutMs = 120_000;

export type EnsureOptions = {
  /** Called if there is something to build. */
  onBuild?: () => void;
  /** Ends a build that is under way; the former files stay. */
  signal?: AbortSignal;
};

/**
 * Builds the console, unless what is there was built from the same sources. In a process of its own: the build tool takes memory that the stack does
 * not need afterwards.
 *
 * @throws Error with the build's own words.
 */
export async function ensureConsole({ onBuild, signal }: EnsureOptions = {}): Promise<void> {
  const from = builtFrom();
  if (from !== null && from === (await fingerprint())) return;
  onBuild?.();
  const file = join(import.meta.dirname, 'build.ts');
  try {
    await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
      timeout: buildTimeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(`the console could not be built: ${stderr.trim().split('\n').slice(-15).join('\n') || message}`, {
      cause: error,
    });
  }
}
