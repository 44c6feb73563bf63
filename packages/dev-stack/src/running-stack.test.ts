/**
 * Bug: a supervisor that was killed stays a zombie, where its parent does not ask for its end (a container's first process, for example), and every later
 * start is refused because a stack still runs. Method: a process whose parent never asks.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStat } from '@agent-trust/embedded-servers';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRunningStack, lockFolder } from './running-stack.ts';

let folder: string;
let parent: ChildProcess;
let zombie = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'running-stack-'));
  parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  parent.stdout?.on('data', (text: Buffer) => {
    zombie = Number(text.toString());
  });
  if (process.platform === 'linux') await waitFor(() => processStat(zombie)?.state === 'Z');
});
afterAll(() => {
  parent.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const noteOf = (pid: number): string => JSON.stringify({ pid, began: processStat(pid)?.began ?? '', url: 'http://x' });

describe.runIf(process.platform === 'linux')('a data folder', () => {
  it('that a zombie holds is free, and no stack runs on it', () => {
    writeFileSync(join(folder, 'stack.json'), noteOf(zombie));
    writeFileSync(join(folder, 'stack.lock'), noteOf(zombie));
    expect(findRunningStack(folder)).toBeUndefined();
    lockFolder(folder)();
  });

  it('that a running process holds is refused', () => {
    writeFileSync(join(folder, 'stack.json'), noteOf(process.pid));
    writeFileSync(join(folder, 'stack.lock'), noteOf(process.pid));
    expect(findRunningStack(folder)).toMatchObject({ url: 'http://x' });
    expect(() => lockFolder(folder)).toThrow(/in use by a running stack/u);
  });
});
