/*
 * Bugs: a webhook misses changes because a replay was requested while it lagged behind, because two were requested at once, or because the read
 * models were switched while the outbox was filled from them.
 * Method: the test fills the outbox, a round at a time, from read models that a real replay builds, and intervenes at exactly the critical step.
 */
import { webhooksStream } from '@agent-trust/contracts';
import { type EventLog, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { createTestDatabase } from '@agent-trust/test-kit';
import { beforeEach, expect, it } from 'vitest';
import { appendHistory, type MadeEvent, makeHistory } from '../../testing/made-history.ts';
import { createStoppedReadModel, type StoppedReadModel } from '../../testing/stopped-read-model.ts';
import { migrateOutbox } from '../start-webhooks.ts';
import { dueDeliveries, markDelivered } from './deliveries.ts';
import { fillOutbox } from './fill-outbox.ts';
import { openOutboxSession, type OutboxDatabase, type OutboxSession } from './session.ts';

const orgId = 'org1';
const webhookId = 'hook-1';
const at = '2026-07-01T00:00:00.000Z';

let log: EventLog;
let readModel: StoppedReadModel;
let outbox: OutboxSession;
beforeEach(async () => {
  const { url, drop } = await createTestDatabase();
  await migratePostgresEventLog(url);
  log = await openEventLog(url);
  readModel = await createStoppedReadModel(log);
  await migrateOutbox(readModel.url);
  const session = await openOutboxSession(readModel.url);
  if (session === null) throw new Error('somebody else has the place of the dispatcher');
  outbox = session;
  return async () => {
    await outbox.close();
    await readModel.close();
    await log.close();
    await drop();
  };
});

const history = makeHistory({ agents: 50, exchanges: 200, seed: 3 });
const [beginnings, life] = [history.slice(0, -400), history.slice(-400)];
const registered: MadeEvent = {
  stream: webhooksStream(orgId),
  event: {
    type: 'WebhookRegistered',
    data: {
      webhookId,
      orgId,
      url: 'https://hooks.test/',
      agentIds: null,
      secretSalt: 'salt',
      registeredAt: at,
    },
  },
};
const replayFrom = (from: bigint): MadeEvent => ({
  stream: webhooksStream(orgId),
  event: {
    type: 'WebhookReplayRequested',
    data: { webhookId, orgId, fromPosition: String(from), requestedAt: at },
  },
});
/** Runs rounds until no change is left to hand over. */
const handOverAll = async (): Promise<void> => {
  while ((await outbox.run(fillOutbox)).isMore);
};
const positionsIn = async ({ client }: OutboxDatabase): Promise<bigint[]> =>
  (await client.query<{ position: bigint }>('SELECT position FROM delivery ORDER BY position')).rows.map(
    ({ position }) => position,
  );
const waiting = (): Promise<bigint[]> => outbox.run(positionsIn);
const deliverAll = async (): Promise<void> => {
  for (;;) {
    const due = await outbox.run((client) => dueDeliveries(client, new Date(Date.now() + 1_000), []));
    if (due.length === 0) return;
    for (const { deliveryId } of due) await outbox.run((client) => markDelivered(client, deliveryId, new Date()));
  }
};
/** The changes of the organisation's agents after a position, according to the history. */
const changesAfter = async (position: bigint): Promise<bigint[]> =>
  (
    await readModel.database.query<{ position: bigint }>({
      text: `SELECT t.position FROM trust_history t JOIN agent a USING (agent_id)
        WHERE a.org_id = $1 AND a.universe = 'production' AND t.position > $2 ORDER BY t.position`,
      values: [orgId, String(position)],
    })
  ).map((row) => row.position);

it('omits no change if a replay is requested from a position that was not reached yet', async () => {
  await appendHistory(log, beginnings);
  const registeredAt = await appendHistory(log, [registered]);
  await readModel.advanceTo(registeredAt);
  await handOverAll();
  await appendHistory(log, life.slice(0, 300));
  const from = (await log.headPosition()) ?? 0n;
  await appendHistory(log, [replayFrom(from), ...life.slice(300)]);
  await readModel.advanceTo(null);
  await handOverAll();
  const expected = await changesAfter(registeredAt);
  expect(expected.filter((position) => position < from).length).toBeGreaterThan(0);
  expect(await waiting()).toEqual(expected);
});

it('goes back as far as the earliest of several requested replays', async () => {
  const registeredAt = await appendHistory(log, [...beginnings, registered, ...life]);
  await readModel.advanceTo(registeredAt);
  await handOverAll();
  await deliverAll();
  expect(await waiting()).toEqual([]);
  const all = await changesAfter(-1n);
  await appendHistory(log, [replayFrom(all[1] ?? 0n)]);
  await appendHistory(log, [replayFrom(all.at(-1) ?? 0n)]);
  await readModel.advanceTo(null);
  await handOverAll();
  expect(await waiting()).toEqual(all.slice(1));
  await deliverAll();
  await handOverAll();
  expect(await waiting()).toEqual([]);
});

it.each([
  ['ended webhooks are removed', 'DELETE FROM hook h WHERE NOT EXISTS'],
  ['changes are added', 'WITH receiving AS'],
])(
  'neither forgets a webhook nor omits a change if read models are switched just before %s',
  async (_, begins) => {
    await appendHistory(log, beginnings);
    const registeredAt = await appendHistory(log, [registered]);
    await readModel.advanceTo(registeredAt);
    await handOverAll();
    const half = await appendHistory(log, life.slice(0, 200));
    await readModel.advanceTo(half);
    await handOverAll();
    const before = await waiting();
    expect(before.length).toBeGreaterThan(0);
    const more = await appendHistory(log, life.slice(200, 300));
    await readModel.advanceTo(more);
    await appendHistory(log, life.slice(300));
    let isExchanged = false;
    await outbox.run(({ client, query }) =>
      fillOutbox({
        client,
        query: async (statement) => {
          if (statement.text.trimStart().startsWith(begins) && !isExchanged) {
            isExchanged = true;
            await readModel.advanceTo(null);
          }
          return query(statement);
        },
      }),
    );
    expect(isExchanged).toBe(true);
    expect((await waiting()).slice(0, before.length)).toEqual(before);
    await handOverAll();
    expect(await waiting()).toEqual(await changesAfter(registeredAt));
  },
  // The replay waits for the open transaction before it retires the old build.
  60_000,
);
