import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const startFile = join(import.meta.dirname, '..', '..', 'packages', 'dev-stack', 'src', 'main', 'start.ts');

export type StartedSystem = {
  url: string;
  pid: number;
  /** From the command to the line that says that it is ready. */
  readyMs: number;
  stop: () => Promise<void>;
};

/** Starts the system as `npm start` does, on a data folder and a free port. */
export async function startByCommand(dataFolder: string, env: NodeJS.ProcessEnv = {}): Promise<StartedSystem> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', startFile, '--data-dir', dataFolder, '--port', '0'],
    {
      // The descriptor by which `npm run` watches this process is not the system's.
      env: { ...process.env, TASK_PARENT_FD: undefined, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    const url = await Promise.race([
      readyUrl(child.stdout),
      ended.then(([code]) => Promise.reject(new Error(`the system ended with ${String(code)} before it was ready`))),
    ]);
    return { url, pid: child.pid ?? -1, readyMs: performance.now() - began, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const readyUrl = (output: NodeJS.ReadableStream): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>();
  // Read to the end, so that the system never waits for its reader.
  createInterface({ input: output }).on('line', (line) => {
    if (line.startsWith('ready ')) resolve(line.slice('ready '.length));
  });
  return promise;
};
