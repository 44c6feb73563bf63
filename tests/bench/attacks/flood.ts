import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { RunningAttack, Statuses } from './attack.ts';

export type FloodTarget = {
  url: string;
  /** JSON that stands in every body in place of the text "@". */
  shared: string;
  /** One connection each; their requests follow one another. Several bodies are sent in turn. */
  connections: readonly { headers: Readonly<Record<string, string>>; bodies: readonly string[] }[];
};

/** Sends requests as fast as they are answered, from a process of its own, until stopped. */
export async function startFlood(target: FloodTarget): Promise<RunningAttack> {
  const child = fork(new URL('flood-process.ts', import.meta.url), { execArgv: [] });
  child.send(target);
  await once(child, 'message');
  return {
    pid: child.pid,
    stop: async () => {
      child.send('stop');
      const [statuses] = (await once(child, 'message')) as [Statuses];
      await once(child, 'exit');
      return statuses;
    },
  };
}
