import { join } from 'node:path';
import { Client } from 'undici';
import type { Command } from './preload.ts';

/** Sends commands to processes that have imported `preload.ts`. */
export type Control = {
  /** Returns when all have done it. */
  send: (command: Command) => Promise<void>;
  close: () => Promise<void>;
};

export function controlOf(folder: string, pids: readonly number[]): Control {
  const clients = pids.map((pid) => new Client('http://process', { socketPath: join(folder, `${pid}.sock`) }));
  const sendOne = async (client: Client, command: Command): Promise<void> => {
    const { statusCode, body } = await client.request({ path: `/${command}`, method: 'POST' });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`a process did not do '${command}': ${text}`);
  };
  return {
    send: async (command) => void (await Promise.all(clients.map((client) => sendOne(client, command)))),
    close: async () => void (await Promise.all(clients.map((client) => client.close()))),
  };
}
