import {
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { provideNatsServer } from './nats-server-binary.ts';
import { becomesReady, endOrphan, logTail, type RunningServer, spawnServer } from './server-process.ts';
import { canReach, type SystemUser, unprivilegedUser } from './system-user.ts';

const startAttemptsMax = 5;
const readyWaitMs = 20_000;
const probeTimeoutMs = 1_000;
const stopWaitMs = 5_000;

export interface NatsServerOptions {
  /** Path of the program; default: the one that `provideNatsServer` finds. */
  readonly binary?: string;
  readonly port?: number;
  /** Configuration (users, permissions, limits). Address, port and store folder given here override it. */
  readonly configFile?: string;
  /** Variables that the configuration refers to, such as passwords. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folder for JetStream data, pid file and log; by default a temporary folder. */
  readonly storeDir?: string;
  readonly jetstream?: boolean;
}

/** Its URL has no credentials. */
export type NatsServer = RunningServer;

/** A NATS server greets each connection with an INFO line. */
const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const done = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(probeTimeoutMs, () => done(false));
    socket.once('error', () => done(false));
    socket.once('close', () => resolve(false));
    socket.once('data', (chunk) => done(chunk.toString('latin1').startsWith('INFO ')));
  });

/** A folder with all that is in it; it may be of a time when the server ran as root. */
const chownAll = (folder: string, { uid, gid }: SystemUser): void => {
  if (lstatSync(folder).uid === uid) return;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid);
  // Last: it says that all is done.
  lchownSync(folder, uid, gid);
};

/**
 * Starts a nats-server on a loopback port and waits until it accepts connections. When this process is root, it runs as a system user.
 * @throws Error with the end of the server's log if it cannot start
 */
export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  const binary = options.binary ?? (await provideNatsServer());
  const folder = options.storeDir ?? mkdtempSync(join(tmpdir(), 'agent-trust-nats-'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const user = unprivilegedUser();
  if (user !== undefined) chownAll(folder, user);
  const opened = [binary, join(folder, 'x'), options.configFile ?? '/x'].filter(isAbsolute);
  const passClosedFolders = user !== undefined && !opened.every((path) => canReach(path, user));
  const pidFile = join(folder, 'nats-server.pid');
  const logFile = join(folder, 'nats-server.log');
  await endOrphan(pidFile, folder, 'SIGTERM');

  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const logStart = existsSync(logFile) ? readFileSync(logFile).length : 0;
    const server = spawnServer({
      command: binary,
      args: [
        ...(options.configFile === undefined ? [] : ['-c', options.configFile]),
        '--addr=127.0.0.1',
        `--port=${port}`,
        `--store_dir=${folder}`,
        ...(options.jetstream === false ? [] : ['-js']),
      ],
      env: { ...process.env, ...options.env },
      logFile,
      stopSignals: [{ signal: 'SIGTERM', waitMs: stopWaitMs }],
      ...user,
      passClosedFolders,
    });
    try {
      writeFileSync(pidFile, String(server.pid));
    } catch (error) {
      // On a full disk: a server that nobody knows of would keep the port.
      await server.stop();
      throw error;
    }
    const stop = async (): Promise<void> => {
      await server.stop();
      rmSync(pidFile, { force: true });
    };
    if (await becomesReady(server, () => greets(port), readyWaitMs))
      return {
        url: `nats://127.0.0.1:${port}`,
        port,
        pid: server.pid,
        exited: server.exited,
        stop: async () => {
          await stop();
          if (options.storeDir === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
        },
      };
    await stop();
    const tail = readFileSync(logFile).subarray(logStart).toString('utf8').slice(-1_500).trim() || logTail(logFile);
    if (!/address already in use/i.test(tail) || attempt === startAttemptsMax) {
      throw new Error(
        `nats-server did not start on port ${port} (${server.hasExited() ? await server.exited : 'no greeting'}): ${tail}`,
      );
    }
    await delay(100 * attempt);
  }
}
