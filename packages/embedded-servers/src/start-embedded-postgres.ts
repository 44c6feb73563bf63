import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import {
  becomesReady,
  endOrphan,
  logTail,
  type RunningServer,
  type ServerProcess,
  spawnServer,
} from './server-process.ts';
import {
  openCluster,
  type PostgresCluster,
  type PostgresPrograms,
  postgresPrograms,
  superuser,
} from './postgres-cluster.ts';
import { type SystemUser, unprivilegedUser } from './system-user.ts';

const startAttemptsMax = 5;
/** Crash recovery replays at most `max_wal_size` of log, which may take this long on a slow disk. */
const readyWaitMs = 60_000;
const fastShutdownWaitMs = 10_000;
const immediateShutdownWaitMs = 5_000;
const connectionsMax = 100;

export interface EmbeddedPostgresOptions {
  /** The folder for database, password and log; a temporary folder if `ephemeral`. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly ephemeral?: boolean;
  /** `false` gives up durability for speed: only for temporary databases. Default true. */
  readonly fsync?: boolean;
  readonly maxConnections?: number;
  /** Further settings, by their names in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Its URL is the superuser's, with the password. */
export type EmbeddedPostgres = RunningServer;

const settings = (port: number, options: EmbeddedPostgresOptions): string[] => {
  const values: Record<string, string | number> = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: options.maxConnections ?? connectionsMax,
    shared_buffers: '32MB',
    max_wal_size: '512MB',
    io_method: 'sync',
    max_logical_replication_workers: 0,
    max_wal_senders: 0,
    wal_level: 'minimal',
    max_parallel_workers_per_gather: 0,
    jit: 'off',
    timezone: 'UTC',
    log_min_messages: 'warning',
    ...(options.fsync === false ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
    ...options.settings,
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
};

/** Postgres writes its state into the eighth line of its pid file; `pg_ctl` reads it there, too. */
const isReady = (pidFile: string): boolean => {
  try {
    return readFileSync(pidFile, 'utf8').split('\n')[7]?.trim() === 'ready';
  } catch {
    return false;
  }
};

const startOnce = async (
  cluster: PostgresCluster,
  programs: PostgresPrograms,
  user: SystemUser | undefined,
  port: number,
  options: EmbeddedPostgresOptions & { dataDir: string },
): Promise<ServerProcess> => {
  const pidFile = join(cluster.folder, 'postmaster.pid');
  await endOrphan(pidFile, cluster.folder, 'SIGINT');
  const server = spawnServer({
    command: programs.postgres,
    args: ['-D', cluster.folder, ...settings(port, options)],
    env: { ...process.env, LC_ALL: 'C', PGOPTIONS: '' },
    cwd: options.dataDir,
    logFile: join(options.dataDir, 'postgres.log'),
    // SIGINT is Postgres's "fast" shutdown, SIGQUIT its "immediate" one (recovery at the next start).
    stopSignals: [
      { signal: 'SIGINT', waitMs: fastShutdownWaitMs },
      { signal: 'SIGQUIT', waitMs: immediateShutdownWaitMs },
    ],
    ...user,
    passClosedFolders: cluster.passClosedFolders,
  });
  if (await becomesReady(server, () => isReady(pidFile), readyWaitMs)) return server;
  if (server.hasExited()) throw new Error(`Postgres ended at once (${await server.exited})`);
  await server.stop();
  throw new Error(`Postgres was not ready within ${readyWaitMs / 1000} s`);
};

/**
 * Starts the embedded Postgres 18 on a loopback port and waits until it is ready. The data folder is reused and recovered after a crash. When this
 * process is root, Postgres runs as a system user.
 * @throws Error with the end of the server's log if it cannot start: broken data folder, no disk space, port in use.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const programs = postgresPrograms();
  const user = unprivilegedUser();
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'agent-trust-postgres-'));
  if (options.dataDir === undefined) {
    if (options.ephemeral !== true) throw new Error('startEmbeddedPostgres needs a dataDir, unless it is ephemeral');
    await chmod(dataDir, 0o711);
  }
  const cluster = await openCluster(dataDir, programs, user, options.fsync !== false);

  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    try {
      const server = await startOnce(cluster, programs, user, port, { ...options, dataDir });
      return {
        url: `postgres://${superuser}:${encodeURIComponent(cluster.password)}@127.0.0.1:${port}/postgres`,
        port,
        pid: server.pid,
        exited: server.exited,
        stop: async () => {
          await server.stop();
          if (options.ephemeral === true) rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
        },
      };
    } catch (error) {
      const tail = logTail(join(dataDir, 'postgres.log'));
      // A killed postmaster's children hold its shared memory for a moment; another process may take a free port before we listen on it.
      const passing =
        /shared memory block .* is still in use|Address already in use|lock file "postmaster.pid" already exists/s.test(
          tail.slice(-600),
        );
      if (!passing || attempt === startAttemptsMax)
        throw new Error(`${(error as Error).message}: ${tail}`, { cause: error });
      await delay(200 * attempt);
    }
  }
}
