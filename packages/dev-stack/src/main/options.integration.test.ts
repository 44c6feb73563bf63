/** Bugs: an option that is ignored, so that the command starts what nobody asked for; a port that was asked for and is not used. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';

type Ended = { code: unknown; stdout: string; stderr: string };
const run = (command: string, args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const given = [join(import.meta.dirname, `${command}.ts`), ...args];
    execFile(process.execPath, given, { env: { ...process.env, ...env }, timeout: 80_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });

it.each([
  ['start', /^Usage: npm start .*\n[^]*\n {2}--data-dir <folder> .*\n[^]*README\.md/],
  ['demo', /^Usage: npm run demo\n/],
])('%s explains itself, and refuses an option that it does not know', async (command, help) => {
  expect(await run(command, ['--help'])).toEqual({ code: 0, stdout: expect.stringMatching(help), stderr: '' });
  const refused = await run(command, ['--hlp']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/^Unknown option '--hlp'[^]*Usage: npm [^]*\(--help explains it\)/);
});

it('a throw-away stack listens on the port of PORT and of --port, which comes first', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const taken = String((server.address() as { port: number }).port);
  const refusal = { code: 1, stderr: expect.stringMatching(new RegExp(`^Port ${taken} of 127\\.0\\.0\\.1 cannot be`)) };
  try {
    expect(await run('start', ['--ephemeral'], { PORT: taken })).toMatchObject(refusal);
    expect(await run('start', ['--ephemeral', '--port', taken], { PORT: '0' })).toMatchObject(refusal);
    const noFolder = { DATA_DIR: '/dev/null/none', PORT: taken };
    expect(await run('start', [], { ...noFolder, STACK_EPHEMERAL: 'true' })).toMatchObject(refusal);
    expect((await run('start', [], noFolder)).stderr).toContain('/dev/null/none');
    expect(await run('start', ['--ephemeral'], { PORT: 'eighty' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Wrong settings: PORT must be/),
    });
  } finally {
    server.close();
  }
});
