import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { isAlive } from '@agent-trust/embedded-servers';
import { commandOf, processTree } from './processes.ts';
import { waitFor } from './wait-for.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const readyMsMax = 180_000;

/** Variables that vitest and npm set, which a user's environment does not have. */
const userEnvironment = (extra: Record<string, string>): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$|TEST$|BASE_URL$)/u.test(name));
  return { ...Object.fromEntries(own), ...extra };
};

export type Command = {
  pid: number;
  stdout: () => string;
  stderr: () => string;
  /** Exit code, or 128 + n as a shell reports signal n; resolves when the output is closed, too. */
  ended: Promise<number | null>;
};

const begin = (command: string, args: readonly string[], env: Record<string, string>): Command => {
  // A separate process group, as a shell creates it, so that Ctrl-C reaches all of its processes.
  const child = spawn(command, args, {
    cwd: root,
    env: userEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  return {
    pid: child.pid ?? -1,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
};

export type NpmStart = Command & {
  url: string;
  readyMs: number;
  /** Every process of the stack when it was ready, npm first. */
  tree: number[];
  /** The process that supervises the others. */
  supervisor: number;
  bootstrap: number;
};

/** Runs `npm start` on a data folder, as a user does; resolves when it reports that it is ready. */
export async function npmStart(dataDir: string, args: readonly string[] = ['--port', '0']): Promise<NpmStart> {
  const began = performance.now();
  const command = begin('npm', ['start', '--', '--data-dir', dataDir, ...args], {});
  let over = false;
  void command.ended.then(() => {
    over = true;
  });
  const ready = await waitFor(
    () => {
      if (over) return 'ended';
      return /^ready (http:\S+)$/mu.exec(command.stdout())?.[1];
    },
    { timeoutMs: readyMsMax, description: 'npm start to be ready' },
  );
  if (ready === 'ended') throw new Error(`npm start ended: ${command.stdout()}${command.stderr()}`);
  const readyMs = performance.now() - began;
  const tree = processTree(command.pid);
  const running = (part: string): number =>
    tree.find((pid) =>
      commandOf(pid)
        .split(' ')
        .some((word) => word.endsWith(part)),
    ) ?? -1;
  return {
    ...command,
    url: ready,
    readyMs,
    tree,
    supervisor: running('dev-stack/src/main/start.ts'),
    bootstrap: running('dev-stack/bootstrap.mjs'),
  };
}

/** The start command without npm, which adds its own lines to a failure. */
export function bareStart(args: readonly string[], env: Record<string, string> = {}): Command {
  return begin(process.execPath, ['packages/dev-stack/bootstrap.mjs', 'start', ...args], env);
}

export async function untilGone(pids: readonly number[], timeoutMs: number): Promise<void> {
  await waitFor(() => pids.every((pid) => !isAlive(pid)), {
    timeoutMs,
    description: `the end of every process; left: ${pids
      .filter(isAlive)
      .map((pid) => `${pid} ${commandOf(pid)}`)
      .join('; ')}`,
  });
}
