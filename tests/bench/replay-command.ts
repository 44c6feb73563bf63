import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Runs the commands of `package.json` without npm. */
export const bootstrap = join(import.meta.dirname, '..', '..', 'packages', 'dev-stack', 'bootstrap.mjs');
const memoryPollMs = 200;

export type ReplayRun = {
  /** Events per second of the whole command. */
  seconds: number;
  events: number;
  /** Events per second of the building step alone, as the command reports it. */
  eventsPerSecond: number;
  /** Peak resident memory of the replay, in the first half of its events and overall. */
  halfWayMib: number;
  peakMib: number;
};

/** The summary line of the command: «Replayed 100,000 events in 2.5 s (40,000 a second).» */
const accountPattern = /^Replayed ([\d,]+) events? in [\d.,]+ s \(([\d,]+) a second\)/mu;
const figure = (text: string | undefined): number => Number(text?.replaceAll(',', ''));

/** The children of a process: the replay task, without the command that waits for it. */
const childrenOf = async (parent: number): Promise<string[]> => {
  const children: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/u.test(pid)) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    if (Number(/^PPid:\s+(\d+)/mu.exec(status)?.[1]) === parent) children.push(pid);
  }
  return children;
};

const residentMib = async (pid: string): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/mu.exec(status)?.[1] ?? 0) / 1_024;
};

/** Runs `npm run replay` against the servers in `environment`. @throws if the command fails or does not report its speed */
export async function runReplay(environment: Readonly<Record<string, string>>): Promise<ReplayRun> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [bootstrap, 'replay'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  let halfWayMib = 0;
  let peakMib = 0;
  let children: string[] = [];
  const sample = async (): Promise<void> => {
    // Searching all processes would disturb the measurement, so it happens only until the children are known.
    if (children.length === 0) children = await childrenOf(child.pid ?? 0);
    const mib = (await Promise.all(children.map(residentMib))).reduce((sum, each) => sum + each, 0);
    if (mib === 0) children = [];
    peakMib = Math.max(peakMib, mib);
    const percent = [...output.matchAll(/(\d+) ?%/gu)].at(-1)?.[1];
    if (Number(percent ?? 0) <= 50) halfWayMib = Math.max(halfWayMib, mib);
  };
  const watch = setInterval(() => void sample(), memoryPollMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(watch);
  if (code !== 0) throw new Error(`the replay exited with ${code}: ${output.slice(-2_000)}`);
  const account = accountPattern.exec(output);
  if (account === null) throw new Error(`the replay did not report its speed: ${output.slice(-2_000)}`);
  const [, events, eventsPerSecond] = account;
  return {
    seconds: (performance.now() - startedAt) / 1_000,
    events: figure(events),
    eventsPerSecond: figure(eventsPerSecond),
    halfWayMib,
    peakMib,
  };
}
