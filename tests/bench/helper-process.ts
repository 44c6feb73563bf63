import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs a program of `ceilings/` in its own process, as the services run in theirs. */
export type HelperProcess = { url: string; stop: () => Promise<void> };

export async function startHelper(file: string, argument = ''): Promise<HelperProcess> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'ceilings', file), argument], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return {
    url: line.toString().trim(),
    stop: async () => {
      child.stdin?.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
