/**
 * Bug: a power cut within half a minute of the first start leaves files that were relied upon empty or without a name: the secrets, the database's
 * password, the database itself. Nothing can be opened then, ever again.
 * Method: as far as a process can show it. The supervisor's calls to the file system are recorded; after the stack has been killed, what it had not synced
 * is taken away: files lose their content, and what was created in a folder that was not synced since loses its name. What nats-server had written goes
 * too. (Postgres syncs its own files, and is killed in the middle.)
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { Stack } from '@agent-trust/dev-stack';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer, claim, httpTo, unique } from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { untilHealthy } from './support/invariants.ts';
import { waitFor } from './support/wait-for.ts';

const { openSync, writeSync, writeFileSync, fsyncSync, renameSync, linkSync, mkdirSync } = fs;
const real = { openSync, writeSync, writeFileSync, fsyncSync, renameSync, linkSync, mkdirSync };
/** Files whose content, and folders whose names, are not on the disk. */
const unsyncedContent = new Set<string>();
const unsyncedNames = new Set<string>();

/** Records what would be lost. Only synchronous calls change durable files. */
const record = (): void => {
  const paths = new Map<number, string>();
  const created = (path: string): void => void unsyncedNames.add(path);
  Object.assign(fs, {
    openSync: (...args: Parameters<typeof openSync>) => {
      const path = String(args[0]);
      const isNew = !fs.existsSync(path);
      const descriptor = real.openSync(...args);
      paths.set(descriptor, path);
      if (isNew) created(path);
      return descriptor;
    },
    writeSync: (...args: Parameters<typeof writeSync>) => {
      unsyncedContent.add(paths.get(args[0]) ?? '');
      return real.writeSync(...args);
    },
    writeFileSync: (...args: Parameters<typeof writeFileSync>) => {
      created(String(args[0]));
      unsyncedContent.add(String(args[0]));
      real.writeFileSync(...args);
    },
    fsyncSync: (descriptor: number) => {
      const path = paths.get(descriptor) ?? '';
      unsyncedContent.delete(path);
      for (const name of unsyncedNames) if (dirname(name) === path) unsyncedNames.delete(name);
      real.fsyncSync(descriptor);
    },
    renameSync: (from: string, to: string) => {
      if (unsyncedContent.delete(from)) unsyncedContent.add(to);
      unsyncedNames.delete(from);
      created(to);
      real.renameSync(from, to);
    },
    linkSync: (from: string, to: string) => {
      if (unsyncedContent.has(from)) unsyncedContent.add(to);
      created(to);
      real.linkSync(from, to);
    },
    mkdirSync: (...args: Parameters<typeof mkdirSync>) => {
      const isNew = !fs.existsSync(args[0]);
      const made = real.mkdirSync(...args);
      if (isNew) created(String(args[0]));
      return made;
    },
  });
  syncBuiltinESMExports();
};
const restore = (): void => {
  Object.assign(fs, real);
  syncBuiltinESMExports();
};

let folder: string;
let stack: Stack | undefined;
beforeAll(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'chaos-cut-'));
});
afterAll(async () => {
  restore();
  await stack?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

it('a power cut soon after the first start takes nothing that was acknowledged', async () => {
  const dataDir = join(folder, 'below', 'data');
  record();
  stack = await startChaosStack({}, undefined, dataDir);
  restore();
  const before = httpTo(stack.url);
  const agentId = unique('before-the-cut');
  const registration = { agent_id: agentId, contact_email: 'owner@agent.example' };
  const keyed = { 'idempotency-key': randomUUID() };
  const registered = await before.post('/register', registration, keyed);
  expect(registered.status).toBe(201);
  const key = await claim(before, registered.body['claim_link']);

  // All at once, and again what the supervisor starts meanwhile.
  const running = stack;
  const stopped = running.stop();
  for (const { name, pid } of running.processes()) if (pid !== undefined) running.kill(name, 'SIGKILL');
  await stopped;
  await waitFor(() => running.processes().every(({ pid }) => pid === undefined || !fs.existsSync(`/proc/${pid}`)));
  stack = undefined;

  // The database's own files are its own affair; nats-server syncs nothing within two minutes.
  const isOwn = (path: string): boolean =>
    path.startsWith(folder) && !path.startsWith(join(dataDir, 'postgres', 'cluster') + sep) && fs.existsSync(path);
  for (const path of [...unsyncedContent].filter(isOwn)) fs.truncateSync(path);
  for (const path of [...unsyncedNames].filter(isOwn)) fs.rmSync(path, { recursive: true, force: true });
  fs.rmSync(join(dataDir, 'nats', 'jetstream'), { recursive: true, force: true });

  stack = await startChaosStack({}, undefined, dataDir);
  await untilHealthy(stack);
  const after = httpTo(stack.url);
  const again = await after.post('/register', registration, keyed);
  expect([again.status, again.body['claim_link']]).toEqual([
    201,
    String(registered.body['claim_link']).replace(running.url, stack.url),
  ]);
  const updated = await after.post('/update', { agent_id: agentId, specialty: 'still here' }, bearer(key));
  expect([updated.status, updated.body['specialty']]).toEqual([200, 'still here']);
});
