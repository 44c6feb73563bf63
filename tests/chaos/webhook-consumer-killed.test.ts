/*
 * Bug: a webhook misses a change of a score, or gets it out of its agent's order, because its consumer or the dispatcher died at the wrong
 * moment.
 * Method: thousands of changes of one organisation's agents, by events appended to the log; the consumer is a process that is killed with
 * SIGKILL at random and restarted, and the dispatcher is killed twice meanwhile. In the end the consumer's file is compared with the history:
 * every change is there, first arrivals are in order for each agent, and repeated messages carry the same id.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Stack } from '@agent-trust/dev-stack';
import { freePort } from '@agent-trust/embedded-servers';
import { openEventLog } from '@agent-trust/event-log';
import { runs } from '@agent-trust/test-kit/runs';
import { certificate } from '@agent-trust/test-kit/loopback-certificate';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '@agent-trust/test-kit/seeded-random';
import { appendStreams } from '../support/history.ts';
import { createOrganisation, httpTo, orgKey } from '../support/registry.ts';
import { makeAgents, makeReviews } from '../support/score-changes.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { waitFor } from './support/wait-for.ts';

const changesMin = runs(1_000, 5_000);
const agentCount = runs(50, 250);
const reviewCount = runs(1_600, 8_000);
/** The dispatcher is killed after these numbers of recorded changes. */
const dispatcherKillsAt = [changesMin / 5, (changesMin * 3) / 5];
/** The most changes that the consumer records before it is killed, so that it dies about ten times on a machine of any speed. */
const noteBytes = 120;
const lifeBytesMax = (changesMin / 5) * noteBytes;
const downMsMax = 300;
const timeLimitMs = 300_000;

const consumerFile = fileURLToPath(new URL('support/webhook-consumer-process.ts', import.meta.url));
const random = seededRandom(20_260_101);
const figure = (line: string): void => void process.stderr.write(`webhook consumer killed: ${line}\n`);

type Note = { id: string; agentId: string; position: string; score: number; previous: number | null };

