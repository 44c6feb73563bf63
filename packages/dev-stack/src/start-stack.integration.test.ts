/**
 * Bugs: a process outlives its stack; an unnoticed crash; a secret reaches the wrong service; data is lost between two starts; two stacks use
 * one folder. Real Postgres and NATS; the services are fixtures, so that only the stack itself is tested. Tests that change nothing in a stack, or
 * only restart its processes, use the same one; those that are about no database of its own use the run's servers.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase, waitFor } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { findRunningStack } from './running-stack.ts';
import { type Stack, type StackOptions, startStack } from './start-stack.ts';

const fixture = join(import.meta.dirname, 'testing', 'fixture-service.mjs');
const stacks: Stack[] = [];
const folders: string[] = [];
/** Servers that the stack does not start. */
let database: TestDatabase;
let external: { DATABASE_URL: string; NATS_URL: string };
beforeAll(async () => {
  database = await createTestDatabase();
  external = { DATABASE_URL: database.url, NATS_URL: inject('natsUrl') };
});
afterAll(() => database.drop());
afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stack-test-'));
  folders.push(folder);
  return folder;
};
const startForAll = (options: StackOptions = {}): Promise<Stack> =>
  startStack({
    ephemeral: true,
    fsync: false,
    serviceFile: () => fixture,
    ...options,
    env: { ...process.env, ...options.env },
  });
const start = async (options: StackOptions = {}): Promise<Stack> => {
  const stack = await startForAll(options);
  stacks.push(stack);
  return stack;
};
const isAlive = (pid: number | undefined): boolean => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};
const pids = (stack: Stack): (number | undefined)[] => stack.processes().map(({ pid }) => pid);
const environmentOf = (stack: Stack, process: string): Record<string, string> => {
  const lines = readFileSync(join(stack.dataDir, 'logs', `${process}.log`), 'utf8')
    .trim()
    .split('\n');
  return (
    JSON.parse(lines.find((line) => line.includes('"environment"')) ?? '{}') as { environment: Record<string, string> }
  ).environment;
};
const query = async (url: string | undefined, text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as unknown[];
  } finally {
    await client.end();
  }
};

