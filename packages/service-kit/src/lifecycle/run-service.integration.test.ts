/**
 * Bugs: a child outlives its supervisor; a stop never ends; an error leaves a process half alive; the last log line is lost. Each concerns a
 * whole process, so each test starts one and checks how it ends.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@agent-trust/embedded-servers';
import { afterEach, describe, expect, it } from 'vitest';

const fixture = fileURLToPath(new URL('../testing/fixture-service.ts', import.meta.url));
const healthcheck = fileURLToPath(new URL('../main/healthcheck.ts', import.meta.url));

type Started = { child: ChildProcessWithoutNullStreams; output: () => string; line: (text: string) => Promise<string> };

const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const start = (env: Record<string, string>, file = fixture, args: string[] = []): Started => {
  const child = spawn(process.execPath, [file, ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NATS_URL: 'nats://u:hunter2@127.0.0.1:4222',
      ...env,
    },
  });
  children.push(child);
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
    child.emit('output');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const line = async (text: string): Promise<string> => {
    while (!output.includes(text)) await once(child, 'output');
    return output.split('\n').find((candidate) => candidate.includes(text)) ?? '';
  };
  return { child, output: () => output, line };
};

const ended = async ({ child }: Started): Promise<number | null> => {
  const [code] = child.exitCode === null ? ((await once(child, 'close')) as [number | null]) : [child.exitCode];
  return code;
};

describe('runService', { timeout: 20_000 }, () => {
  it('logs one started line, answers health, and stops on SIGTERM with 0', async () => {
    const service = start({ HEALTH_PORT: '0' });
    const started = JSON.parse(await service.line('"started"')) as { health_port: number; behaviour: string };
    expect(started).toMatchObject({ msg: 'started', service: 'fixture', behaviour: 'good', pid: service.child.pid });
    const ready = await fetch(`http://127.0.0.1:${started.health_port}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ok', parts: { log: { status: 'ok', position: '7' } } },
    ]);
    const check = (path: string): Promise<number | null> =>
      ended(start({ HEALTH_PORT: String(started.health_port) }, healthcheck, [path]));
    expect(await Promise.all([check('/livez'), check('/readyz'), check('/none')])).toEqual([0, 0, 1]);
    service.child.kill('SIGTERM');
    expect(await ended(service)).toBe(0);
    expect(service.output()).toContain('"stopped"');
  });

  it('may start for as long as it reports progress', async () => {
    const service = start({ FIXTURE: 'starts_slowly', START_TIMEOUT_MS: '200' });
    await service.line('"started"');
    expect(service.output()).toContain('step 12');
    service.child.kill('SIGTERM');
  });

  it('gives up at the start deadline', async () => {
    const service = start({ FIXTURE: 'never_starts', START_TIMEOUT_MS: '200' });
    expect(await ended(service)).toBe(1);
    expect(service.output()).toContain('cannot start: starting took longer than 200 ms');
  });

  it('says at once what its start waits for and where, without the password, and again when it gives up', async () => {
    const port = await freePort();
    const service = start({ FIXTURE: 'waits', START_TIMEOUT_MS: '1500', HEALTH_PORT: String(port) });
    const wait = 'waiting for NATS at 127.0.0.1:4222 (ECONNREFUSED)';
    expect(JSON.parse(await service.line('waiting for'))).toMatchObject({ level: 'warn', msg: wait });
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'down', parts: { service: { status: 'down', detail: `starting: ${wait}` } } },
    ]);
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    expect(await ended(service)).toBe(1);
    expect(service.output()).toContain(`cannot start: starting took longer than 1500 ms: ${wait}`);
    expect(service.output().match(/"waiting for/gu)).toHaveLength(1);
    expect(service.output()).not.toContain('hunter2');
  });

  it('reports invalid settings without their values, and exits with 78', async () => {
    const service = start({ NATS_URL: 'http://u:hunter2@h', LOG_LEVEL: 'hunter2hunter2' });
    expect(await ended(service)).toBe(78);
    expect(service.output()).toMatch(/^fixture: wrong settings: NATS_URL must be .*; LOG_LEVEL must be .*\n$/);
    expect(service.output()).not.toContain('hunter2');
  });

  it('exits with 1 and one line with the cause if starting fails', async () => {
    const service = start({ FIXTURE: 'start_fails' });
    expect(await ended(service)).toBe(1);
    expect(service.output().trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(service.output())).toMatchObject({
      level: 'fatal',
      msg: 'cannot start: the log is not there',
      err: { cause: { message: 'ECONNREFUSED' } },
    });
  });

  it('exits with 0 if it is stopped while it starts', async () => {
    const service = start({ FIXTURE: 'starts_until_told' });
    await service.line('"starting"');
    service.child.kill('SIGTERM');
    expect(await ended(service)).toBe(0);
  });

  it('exits with 1 if stopping takes longer than its deadline', async () => {
    const service = start({ FIXTURE: 'never_stops', STOP_TIMEOUT_MS: '200' });
    await service.line('"started"');
    service.child.kill('SIGTERM');
    expect(await ended(service)).toBe(1);
    expect(service.output()).toContain('stopping took longer than 200 ms');
  });

  it("exits at once on a repeated signal, but not on SIGTERM after a terminal's SIGINT", async () => {
    const service = start({ FIXTURE: 'never_stops', STOP_TIMEOUT_MS: '60s' });
    await service.line('"started"');
    service.child.kill('SIGINT');
    await service.line('"stopping"');
    service.child.kill('SIGTERM');
    service.child.kill('SIGINT');
    expect(await ended(service)).toBe(130);
  });

  it.each([
    ['throws', 'thrown late'],
    ['rejects', 'rejected late'],
    ['fails', 'failed late'],
  ])('writes a fatal line and exits with 1 if it %s', async (behaviour, message) => {
    const service = start({ FIXTURE: behaviour });
    await service.line('"started"');
    service.child.kill('SIGUSR2');
    expect(await ended(service)).toBe(1);
    expect(await service.line(message)).toContain('"fatal"');
  });

  it('stops when its supervisor has ended, if configured to watch it', async () => {
    const service = start({ STACK_PARENT_PIPE: '1' });
    await service.line('"started"');
    service.child.stdin.end();
    expect(await ended(service)).toBe(0);
    expect(service.output()).toContain('parent_ended');
  });

  it('survives the end of standard input otherwise', async () => {
    const service = start({});
    await service.line('"started"');
    service.child.stdin.end();
    service.child.kill('SIGTERM');
    expect(await ended(service)).toBe(0);
    expect(service.output()).not.toContain('parent_ended');
  });

  it('survives the reader of its log', async () => {
    const service = start({ STACK_PARENT_PIPE: '1' });
    await service.line('"started"');
    service.child.stdout.destroy();
    service.child.stderr.destroy();
    service.child.stdin.end();
    expect(await ended(service)).toBe(0);
  });
});
