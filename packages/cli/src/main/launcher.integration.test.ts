/**
 * Bug: a program that continues when its launcher is stopped, so that a `timeout` around it waits in vain.
 * Method: an older Node of this machine runs the launcher, and the registry never answers.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const launcher = resolve(import.meta.dirname, '../../bin/agent-trust.mjs');
const majorOf = (node: string): number => Number(/^v(\d+)/u.exec(execFileSync(node, ['--version']).toString())?.[1]);
const olderNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => existsSync(node) && majorOf(node) < 24);

it.runIf(olderNode !== undefined).each(['SIGTERM', 'SIGINT'] as const)('passes %s on', async (signal) => {
  const mute = createServer().listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const { port } = mute.address() as AddressInfo;
  const asked = once(mute, 'connection');
  const started = spawn(olderNode ?? '', [launcher, 'health', '--url', `http://127.0.0.1:${port}`], { stdio: 'pipe' });
  const ended = once(started, 'close');
  await asked;
  started.kill(signal);
  expect((await ended)[0]).toBe(130);
  mute.close();
});
