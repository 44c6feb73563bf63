/*
 * Bug: an older backup of the event log is restored beside newer read models. Health says 'ok' with lag 0, registrations are answered 201 and
 * nobody ever sees them, and events that nobody has read are skipped.
 * Method: the log of a running registry is copied, more happens, and the copy is restored under it: once while everything runs, once with the
 * services started on it. The command that accepts the log is run; then each row must be that of a fresh replay of the log as it is.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Stack } from '@agent-trust/dev-stack';
import { openEventLog } from '@agent-trust/event-log';
import { openCheckpoint, parseVerifierKey } from '@agent-trust/transparency-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendHistory } from '../support/history.ts';
import { httpTo, unique } from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { untilHealthy } from './support/invariants.ts';
import { copyLog, readiness, restoreLog } from './support/log-copies.ts';
import { hashRows, replay } from './support/read-model-rows.ts';
import { waitFor } from './support/wait-for.ts';

const root = resolve(import.meta.dirname, '..', '..');
const acceptFile = join(root, 'services/trust-projection/src/tools/log-accept/main.ts');
const contact = { contact_email: 'a@agent.example' };

let stack: Stack;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'older-log-'));
  stack = await startChaosStack({}, undefined, folder);
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const register = (agentId: string, key: string = unique('key')) =>
  httpTo(stack.url).post('/register', { agent_id: agentId, ...contact }, { 'idempotency-key': key });
const isKnown = async (agentId: string): Promise<boolean> =>
  (await httpTo(stack.url).post('/verify', { agent_id: agentId })).status === 200;
const checkpoint = async () => {
  const http = httpTo(stack.url);
  const logKey = parseVerifierKey(String((await http.get('/log/key')).body['verifier_key']));
  const { origin, size } = await openCheckpoint((await http.get('/log/checkpoint')).text, { logKey });
  return { origin, size };
};
const grow = async (seed: number): Promise<void> => {
  const log = await openEventLog(stack.postgresUrl ?? '', { applicationName: 'chaos' });
  await appendHistory(log, { seed, eventCount: 600, agentCount: 60, prefix: unique('history') });
  await log.close();
  await untilHealthy(stack);
};

/** Runs `npm run log:accept` beside the running stack, or with the folder of a stopped one. */
const accept = async (
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', acceptFile, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
};

const untilEachIs503 = (): Promise<unknown> =>
  waitFor(
    async () => {
      const answers = await readiness(stack);
      expect(Object.keys(answers).sort()).toEqual([
        'call-proxy',
        'gateway',
        'pay-proxy',
        'registry-write',
        'trust-projection',
      ]);
      const isDown = { status: 503, parts: { log_state: { status: 'down' } } };
      for (const answer of Object.values(answers)) expect(answer).toMatchObject(isDown);
      return true;
    },
    { description: 'every service to be not ready' },
  );

/** What health says, and that a registration is refused and does not happen. */
const expectRefusal = async (): Promise<void> => {
  const health = await httpTo(stack.url).get('/health');
  expect(health.body['event_log']).toMatchObject({ status: 'down', detail: expect.stringContaining('the event log ') });
  expect(health.text).not.toMatch(/127\.0\.0\.1|localhost|postgres:/u);
  const refused = unique('refused');
  const { status, body } = await register(refused);
  expect([status, body['code']]).toEqual([503, 'log_rolled_back']);
  expect(await isKnown(refused)).toBe(false);
};

/** Everything works, and every row is that of a replay of the log as it is. */
const expectSettled = async (): Promise<void> => {
  await waitFor(async () => (await register(unique('settled'))).status === 201, {
    description: 'a registration after the log was accepted',
  });
  await untilHealthy(stack);
  const agentId = unique('agent');
  expect((await register(agentId)).status).toBe(201);
  expect(await isKnown(agentId)).toBe(true);
  const notReady = async (): Promise<string[]> =>
    Object.entries(await readiness(stack)).flatMap(([name, { status }]) => (status === 200 ? [] : [name]));
  await waitFor(async () => (await notReady()).length === 0, { description: 'every service to be ready' });
  const before = await hashRows(stack);
  const { code, output } = await replay(stack);
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(await hashRows(stack)).toEqual(before);
};

describe('an older copy of the log', () => {
  it('restored while the registry runs is noticed, refused, and accepted under another name', async () => {
    await grow(1);
    const kept = unique('kept');
    expect((await register(kept)).status).toBe(201);
    const copied = await checkpoint();
    const copy = await copyLog(stack);
    const [lost, key] = [unique('lost'), unique('key')];
    expect((await register(lost, key)).status).toBe(201);
    await grow(2);
    await waitFor(async () => (await checkpoint()).size > copied.size, { description: 'a signature behind the copy' });

    await restoreLog(stack, copy);
    // Before trust-projection has looked: the writer finds its own last event gone.
    const first = await register(unique('first'));
    expect([first.status, first.body['code']]).toEqual([503, 'log_rolled_back']);
    await untilEachIs503();
    await expectRefusal();
    const receipt = await httpTo(stack.url).get('/log/checkpoint');
    expect([receipt.status, receipt.body['code']]).toEqual([503, 'log_inconsistent']);

    const env = { ...stack.environment };
    expect(await accept(['--yes'], env)).toMatchObject({ code: 3, output: expect.stringContaining('--new-origin') });
    expect(await accept(['--new-origin', 'older.test/log-2'], env)).toMatchObject({ code: 3 });
    await expectRefusal();
    const accepted = await accept(['--yes', '--new-origin', 'older.test/log-2'], env);
    expect(accepted).toMatchObject({ code: 0 });
    await expectSettled();
    expect([await isKnown(kept), await isKnown(lost)]).toEqual([true, false]);
    expect((await checkpoint()).origin).toBe('older.test/log-2');
    // Bug: the answer that was kept for the key is given again, for a registration that is gone.
    expect((await register(lost, key)).status).toBe(201);
    expect(await isKnown(lost)).toBe(true);
  });

  it('that has grown past the old position stays refused after a restart, and is accepted with the services stopped', async () => {
    const copy = await copyLog(stack);
    const before = await checkpoint();
    const lost = unique('lost');
    expect((await register(lost)).status).toBe(201);
    await stack.stop();
    stack = await startChaosStack({}, undefined, folder);
    await restoreLog(stack, copy);
    // It grows past the position of the read models, with other events.
    const log = await openEventLog(stack.postgresUrl ?? '', { applicationName: 'chaos' });
    await appendHistory(log, { seed: 3, eventCount: 300, agentCount: 30, prefix: unique('other') });
    await log.close();
    // They were applied before anybody looked, so that the newest event is in both; this must stay known after a restart.
    await untilEachIs503();
    await stack.stop();

    stack = await startChaosStack({}, undefined, folder);
    await untilEachIs503();
    await expectRefusal();
    await stack.stop();

    const env = { DATA_DIR: folder, PORT: '0' };
    const accepted = await accept(['--yes'], env);
    expect(accepted).toMatchObject({ code: 0 });
    stack = await startChaosStack({}, undefined, folder);
    await expectSettled();
    expect(await isKnown(lost)).toBe(false);
    // Nothing behind it had been signed: the log goes on under its name.
    expect((await checkpoint()).origin).toBe(before.origin);
  });
});
