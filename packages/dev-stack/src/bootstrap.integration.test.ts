/**
 * Bugs: an installation runs twice or not at all; noise in a task's output; a lost exit code or signal; the end of a long log tells that a test
 * failed, and not which.
 * Method: the real script in a separate project, whose `npx` is a script that counts its calls, and whose tests vitest runs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { waitFor } from '@agent-trust/test-kit';
import { afterEach, expect, it } from 'vitest';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const newProject = (task: string, installer = 'mkdir -p node_modules; sleep 0.3; echo noise'): string => {
  const root = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  folders.push(root);
  write(join(root, 'packages/dev-stack/bootstrap.mjs'), '');
  copyFileSync(join(import.meta.dirname, '..', 'bootstrap.mjs'), join(root, 'packages/dev-stack/bootstrap.mjs'));
  write(join(root, 'package.json'), '{"type":"module","packageManager":"pnpm@1.2.3+sha512.abc"}');
  write(join(root, 'pnpm-lock.yaml'), 'lockfileVersion: 9');
  write(join(root, 'packages/dev-stack/src/main/start.ts'), task);
  write(join(root, 'bin/npx'), `#!/bin/sh\necho "$@" >> "${root}/calls"\n${installer}\n`);
  chmodSync(join(root, 'bin/npx'), 0o755);
  return root;
};

const run = (root: string, ...args: string[]) => {
  const child = spawn(process.execPath, [join(root, 'packages/dev-stack/bootstrap.mjs'), ...args], {
    env: { ...process.env, PATH: `${join(root, 'bin')}:${process.env['PATH']}`, npm_lifecycle_event: undefined },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, output, ended };
};
const calls = (root: string): string[] =>
  existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [];

it('installs once, also for two commands started together, and keeps quiet on stdout', async () => {
  const root = newProject('process.stdin.pipe(process.stdout); console.log(process.argv.slice(2).join());');
  const both = [run(root, 'start', '--a', 'b c'), run(root, 'start', '--a', 'b c')];
  for (const { child } of both) child.stdin.end('piped');
  for (const { ended, output } of both) {
    expect(await ended).toBe(0);
    expect(output.stdout).toBe('--a,b c\npiped');
    expect(output.stderr).not.toContain('noise');
  }
  expect(
    both.filter(({ output }) => output.stderr.startsWith('Installing dependencies (first time, about a minute)…')),
  ).toHaveLength(1);
  expect(calls(root)).toEqual(['--yes pnpm@1.2.3 install --frozen-lockfile']);

  const again = run(root, 'start');
  again.child.stdin.end();
  expect([await again.ended, again.output.stderr, calls(root).length]).toEqual([0, '', 1]);
  writeFileSync(join(root, 'pnpm-lock.yaml'), 'lockfileVersion: 10');
  const changed = run(root, 'start');
  changed.child.stdin.end();
  expect([await changed.ended, calls(root).length]).toEqual([0, 2]);
  expect(changed.output.stderr).toContain('Dependencies have changed');
});

it('shows the end of a failed installation and what to do, and tries again next time', async () => {
  const root = newProject('', 'echo ENOTFOUND registry.example; exit 1');
  for (const attempt of [1, 2]) {
    const { ended, output } = run(root, 'start');
    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(/ENOTFOUND registry\.example\n.*Check that the npm registry can be reached/s);
    expect(calls(root)).toHaveLength(attempt);
  }
});

it('passes exit codes on, and lists the tasks', async () => {
  const root = newProject('process.exit(7)');
  expect(await run(root, 'start').ended).toBe(7);
  const unknown = run(root, 'stop');
  expect(await unknown.ended).toBe(1);
  expect(unknown.output.stderr).toMatch(/Usage: .*<start \| demo \| replay/);
});

it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on and waits for the task to stop cleanly', async (signal) => {
  const root = newProject(`
    process.on('${signal}', () => setTimeout(() => { console.log('cleaned up'); process.exit(3); }, 200));
    setInterval(() => {}, 1000); console.log('running');`);
  const { child, output, ended } = run(root, 'start');
  await waitFor(() => output.stdout.includes('running'));
  child.kill(signal);
  expect(await ended).toBe(3);
  expect(output.stdout).toBe('running\ncleaned up\n');
});

it('its task notices if it is killed, and ends by itself otherwise', async () => {
  const root = newProject(`
    import { writeFileSync } from 'node:fs';
    import { watchParent } from ${JSON.stringify(join(import.meta.dirname, 'parent-watch.ts'))};
    watchParent(() => { writeFileSync('noticed', ''); process.exit(); });
    console.log('running');
    if (process.argv[2] !== 'stay') process.exit(5);
    setInterval(() => {}, 1000);`);
  expect(await run(root, 'start').ended).toBe(5);
  const { child, output } = run(root, 'start', 'stay');
  await waitFor(() => output.stdout.includes('running'));
  child.kill('SIGKILL');
  expect(await waitFor(() => existsSync(join(root, 'noticed')), { description: 'the task to notice' })).toBe(true);
});

it('names at its end each test that failed and each file that cannot be loaded, with their messages', async () => {
  const root = newProject('');
  const projects = ['unit', 'integration', 'e2e', 'chaos'].map((name) => ({
    test: { name, globals: true, include: [`${name}.test.ts`] },
  }));
  write(join(root, 'vitest.config.ts'), `export default { test: { projects: ${JSON.stringify(projects)} } };`);
  write(
    join(root, 'unit.test.ts'),
    "describe('one', () => { it('fails', () => { expect('got').toBe('wanted'); }); });",
  );
  write(join(root, 'integration.test.ts'), "it('passes', () => {});");
  write(join(root, 'e2e.test.ts'), "throw new Error('out of paper');");
  write(join(root, 'chaos.test.ts'), "it('passes', () => {});");
  const vitest = join(import.meta.dirname, '../../../node_modules/.bin/vitest');
  write(join(root, 'bin/vitest'), `#!/bin/sh\nexec ${vitest} "$@"\n`);
  chmodSync(join(root, 'bin/vitest'), 0o755);
  const { ended, output } = run(root, 'test');
  expect(await ended).toBe(1);
  expect(output.stdout).toMatch(/2 passed, 2 failed\n$/u);
  expect(output.stderr).toMatch(
    /What failed:\n {2}unit\.test\.ts > one fails\n.*expected 'got' to be 'wanted'.* {2}e2e\.test\.ts\n.*out of paper.*The slowest files:/su,
  );
});
