#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { stdinReader } from '../io.ts';

// Checked here, because an older Node fails with an error of its own when it loads the rest.
const nodeNeeded = [20, 12] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < nodeNeeded[0] || (major === nodeNeeded[0] && minor < nodeNeeded[1])) {
  process.stderr.write(`agent-trust: Node ${nodeNeeded.join('.')} or later is needed; this is ${process.version}\n`);
  process.exit(2);
}

// Compiled code is cached where Node can (from 22.1 on): that saves a third of the time of a short command.
(nodeModule as Partial<typeof nodeModule>).enableCompileCache?.();

const [{ run }, { exitCodes }] = await Promise.all([import('../run.ts'), import('../exit-codes.ts')]);
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

// A reader that closes early (`agent-trust registry | head`) ends this process quietly, like any other program in a pipe.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.unexpected);
  });
}

/** Created when a command starts to wait for the registry: until then Ctrl-C ends the process as usual, also while it waits for standard input. */
let stop: AbortController | undefined;
const stopSignal = (): AbortSignal => {
  if (stop !== undefined) return stop.signal;
  const made = new AbortController();
  stop = made;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second Ctrl-C ends the process.
      if (made.signal.aborted) process.exit(exitCodes.interrupted);
      made.abort();
    });
  }
  return made.signal;
};

process.exitCode = await run(
  process.argv.slice(2),
  {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    readStdin: stdinReader(() => process.stdin),
    stopSignal,
  },
  version,
);
