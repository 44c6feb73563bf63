/*
 * Bugs: a replay is called running after its process has died, or ended while it still works; two begin at one time; one that was asked for shows
 * no result, cannot be cancelled, or gets the secrets of the service.
 * Method: the real service on a real log starts real replays; processes are killed while they wait for a lock on a table.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cancelReplay, getOperations, listReplays, type Replay, startReplay } from '@agent-trust/contracts';
import { waitFor } from '@agent-trust/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeHistory } from '../testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from '../testing/service-fixture.ts';
import { jobLimits } from '../jobs/limits.ts';
import { replayLimits } from './limits.ts';
import { openReplayStore } from './replay-store.ts';

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createServiceFixture();
  const position = await fixture.record(...makeHistory({ agents: 40, exchanges: 300, seed: 3 }));
  await fixture.untilVisible(position);
});
afterAll(() => fixture.close());

const actor = { kind: 'admin' as const, id: null, credentials: ['admin_token' as const] };
const start = (acceptDifferences = false): Promise<{ replay: Replay }> =>
  fixture.gateway.request(startReplay, { acceptDifferences, actor });
const find = async (replayId: string): Promise<Replay> => {
  const { replays } = await fixture.gateway.request(listReplays, { replayId });
  return replays[0] ?? Promise.reject(new Error(`there is no replay ${replayId}`));
};
const ended = async (replayId: string): Promise<Replay> => {
  await waitFor(async () => (await find(replayId)).endedAt !== null, { timeoutMs: 60_000 });
  return find(replayId);
};

/** Starting a process takes long on a busy machine. */
const replaysMs = 120_000;

