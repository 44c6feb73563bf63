/**
 * Bugs: a replay produces other rows than the live projection; a killed replay damages the live read models; remains of a killed replay end
 * up in the next one, or stop it.
 * Method: a seeded history of events is projected as it arrives. The rows are hashed; a replay is killed with SIGKILL halfway,
 * while clients read and write; then a second replay runs to its end. This test computes the hashes, not the replay.
 */
import type { Stack } from '@agent-trust/dev-stack';
import { openEventLog } from '@agent-trust/event-log';
import { runs } from '@agent-trust/test-kit/runs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendHistory } from '../support/history.ts';
import { httpTo, unique } from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { untilHealthy } from './support/invariants.ts';
import { hashRows, query, replay, startReplay } from './support/read-model-rows.ts';
import { waitFor } from './support/wait-for.ts';

/** Several batches of a replay, both in its first half and in its second. */
const eventCount = runs(16_000, 100_000);
const seed = 20_260_401;

let stack: Stack;
const prefix = unique('history');

const figure = (line: string): void => {
  if (process.env['CHAOS_FIGURES'] !== undefined) process.stderr.write(`  ${line}\n`);
};

const schemas = async (): Promise<string[]> =>
  (
    await query<{ name: string }>(
      stack.environment['DATABASE_URL'],
      "SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'read\\_models%' ORDER BY 1",
    )
  ).map(({ name }) => name);

/** The number of events that the current replay has applied, by its committed position. */
const builtPosition = async (): Promise<number> => {
  const rows = await query<{ position: string | null }>(
    stack.environment['DATABASE_URL'],
    'SELECT position FROM read_models_next.projection_checkpoint',
  ).catch(() => []);
  return Number(rows[0]?.position ?? 0);
};

const register = async (): Promise<void> => {
  const agentId = unique('meanwhile');
  const registered = await httpTo(stack.url).post('/register', { agent_id: agentId, contact_email: 'a@agent.example' });
  const verified = await httpTo(stack.url).post('/verify', { agent_id: agentId });
  expect([registered.status, verified.status]).toEqual([201, 200]);
};

beforeAll(async () => {
  stack = await startChaosStack();
  const began = performance.now();
  const log = await openEventLog(stack.postgresUrl ?? '', { applicationName: 'chaos' });
  const { events } = await appendHistory(log, { seed, eventCount, agentCount: 1_000, prefix });
  await log.close();
  figure(`${events} events appended in ${Math.round(performance.now() - began)} ms`);
  await untilHealthy(stack);
  figure(`projected as they came after ${Math.round(performance.now() - began)} ms`);
});
afterAll(() => stack?.stop());

describe(`a replay of ${eventCount} events`, () => {
  it('killed halfway leaves the live read models unchanged and in service', async () => {
    const before = await hashRows(stack);
    const [head] = await query<{ position: string }>(
      stack.environment['DATABASE_URL'],
      'SELECT position FROM read_models.projection_checkpoint',
    );
    // A replay that has ended before this busy process saw it half-way has changed nothing, and is followed by another one.
    const killedHalfway = async (): Promise<boolean> => {
      const running = startReplay(stack);
      let over = false;
      void running.ended.then(() => {
        over = true;
      });
      await waitFor(async () => over || (await builtPosition()) > Number(head?.position) / 2, {
        intervalMs: 5,
        description: 'half of a replay',
      });
      running.kill('SIGKILL');
      const code = await running.ended;
      expect(code ?? 0, `the replay's exit code: ${running.output()}`).toBe(0);
      return code === null;
    };
    let replays = 1;
    while (!(await killedHalfway())) replays += 1;
    figure(`killed in replay ${replays}`);
    expect(await schemas()).toEqual(['read_models', 'read_models_next']);
    expect(await hashRows(stack)).toEqual(before);
    await register();
  });

  it('run again ends with identical rows while clients read and write', async () => {
    await untilHealthy(stack);
    const before = await hashRows(stack);
    const began = performance.now();
    const { code, output } = await replay(stack);
    figure(`replay command: ${Math.round(performance.now() - began)} ms in all\n${output.replaceAll(/^/gmu, '    ')}`);
    expect(code, `the replay's exit code: ${output}`).toBe(0);
    expect(await hashRows(stack)).toEqual(before);
    expect(await schemas()).toEqual(['read_models']);

    const running = startReplay(stack);
    let over = false;
    void running.ended.then(() => {
      over = true;
    });
    let registered = 0;
    for (; !over; registered += 1) await register();
    expect(await running.ended, `the replay's exit code: ${running.output()}`).toBe(0);
    figure(`${registered} registrations during a replay, each read at once`);
    expect(registered).toBeGreaterThan(0);
    await untilHealthy(stack);
    await register();
  });
});
