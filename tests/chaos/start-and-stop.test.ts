/**
 * Bugs: a process outlives `npm start`; data is lost at the next start; a crash makes the next start impossible; a refusal does not say what
 * to do.
 * Method: the command itself, including npm and bootstrap, on one data folder that is started and ended in every way in turn. Each round
 * writes something before the end; after each start everything written before must be there.
 */
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '@agent-trust/embedded-servers';
import { afterAll, describe, expect, it } from 'vitest';
import { httpTo, unique } from '../support/registry.ts';
import { bareStart, npmStart, type NpmStart, untilGone } from './support/npm-start.ts';
import { commandOf, pssBytes } from './support/processes.ts';
import { waitFor } from './support/wait-for.ts';

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'start-and-stop-'));
  folders.push(folder);
  return folder;
};
const started: NpmStart[] = [];
afterAll(() => {
  for (const pid of started.flatMap(({ tree }) => tree).filter(isAlive)) process.kill(pid, 'SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const megabyte = 1e6;
/** Limit for the whole of `npm start`, including npm and the bootstrap script, once the services have returned what the start needed. */
const idleBytesMax = 600 * megabyte;
const returnedMsMax = 180_000;
/** A stop waits for running requests; there are none, so it takes a second or two. This is patience: what does not end by itself never does. */
const stopMsMax = 90_000;
/** No process is notified when the supervisor is killed; each detects it by itself. */
const orphanMsMax = stopMsMax;
/** An idle machine needs less than half of that. */
const laterReadyMsMax = 20_000;

const dataDir = newFolder();
const written: string[] = [];

const start = async (): Promise<NpmStart> => {
  const running = await npmStart(dataDir);
  started.push(running);
  return running;
};
const register = async ({ url }: NpmStart): Promise<void> => {
  const agentId = unique('kept');
  const body = { agent_id: agentId, contact_email: 'owner@agent.example' };
  expect((await httpTo(url).post('/register', body)).status).toBe(201);
  written.push(agentId);
};
const expectAllThere = async ({ url }: NpmStart): Promise<void> => {
  const found = await Promise.all(written.map((agentId) => httpTo(url).post('/verify', { agent_id: agentId })));
  expect(found.map(({ status }) => status)).toEqual(written.map(() => 200));
};

/** The ways in which an operating system, a user or a fault can end it, and how long that may take. */
const ends: [what: string, end: (running: NpmStart) => void, withinMs: number][] = [
  ['Ctrl-C', ({ pid }) => process.kill(-pid, 'SIGINT'), stopMsMax],
  ['SIGTERM to npm alone', ({ pid }) => process.kill(pid, 'SIGTERM'), stopMsMax],
  ['SIGINT to the supervisor alone', ({ supervisor }) => process.kill(supervisor, 'SIGINT'), stopMsMax],
  ['kill -9 of the supervisor', ({ supervisor }) => process.kill(supervisor, 'SIGKILL'), orphanMsMax],
  ['kill -9 of the bootstrap script', ({ bootstrap }) => process.kill(bootstrap, 'SIGKILL'), stopMsMax],
  ['kill -9 of npm', ({ pid }) => process.kill(pid, 'SIGKILL'), stopMsMax],
];

describe('npm start', () => {
  it.each(ends)(
    'ended by %s leaves no process behind, and the next start has all data',
    async (what, end, withinMs) => {
      const running = await start();
      await expectAllThere(running);
      await register(running);
      expect(running.supervisor).toBeGreaterThan(0);
      expect(running.tree.length).toBeGreaterThan(9);
      end(running);
      await untilGone(running.tree, withinMs);
      await running.ended;
      expect(what !== 'Ctrl-C' || running.stdout().endsWith('Stopping…\nStopped.\n')).toBe(true);
    },
  );

  it('starts faster the second time, uses little memory when idle, refuses a second process on its folder, and stops when its terminal closes', async () => {
    const running = await start();
    await expectAllThere(running);
    // Of several starts the fastest shows what the start takes; the others what else the machine does. The first one makes the database.
    const [first, ...later] = started.map(({ readyMs }) => readyMs);
    const fastest = Math.min(...(later.length === 0 ? [running.readyMs] : later));
    expect(fastest).toBeLessThan(Math.max(laterReadyMsMax, first ?? 0));

    const second = bareStart(['--data-dir', dataDir, '--port', '0']);
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toMatch(
      new RegExp(
        `^The data folder ${dataDir} is in use by a running stack \\(process ${running.supervisor}\\): stop that one first.*\\n$`,
        'u',
      ),
    );
    await expectAllThere(running);

    const [, address = '', code = ''] = await waitFor(() =>
      /^sign in {5}(http:\S+\/console)\/#code=([\w-]{43}) /mu.exec(running.stdout()),
    );
    expect(address).toBe(`${running.url}/console`);
    const signIn = () => httpTo(running.url).post('/ops/sign-in', { code });
    expect((await signIn()).body).toMatchObject({ role: 'operator', name: expect.stringMatching(/^npm-start\./u) });
    expect((await signIn()).body['code']).toBe('invalid_sign_in_code');
    expect(running.stderr()).not.toContain('which names nobody');

    const totalOf = (): number => running.tree.reduce((sum, pid) => sum + pssBytes(pid), 0);
    await waitFor(() => totalOf() < idleBytesMax, {
      timeoutMs: returnedMsMax,
      description: `the idle stack to use less than ${idleBytesMax / megabyte} MB`,
    });
    if (process.env['CHAOS_FIGURES'] !== undefined) {
      const parts = running.tree
        .map(
          (pid) => `    ${String(Math.round(pssBytes(pid) / megabyte)).padStart(4)} MB ${commandOf(pid).slice(-90)}\n`,
        )
        .join('');
      process.stderr.write(
        `  ready in ${Math.round(running.readyMs)} ms; ${Math.round(totalOf() / megabyte)} MB PSS idle\n${parts}`,
      );
    }
    process.kill(-running.pid, 'SIGHUP');
    await untilGone(running.tree, stopMsMax);
    await running.ended;
    expect(running.stdout()).toMatch(/Stopping…\nStopped\.\n$/u);
  });
});

describe('npm start refuses with one line', () => {
  const refusal = async (args: string[], env: Record<string, string> = {}, exitCode = 1): Promise<string> => {
    const command = bareStart(args, env);
    expect(await command.ended).toBe(exitCode);
    // On a slow machine a progress line precedes the refusal.
    const said = `${command.stdout()}${command.stderr()}`.trim().split('\n');
    const lines = said.filter((line) => !line.startsWith('Still starting: '));
    expect(lines).toHaveLength(1);
    return lines[0] ?? '';
  };

  it('if the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const folder = newFolder();
    const line = await refusal(['--data-dir', folder, '--port', String(port)]);
    expect(line).toMatch(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 cannot be listened on.*another port`, 'u'));
    server.close();
  });

  it('if a setting of the stack or of a service is invalid', async () => {
    expect(await refusal(['--data-dir', newFolder()], { GATEWAYS: 'many' })).toMatch(
      /^Wrong settings: GATEWAYS must be/u,
    );
    expect(await refusal(['--data-dir', newFolder(), '--port', '0'], { CALL_TIMEOUT_MS: 'soon' })).toMatch(
      /^(?:gateway|call-proxy|pay-proxy): wrong settings: CALL_TIMEOUT_MS must be [^;]+$/u,
    );
  });

  it('with exit code 2 when its options are wrong', async () => {
    expect(await refusal(['--port', 'eighty'], {}, 2)).toMatch(/^--port must be a whole number.*Usage/u);
    expect(await refusal(['--hlp'], {}, 2)).toMatch(/^Unknown option '--hlp'.*Usage/u);
  });

  it('if the data folder is damaged', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(await refusal(['--data-dir', file])).toMatch(/is a file.*set DATA_DIR to another folder/u);

    // That of the tests above, if they have run and have ended.
    const cluster = join(dataDir, 'postgres', 'cluster');
    if (!existsSync(cluster) || started.some(({ tree }) => tree.some(isAlive))) {
      const running = await start();
      process.kill(-running.pid, 'SIGINT');
      await running.ended;
      await untilGone(running.tree, stopMsMax);
    }
    rmSync(join(dataDir, 'postgres', 'cluster', 'global'), { recursive: true });
    expect(await refusal(['--data-dir', dataDir, '--port', '0'])).toMatch(
      /^The database in \S+ cannot be started: .*could not open file "\S+global\/pg_control".*remove it to start over/u,
    );
  });
});