/** Blocks the comparison of a replay, which reads this table of the live read models, until the test releases it. */
const blockComparison = async (): Promise<() => Promise<void>> => {
  const client = new pg.Client({ connectionString: fixture.url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE read_models.trust_history IN ACCESS EXCLUSIVE MODE');
  let isReleased = false;
  const release = async (): Promise<void> => {
    if (isReleased) return;
    isReleased = true;
    await client.query('ROLLBACK');
    await client.end();
  };
  onTestFinished(release);
  return release;
};
const reachesComparison = (replayId: string): Promise<unknown> =>
  waitFor(async () => (await find(replayId)).progress?.phase === 'compare', { timeoutMs: 60_000 });

describe('a replay that an operator asks for', () => {
  it(
    'runs one at a time, says how far it is, and switches if all rows are equal',
    async () => {
      const release = await blockComparison();
      const { replay } = await start();
      expect(replay).toMatchObject({ state: 'starting', requestedBy: 'admin', instanceId: 'first', progress: null });
      await expect(start()).rejects.toMatchObject({ code: 'replay_in_progress' });
      await reachesComparison(replay.replayId);
      const running = await find(replay.replayId);
      expect(running).toMatchObject({ state: 'running', endedAt: null, progress: { fraction: 1 } });
      expect((await fixture.gateway.request(getOperations, {})).replay?.replayId).toBe(replay.replayId);
      await release();
      expect(await ended(replay.replayId)).toMatchObject({
        state: 'switched',
        error: null,
        result: { switched: true, comparison: { rowsDiffering: 0, tables: [] } },
      });
      await expect(fixture.gateway.request(cancelReplay, { replayId: replay.replayId })).rejects.toMatchObject({
        code: 'replay_ended',
      });
      const position = await fixture.record(...makeHistory({ agents: 1, exchanges: 0, seed: 4 }).slice(0, 2));
      await fixture.untilVisible(position);
    },
    replaysMs,
  );

  it(
    'switches nothing if rows differ, and names the tables',
    async () => {
      await fixture.query(`UPDATE read_models.agent_standing SET trust_score = 99 WHERE agent_id = 'agent-3'`);
      const { replay } = await start();
      expect(await ended(replay.replayId)).toMatchObject({
        state: 'rows_differ',
        result: {
          switched: false,
          comparison: { rowsDiffering: 1, tables: [{ table: 'agent_standing', rowsDiffering: 1 }] },
        },
      });
      const again = await start(true);
      expect(await ended(again.replay.replayId)).toMatchObject({ state: 'switched', acceptDifferences: true });
    },
    replaysMs,
  );

  it(
    'stops when it is cancelled',
    async () => {
      const release = await blockComparison();
      const { replay } = await start();
      await reachesComparison(replay.replayId);
      await fixture.gateway.request(cancelReplay, { replayId: replay.replayId });
      await release();
      const { state } = await ended(replay.replayId);
      // It may have compared and switched before it saw the wish.
      expect(['stopped', 'switched']).toContain(state);
      await expect(fixture.gateway.request(cancelReplay, { replayId: randomUUID() })).rejects.toMatchObject({
        code: 'replay_not_found',
      });
    },
    replaysMs,
  );

  it(
    'is interrupted if its process is killed, and another may begin',
    async () => {
      const release = await blockComparison();
      const { replay } = await start();
      await reachesComparison(replay.replayId);
      const [child] = childrenWith(replay.replayId);
      expect(child?.variables.filter((name) => /SECRET|SIGNING|PERSONAL|WEBHOOK|NATS/u.test(name))).toEqual([]);
      process.kill(child?.pid ?? -1, 'SIGKILL');
      const over = await ended(replay.replayId);
      expect(['interrupted', 'failed']).toContain(over.state);
      expect(over.error).not.toBeNull();
      await release();
      await waitFor(
        async () => {
          const { replay: next } = await start().catch(() => ({ replay: null }));
          return next !== null && (await ended(next.replayId)).state === 'switched';
        },
        { timeoutMs: 60_000 },
      );
    },
    replaysMs,
  );
});

describe('the record of replays', () => {
  it('ends one whose process shows itself no more, and keeps one that lives', async () => {
    const store = await openReplayStore(fixture.url);
    onTestFinished(() => store.close());
    const replayId = randomUUID();
    await store.begin({ replayId, acceptDifferences: false, policy: null, requestedBy: null, instanceId: null });
    const living = await store.live(replayId);
    await fixture.query(
      `UPDATE replay_record.replay SET requested_at = now() - interval '${jobLimits.startMsMax + 1} milliseconds' WHERE replay_id = '${replayId}'`,
    );
    expect(await store.find(replayId)).toMatchObject({ state: 'starting', endedAt: null });
    expect(await store.progressed(replayId, null)).toBe(false);
    living.release();
    await waitFor(async () => (await store.find(replayId))?.state === 'interrupted');
    // A process that was declared dead must stop: another may run by now.
    expect(await store.progressed(replayId, null)).toBe(true);
    expect((await store.list()).length).toBeGreaterThan(1);
  });

  it('keeps a bounded number', async () => {
    const store = await openReplayStore(fixture.url);
    onTestFinished(() => store.close());
    for (let count = 0; count < replayLimits.keptMax + 5; count += 1) {
      const replayId = randomUUID();
      await store.begin({ replayId, acceptDifferences: false, policy: null, requestedBy: null, instanceId: null });
      await store.ended(replayId, 'failed', { error: 'a test' });
    }
    const [kept] = await fixture.query<{ count: number }>('SELECT count(*)::int AS count FROM replay_record.replay');
    expect(kept?.count).toBeLessThanOrEqual(replayLimits.keptMax + 1);
  });
});

/** Processes of this replay with the names of the variables that they were given. */
const childrenWith = (replayId: string): { pid: number; variables: string[] }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => {
      try {
        const entries = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
        if (!entries.includes(`REPLAY_ID=${replayId}`)) return [];
        return [{ pid: Number(name), variables: entries.map((entry) => entry.split('=')[0] ?? '') }];
      } catch {
        return [];
      }
    });
