#!/usr/bin/env node
// Runs the command line from its TypeScript sources, in a clone of the project. Node runs them from version 24 on; on an older Node, the one that the
// project installs runs them. Plain JavaScript, for any Node. The published package has built files instead.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const nodeMajorNeeded = 24;
const here = dirname(fileURLToPath(import.meta.url));
const main = join(here, '../src/main/agent-trust.ts');

if (Number(process.versions.node.split('.')[0]) >= nodeMajorNeeded) {
  await import(pathToFileURL(main).href);
} else {
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const node = join(here, '../../../node_modules/node/bin', program);
  if (!existsSync(node)) {
    process.stderr.write(
      'agent-trust: the project is not installed yet: run "npm start" once, or "npm run -s agent-trust -- --help"\n',
    );
    process.exit(2);
  }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      // On a terminal Ctrl-C reaches both processes; a second one would end the child at once.
      if (name !== 'SIGINT' || !process.stdin.isTTY) child.kill(name);
    });
  }
  child.once('error', (error) => {
    process.stderr.write(`agent-trust: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (status, signal) => {
    process.exitCode = status ?? 128 + (constants.signals[signal] ?? 0);
  });
}
