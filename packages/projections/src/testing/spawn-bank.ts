import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts the bank's process and waits for its first line; `kill` sends SIGKILL, like a crash. */
export async function spawnBank(task: 'run' | 'replay', url: string): Promise<{ kill: () => Promise<void> }> {
  const child: ChildProcess = spawn(
    process.execPath,
    [fileURLToPath(new URL('./bank-process.ts', import.meta.url)), task, url],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  if (child.stdout !== null) {
    await Promise.race([once(child.stdout, 'data'), exited]);
    child.stdout.resume();
  }
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
