/**
 * Bugs: a database is lost or unusable after a crash; an interrupted initialisation is taken for a database; a pid file names an unrelated
 * process; a server is left over from a killed owner. Method: the real programs, killed with SIGKILL, then restarted on the same folder; tests that
 * are not about the initialisation use one folder in turn.
 */
import fs, {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { commandLineOf } from './server-process.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
import { startNatsServer } from './start-nats-server.ts';

const servers: { stop: () => Promise<void> }[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** As created by `mktemp -d`: only the owner may enter, so Postgres's own user cannot reach its data. */
const closedFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  folders.push(folder);
  return folder;
};
const start = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres(options);
  servers.push(server);
  return server;
};
const query = async (server: EmbeddedPostgres, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(text)).rows as unknown[];
  } finally {
    await client.end();
  }
};

describe('startEmbeddedPostgres', () => {
  // Bug: after a power cut the new database has the name of half of one, and the next start removes it. Method: as in durable-file.test.ts.
  it('has a new database under its name on the disk before it is used', async () => {
    const { renameSync, fsyncSync, openSync } = fs;
    const calls: string[] = [];
    const names = new Map<number, string>();
    Object.assign(fs, {
      openSync: (...args: Parameters<typeof openSync>) => {
        const descriptor = openSync(...args);
        names.set(descriptor, String(args[0]));
        return descriptor;
      },
      fsyncSync: (descriptor: number) => {
        calls.push(`sync ${names.get(descriptor)}`);
        fsyncSync(descriptor);
      },
      renameSync: (from: string, to: string) => {
        calls.push(`rename ${to}`);
        renameSync(from, to);
      },
    });
    syncBuiltinESMExports();
    const folder = closedFolder();
    const fresh = join(folder, 'data');
    try {
      await start({ dataDir: fresh });
    } finally {
      Object.assign(fs, { renameSync, fsyncSync, openSync });
      syncBuiltinESMExports();
    }
    expect(calls.slice(calls.indexOf(`rename ${join(fresh, 'cluster')}`))).toEqual([
      `rename ${join(fresh, 'cluster')}`,
      `sync ${fresh}`,
      `sync ${folder}`,
    ]);
  });

  const dataDir = join(closedFolder(), 'data');

  it('keeps committed data when it is killed, and restarts on the same port', async () => {
    const first = await start({ dataDir });
    await query(first, 'CREATE TABLE kept (n int)');
    await query(first, 'INSERT INTO kept SELECT generate_series(1, 1000)');
    process.kill(first.pid, 'SIGKILL');
    expect(await first.exited).toBe('signal SIGKILL');
    const second = await start({ dataDir, port: first.port });
    expect(second.url).toBe(first.url);
    expect(await query(second, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 1000 }]);
  });

  it('is durable by default, reachable on loopback only, and keeps its password to itself', async () => {
    const server = await start({ dataDir });
    const settings =
      "SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) AS all FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses', 'unix_socket_directories', 'password_encryption')";
    expect(await query(server, settings)).toEqual([
      {
        all: 'fsync=on full_page_writes=on listen_addresses=127.0.0.1 password_encryption=scram-sha-256 synchronous_commit=on unix_socket_directories=',
      },
    ]);
    expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, 'cluster', 'pg_hba.conf'), 'utf8')).not.toMatch(/^[^#]*\btrust\b/m);
  });

  it('restarts an interrupted initialisation', async () => {
    const interrupted = join(closedFolder(), 'data');
    mkdirSync(join(interrupted, 'cluster.unfinished'), { recursive: true });
    writeFileSync(join(interrupted, 'cluster.unfinished', 'PG_VERSION'), '18');
    writeFileSync(join(interrupted, 'password'), 'of-the-one-cut-short');
    expect(await query(await start({ dataDir: interrupted }), 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    expect(existsSync(join(interrupted, 'cluster.unfinished'))).toBe(false);
  });

  it('starts despite a stale pid file that names another live process', async () => {
    const first = await start({ dataDir });
    const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    writeFileSync(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'));
    expect(await query(await start({ dataDir }), 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('takes over from a server that an earlier owner left running', async () => {
    const orphan = await start({ dataDir });
    expect(commandLineOf(orphan.pid)).toContain(dataDir);
    const next = await start({ dataDir });
    expect(await orphan.exited).toBe('exit code 0');
    expect(await query(next, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('explains why a folder is not a database, and changes nothing in it', async () => {
    const foreign = join(closedFolder(), 'data');
    mkdirSync(join(foreign, 'cluster'), { recursive: true });
    writeFileSync(join(foreign, 'cluster', 'precious'), 'data');
    await expect(startEmbeddedPostgres({ dataDir: foreign })).rejects.toThrow(
      /is not a Postgres database .* remove .* to start over/,
    );
    expect(readFileSync(join(foreign, 'cluster', 'precious'), 'utf8')).toBe('data');
  });
});

describe('startNatsServer', () => {
  it('restarts on the same port after it was killed', async () => {
    const storeDir = closedFolder();
    const first = await startNatsServer({ storeDir });
    servers.push(first);
    process.kill(first.pid, 'SIGKILL');
    expect(await first.exited).toBe('signal SIGKILL');
    const second = await startNatsServer({ storeDir, port: first.port });
    servers.push(second);
    expect(second.url).toBe(first.url);
  });

  it('quotes the server if its configuration is invalid', async () => {
    const storeDir = closedFolder();
    const configFile = join(storeDir, 'nats.conf');
    writeFileSync(configFile, 'authorization { user: a, password: $NOT_SET_ANYWHERE }');
    await expect(startNatsServer({ storeDir, configFile })).rejects.toThrow(/did not start .*NOT_SET_ANYWHERE/);
  });

  it.runIf(process.getuid?.() === 0)(
    'runs as a system user, also with the data and the configuration of root',
    async () => {
      const storeDir = closedFolder();
      const configFile = join(storeDir, 'nats.conf');
      writeFileSync(configFile, 'max_payload: 2MB\n', { mode: 0o600 });
      for (const _ of [1, 2]) {
        const server = await startNatsServer({ storeDir, configFile });
        servers.push(server);
        expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).not.toMatch(/^Uid:\s+0\s/mu);
        await server.stop();
        chownSync(storeDir, 0, 0);
      }
    },
  );
});
