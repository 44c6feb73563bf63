import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from './wait-for.ts';

/** The connections of Linux over IPv4: local and remote address, state, bytes to send and bytes to read, all hexadecimal. */
const tableFile = '/proc/net/tcp';
const pollMs = 5;
/** Where there is no such table. */
const guessMs = 50;

const portOf = (address = ''): number => Number.parseInt(address.split(':')[1] ?? '', 16);

/** What the process at the other end of a loopback connection has not read yet; null if the connection is not there any more. */
const unreadBytes = ({ localPort, remotePort }: Socket): number | null => {
  const line = readFileSync(tableFile, 'utf8')
    .split('\n')
    .map((text) => text.trim().split(/\s+/u))
    .find(([, local, remote]) => portOf(local) === remotePort && portOf(remote) === localPort);
  return line === undefined ? null : portOf(line[4]);
};

/** Resolves when the process at the other end of a loopback connection has read all that was sent to it. */
export async function untilRead(socket: Socket): Promise<void> {
  if (!existsSync(tableFile)) return delay(guessMs);
  await waitFor(() => (unreadBytes(socket) ?? 0) === 0, {
    intervalMs: pollMs,
    description: 'a reader of what was sent',
  });
}