describe('one stack', { timeout: 240_000 }, () => {
  let stack: Stack;
  const said: string[] = [];
  beforeAll(async () => {
    stack = await startForAll({
      env: {
        CALL_PROXIES: '2',
        GATEWAYS: '2',
        ADMIN_KEY: 'given-admin-key',
        DATABASE_OWNER_PASSWORD: 'owner',
        MARK: 'passed-on',
        OUTBOUND_ALLOW: '',
      },
      onProgress: (line) => said.push(line),
    });
    return () => stack.stop();
  });

  it('has every configured instance, each with its own credentials only', async () => {
    expect(stack.processes().map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'postgres',
        'nats-server',
        'gateway',
        'gateway-2',
        'call-proxy',
        'call-proxy-2',
        'pay-proxy',
        'registry-write',
        'trust-projection',
      ]),
    );
    for (const url of stack.urls) expect((await fetch(`${url}/health`)).status).toBe(200);

    const gateway = environmentOf(stack, 'gateway-2');
    expect(gateway).toMatchObject({
      ADMIN_KEY: 'given-admin-key',
      ADMIN_TOKEN: stack.adminToken,
      BASE_URL: stack.url,
      MARK: 'passed-on',
      OUTBOUND_ALLOW: '',
    });
    expect([gateway['DATABASE_URL'], gateway['EVENT_LOG_URL']]).toEqual([undefined, undefined]);
    const secrets = JSON.parse(readFileSync(stack.secretsFile, 'utf8')) as Record<string, string>;
    expect(statSync(stack.secretsFile).mode & 0o777).toBe(0o600);
    const secretsOf: Record<string, string[]> = {
      'registry-write': ['PERSONAL_DATA_KEY'],
      'trust-projection': ['PERSONAL_DATA_KEY', 'LOG_SIGNING_KEY', 'WEBHOOK_SECRET'],
    };
    for (const service of ['call-proxy', 'pay-proxy', 'registry-write', 'trust-projection']) {
      const env = environmentOf(stack, service);
      const texts = Object.values(env).join(' ');
      const own = service.replaceAll('-', '_').toUpperCase();
      const shared = secretsOf[service] ?? [];
      const foreign = Object.entries(secrets).filter(
        ([name, value]) => !name.includes(`_${own}_`) && !shared.includes(name) && texts.includes(value),
      );
      expect(shared.map((name) => env[name])).toEqual(shared.map((name) => secrets[name]));
      expect(foreign.map(([name]) => name)).toEqual([]);
      expect(texts).not.toMatch(/given-admin-key|owner/);
      expect(env['DATABASE_URL'] === undefined).toBe(service !== 'trust-projection');
      expect(new URL(env['EVENT_LOG_URL'] ?? '').username).toBe(service.replaceAll('-', '_'));
    }
  });

  it('gives each database role its own rights and no more', async () => {
    const [writer, reader] = ['registry-write', 'trust-projection'].map(
      (service) => environmentOf(stack, service)['EVENT_LOG_URL'],
    );
    const owner = environmentOf(stack, 'trust-projection')['DATABASE_URL'];
    for (const url of [writer, reader]) {
      expect(await query(url, 'SELECT count(*)::int AS n FROM event_log.events')).toEqual([{ n: 0 }]);
      await expect(query(url, 'DELETE FROM event_log.events')).rejects.toThrow('permission denied');
    }
    const mayAppend = "SELECT has_function_privilege(oid, 'execute') AS may FROM pg_proc WHERE proname = 'append'";
    expect(await query(writer, mayAppend)).toEqual([{ may: true }]);
    expect(await query(reader, mayAppend)).toEqual([{ may: false }]);
    await query(
      owner,
      'CREATE TABLE read_models.t (n int); CREATE SCHEMA read_models_next; DROP SCHEMA read_models CASCADE; ALTER SCHEMA read_models_next RENAME TO read_models',
    );
    const keys = environmentOf(stack, 'registry-write')['PERSONAL_DATA_DATABASE_URL'];
    await query(keys, "INSERT INTO personal_data.agent_key VALUES ('k', 'a', '')");
    await expect(query(keys, "UPDATE personal_data.agent_key SET agent_id = 'b'")).rejects.toThrow('permission denied');
    expect(await query(owner, 'SELECT agent_id FROM personal_data.agent_key')).toEqual([{ agent_id: 'a' }]);
    await expect(query(owner, 'DELETE FROM personal_data.agent_key')).rejects.toThrow('permission denied');
    await query(keys, 'DELETE FROM personal_data.agent_key');
    await expect(query(writer, 'CREATE SCHEMA mine')).rejects.toThrow('permission denied');
    await expect(query(writer, 'CREATE TABLE read_models.t (n int)')).rejects.toThrow('permission denied');
    await expect(query(writer, 'CREATE TABLE public.t (n int)')).rejects.toThrow('permission denied');
  });

  it('restarts every process that dies: services, database and message bus', async () => {
    const [{ url: postgres }] = [{ url: stack.postgresUrl }];
    for (const name of ['call-proxy', 'gateway', 'postgres', 'nats-server']) {
      const before = stack.processes().find((process) => process.name === name)?.pid;
      stack.kill(name, 'SIGKILL');
      const back = (): boolean => {
        const now = stack.processes().find((process) => process.name === name);
        return now?.pid !== undefined && now.pid !== before && now.restarts === 1;
      };
      await waitFor(back, { description: `${name} to be back` });
      await waitFor(() => said.includes(`${name} is back`), { description: `the message about ${name}` });
      expect(said).toContain(`${name} ended (signal SIGKILL); starting it again`);
    }
    expect(await query(postgres, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    expect((await fetch(`${stack.url}/health`)).status).toBe(200);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const before = pids(stack);
    expect(before.every(isAlive)).toBe(true);
    await stack.stop();
    expect(before.filter(isAlive)).toEqual([]);
    expect(existsSync(stack.dataDir)).toBe(false);
  });
});