let folder: string;
let stack: Stack;
let database: pg.Client;
let consumer: ChildProcess | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'webhook-consumer-'));
  writeFileSync(join(folder, 'consumer.crt'), certificate);
  stack = await startChaosStack({
    NODE_EXTRA_CA_CERTS: join(folder, 'consumer.crt'),
    OUTBOUND_ALLOW: 'localhost',
    WEBHOOK_RETRY_FIRST_MS: '50',
    WEBHOOK_RETRY_LONGEST_MS: '400',
    WEBHOOK_ATTEMPTS_MAX: '1000',
    WEBHOOK_ANSWER_MS: '2000',
  });
  database = new pg.Client({ connectionString: stack.postgresUrl ?? '' });
  await database.connect();
});
afterAll(async () => {
  consumer?.kill('SIGKILL');
  await database?.end();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const notesIn = (file: string): Note[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Note)
    : [];

const bytesIn = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const killDispatcher = (): void => {
  const dispatcher = stack.processes().find(({ name }) => name === 'trust-projection');
  if (dispatcher?.pid !== undefined) process.kill(dispatcher.pid, 'SIGKILL');
};

it(
  'the consumer gets every change, in order for each agent, with duplicates under one id',
  async () => {
    const http = httpTo(stack.url);
    const organisation = await createOrganisation(stack);
    const { rows } = await database.query<{ orgId: string }>('SELECT org_id AS "orgId" FROM read_models.organisation');
    const port = await freePort();
    const { status, body } = await http.post(
      '/org/webhooks',
      { url: `https://localhost:${port}/trust` },
      orgKey(organisation.key),
    );
    expect(status).toBe(201);
    const file = join(folder, 'taken.jsonl');
    const start = async (): Promise<ChildProcess> => {
      const started = spawn(process.execPath, [consumerFile, String(port), String(body['secret']), file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      consumer = started;
      // Killed before it listens, it would never receive anything, and the test would only wait.
      await once(started.stdout, 'data');
      return started;
    };

    const log = await openEventLog(stack.postgresUrl ?? '', { applicationName: 'chaos' });
    const agentIds = Array.from({ length: agentCount }, (_, index) => `changing-${index}`);
    const reviewerIds = Array.from({ length: agentCount }, (_, index) => `reviewing-${index}`);
    const ofOrganisation = { orgId: rows[0]?.orgId ?? '', orgName: organisation.name };
    await appendStreams(log, makeAgents({ agentIds, organisation: ofOrganisation }));
    await appendStreams(log, makeAgents({ agentIds: reviewerIds, organisation: null }));

    const began = performance.now();
    let isOver = false;
    let kills = 0;
    const killing = (async () => {
      for (;;) {
        const started = await start();
        const enough = bytesIn(file) + random() * lifeBytesMax;
        await waitFor(() => isOver || bytesIn(file) >= enough, { timeoutMs: 3 * timeLimitMs, intervalMs: 5 });
        if (isOver) return;
        started.kill('SIGKILL');
        kills += 1;
        await delay(random() * downMsMax);
      }
    })();
    const seed = 20_260_102;
    const appended = await appendStreams(
      log,
      makeReviews({ seed, count: reviewCount, prefix: 'chaos', agentIds, reviewerIds }),
    );
    await log.close();

    // The dispatcher dies when the consumer has this many changes.
    for (const count of dispatcherKillsAt) {
      await waitFor(() => notesIn(file).length >= count, { timeoutMs: timeLimitMs, intervalMs: 200 });
      killDispatcher();
    }
    const webhook = `/org/webhooks/${String(body['webhook_id'])}`;
    await waitFor(
      async () => {
        const { rows: at } = await database.query<{ isThere: boolean }>(
          `SELECT c.position >= $1 AND h.position >= $1 AND NOT EXISTS (SELECT FROM webhook_outbox.hook WHERE behind_at IS NOT NULL)
           AS "isThere" FROM read_models.projection_checkpoint c, webhook_outbox.handed_over h`,
          [String(appended.position)],
        );
        return at[0]?.isThere === true && (await http.get(webhook, orgKey(organisation.key))).body['pending'] === 0;
      },
      { timeoutMs: timeLimitMs, intervalMs: 200 },
    );
    isOver = true;
    await killing;
    const seconds = (performance.now() - began) / 1_000;

    const { rows: history } = await database.query<Omit<Note, 'id'>>(
      `SELECT agent_id AS "agentId", position::text, trust_score AS score, previous_score AS previous
       FROM read_models.trust_history h WHERE agent_id LIKE 'changing-%' ORDER BY h.position`,
    );
    expect(history.length).toBeGreaterThanOrEqual(changesMin);
    const notes = notesIn(file);
    const first = new Map<string, Omit<Note, 'id'>>();
    for (const { id, ...change } of notes) {
      // A message that arrives again under the same id is the same change.
      expect(first.get(id) ?? change).toEqual(change);
      if (!first.has(id)) first.set(id, change);
    }
    const byAgent = (changes: Iterable<Omit<Note, 'id'>>): Map<string, Omit<Note, 'id'>[]> =>
      Map.groupBy(changes, ({ agentId }) => agentId);
    const [reported, happened] = [byAgent(first.values()), byAgent(history)];
    for (const agentId of agentIds) expect(reported.get(agentId)).toEqual(happened.get(agentId));
    expect(first.size).toBe(history.length);
    const { body: after } = await http.get(webhook, orgKey(organisation.key));
    expect(after).toMatchObject({ status: 'active', pending: 0, dead_letters: 0 });
    expect(kills).toBeGreaterThan(5);
    expect(stack.processes().find(({ name }) => name === 'trust-projection')?.restarts).toBeGreaterThan(1);
    figure(
      `${history.length} changes, ${notes.length - first.size} of them again, ${kills} kills of the consumer, 2 of the dispatcher, ${Math.round(seconds)} s`,
    );
  },
  3 * timeLimitMs,
);
