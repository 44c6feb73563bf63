/** Bugs: two processes get one port, and the server that starts later fails; a port stays taken after the process that claimed it was killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { freePort, isPortFree } from './free-port.ts';

const moduleFile = fileURLToPath(new URL('./free-port.ts', import.meta.url));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that claims ports, and lives until it is killed. */
async function claimant(count: number): Promise<{ child: ChildProcess; ports: number[] }> {
  const program = `
    import { freePort } from ${JSON.stringify(moduleFile)};
    const ports = [];
    while (ports.length < ${count}) ports.push(await freePort());
    console.log(JSON.stringify(ports));
    process.stdin.resume();`;
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', program],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, ports: JSON.parse(line) as number[] };
}

it('gives a port once, to one of several processes, though none listens yet', async () => {
  const claimed = await Promise.all([claimant(400), claimant(400), claimant(400)]);
  const ports = [...claimed.flatMap((each) => each.ports), await freePort(), await freePort()];
  expect(new Set(ports).size).toBe(1_202);
});

it('lets the process that claimed a port listen on it, and again after that', async () => {
  const port = await freePort();
  for (const _ of ['first', 'again']) {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    expect(await isPortFree(port)).toBe(false);
    server.close();
    await once(server, 'close');
  }
});

it('gives the ports of a killed process again', async () => {
  // A sixth of all ports, so that a later process that is given as many must be given some of them.
  const processes = await Promise.all([claimant(500), claimant(500)]);
  const exits = processes.map(({ child }) => once(child, 'exit'));
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(exits);
  const before = new Set(processes.flatMap(({ ports }) => ports));
  const { ports } = await claimant(500);
  expect(ports.some((port) => before.has(port))).toBe(true);
});