describe('startStack', { timeout: 240_000 }, () => {
  it('continues with the same data and credentials, also after it was killed, which ends every child', async () => {
    const dataDir = newFolder();
    const first = await start({ dataDir, env: { BASE_URL: 'https://shared.example/trust/' } });
    const found = findRunningStack(dataDir);
    expect(found?.environment['ADMIN_KEY']).toBe(first.adminKey);
    // What is printed for browsers is below the path of the proxy in front.
    expect([first.baseUrl, found?.baseUrl]).toEqual(['https://shared.example/trust', 'https://shared.example/trust']);
    await query(first.postgresUrl, 'CREATE TABLE public.kept (n int); INSERT INTO kept VALUES (7)');
    await first.stop();
    expect(findRunningStack(dataDir)).toBeUndefined();
    const program = `
      const { startStack } = await import(${JSON.stringify(join(import.meta.dirname, 'start-stack.ts'))});
      const stack = await startStack({ dataDir: ${JSON.stringify(dataDir)}, port: 0, fsync: false, serviceFile: () => ${JSON.stringify(fixture)} });
      console.log(JSON.stringify({ ...stack, processes: stack.processes() }));`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = (await Promise.race([once(owner.stdout, 'data'), once(owner, 'exit')])) as [Buffer];
    const second = JSON.parse(output.toString()) as Omit<Stack, 'processes'> & { processes: { pid: number }[] };
    expect([second.adminKey, second.adminToken]).toEqual([first.adminKey, first.adminToken]);
    await query(second.postgresUrl, 'INSERT INTO kept VALUES (8)');
    const children = second.processes.map(({ pid }) => pid);
    expect(children.length).toBeGreaterThan(6);
    owner.kill('SIGKILL');
    await waitFor(() => children.filter(isAlive).length === 0, { description: 'the end of every child' });
    const third = await start({ dataDir });
    expect(third.isReady()).toBe(true);
    expect([third.adminKey, third.adminToken]).toEqual([first.adminKey, first.adminToken]);
    expect(await query(third.postgresUrl, 'SELECT n FROM kept ORDER BY n')).toEqual([{ n: 7 }, { n: 8 }]);
  });

  it('uses external servers if configured, and reports if they are unreachable', async () => {
    const stack = await start({ env: external });
    expect(stack.processes().map(({ name }) => name)).not.toContain('postgres');
    expect(stack.processes().map(({ name }) => name)).not.toContain('nats-server');
    expect(environmentOf(stack, 'registry-write')['EVENT_LOG_URL']).toBe(database.url);
    for (const env of [
      { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' },
      { EVENT_LOG_URL: 'esdb://127.0.0.1:1' },
      { NATS_URL: 'nats://u:hidden@127.0.0.1:1', DATABASE_URL: database.url },
    ]) {
      const refusal = start({ env });
      await expect(refusal).rejects.toThrow(
        new RegExp(`^${Object.keys(env)[0]} names .* at 127\\.0\\.0\\.1:1 that cannot be .*ECONNREFUSED.*unset`),
      );
      await expect(refusal).rejects.not.toThrow('hidden');
    }
  });
});

describe('what gateways need first', { timeout: 240_000 }, () => {
  it('is waited for by gateways alone, and by nobody when the start is given up', async () => {
    const made = Promise.withResolvers<void>();
    const running = new Set<string>();
    const waits = { env: external, onLog: (process: string) => void running.add(process) };
    const starting = start({ ...waits, beforeGateways: () => made.promise });
    await waitFor(() => running.size === 4, { description: 'every service but the gateway' });
    expect(running.has('gateway')).toBe(false);
    made.resolve();
    expect((await starting).isReady()).toBe(true);

    const stop = new AbortController();
    running.clear();
    const givenUp = start({ ...waits, signal: stop.signal, beforeGateways: () => new Promise(() => undefined) });
    givenUp.catch(() => undefined);
    await waitFor(() => running.size === 4, { description: 'every service but the gateway, again' });
    stop.abort();
    await expect(givenUp).rejects.toThrow('Stopped before it was ready');
  });
});

describe('startStack refuses with one line that says what to do', { timeout: 240_000 }, () => {
  it('if another stack uses the folder', async () => {
    const dataDir = newFolder();
    await start({ dataDir, env: external });
    await expect(start({ dataDir, env: external })).rejects.toThrow(
      /is in use by a running stack \(process \d+\): stop that one first/,
    );
  });

  it('if the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await expect(start({ port })).rejects.toThrow(`Port ${port} of 127.0.0.1 cannot be listened on`);
    server.close();
  });

  it('if settings are invalid, without repeating them', async () => {
    const refusal = start({ env: { PORT: 'hidden-value', CALL_PROXIES: '0', OUTBOUND_ALLOW: '1.2.3.4/99' } });
    await expect(refusal).rejects.toThrow(
      /^Wrong settings: PORT must be .*; CALL_PROXIES must be .*; OUTBOUND_ALLOW must be .*; item 1 is not$/,
    );
    await expect(refusal).rejects.not.toThrow('hidden-value');
  });

  it('if the data folder is a file, or its content is damaged', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await expect(start({ dataDir: file })).rejects.toThrow('set DATA_DIR to another folder');
    const secrets = newFolder();
    writeFileSync(join(secrets, 'secrets.json'), '{"ADMIN_KEY":');
    await expect(start({ dataDir: secrets })).rejects.toThrow('secrets.json cannot be read');
    const database = newFolder();
    mkdirSync(join(database, 'postgres', 'cluster'), { recursive: true });
    writeFileSync(join(database, 'postgres', 'cluster', 'PG_VERSION'), '18');
    writeFileSync(join(database, 'postgres', 'password'), 'x');
    await expect(start({ dataDir: database })).rejects.toThrow(
      /cannot be started: .*(FATAL|could not|not).*remove it to start over/,
    );
  });

  // Not even root can create a folder there.
  it.runIf(existsSync('/proc'))('when the data folder cannot be made', async () => {
    await expect(start({ dataDir: '/proc/none/deeper' })).rejects.toThrow('set DATA_DIR to a folder');
  });

  it('if a service does not start', async () => {
    await expect(start({ env: { ...external, FIXTURE: 'crashes' } })).rejects.toThrow(
      /does not start \(exit code 1\): .*the moon is missing \(log: /,
    );
    await expect(start({ env: { ...external, FIXTURE: 'wrong_settings' } })).rejects.toThrow(
      /^gateway: wrong settings: BASE_URL must be a URL$/,
    );
  });
});
