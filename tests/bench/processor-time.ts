import { readFile } from 'node:fs/promises';
import { processTree } from './memory.ts';

/** Of the kernel's clock, in which Linux counts processor time. */
const ticksPerSecond = 100;

/** Of a process, and of its children that have ended; 0 if it is gone. */
const secondsOf = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / ticksPerSecond;
};

/** Seconds of processor time of this process and of the commands that it has run to their end. */
export function processorSecondsHere(): Promise<number> {
  return secondsOf(process.pid);
}

/** Seconds of processor time of a server, its processes that have ended included. */
export async function processorSecondsOfServer(pid: number): Promise<number> {
  let seconds = 0;
  for (const each of await processTree([pid])) seconds += await secondsOf(each);
  return seconds;
}
