/*
 * Bugs: a webhook misses changes because a replay was requested while it lagged behind, because two were requested at once, or because the read
 * models were switched while the outbox was filled from them; a notice is lost, out of its turn, or sent to another organisation; a changed record of
 * an organisation with thousands of agents fills the queue, or is lost.
 * Method: the test fills the outbox, a round at a time, from read models that a real replay builds, and intervenes at exactly the critical step.
 */
import { limits, webhooksStream } from '@agent-trust/contracts';
import { type EventLog, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { createTestDatabase } from '@agent-trust/test-kit';
import { policyV2 } from '@agent-trust/trust-policy';
import { beforeEach, describe, expect, it } from 'vitest';
import { appendActivation } from '../../testing/append-activation.ts';
import { agentEvent, organisationEvent } from '../../testing/made-changes.ts';
import { agentRegistered, exchangeReviewed, organisationCreated, production } from '../../testing/made-events.ts';
import { appendHistory, type MadeEvent, makeHistory } from '../../testing/made-history.ts';
import { createStoppedReadModel, type StoppedReadModel } from '../../testing/stopped-read-model.ts';
import { migrateOutbox } from '../start-webhooks.ts';
import { type DueDelivery, dueDeliveries, markDelivered } from './deliveries.ts';
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
const registration = (hook: { webhookId: string; orgId: string; agentIds: string[] | null }): MadeEvent => ({
  stream: webhooksStream(hook.orgId),
  event: {
    type: 'WebhookRegistered',
    data: { ...hook, url: 'https://hooks.test/', secretSalt: 'salt', registeredAt: at },
  },
});
const registered = registration({ webhookId, orgId, agentIds: null });
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
/** Delivers everything, and returns what was due at each turn. */
const deliverAll = async (): Promise<DueDelivery[][]> => {
  const turns: DueDelivery[][] = [];
  for (;;) {
    const due = await outbox.run((client) => dueDeliveries(client, new Date(Date.now() + 1_000), []));
    if (due.length === 0) return turns;
    turns.push(due);
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

it('keeps what was delivered last, up to a limit, and what a replay delivers again beside it', async () => {
  await readModel.advanceTo(await appendHistory(log, [...beginnings, registered, ...life]));
  await handOverAll();
  const keptMax = limits.webhookDeliveredKeptMax;
  const kept = async (): Promise<string[]> =>
    (
      await outbox.run(({ client }) =>
        client.query<{ message: string }>(
          "SELECT message_id || ' ' || attempts AS message FROM delivered ORDER BY delivered_at DESC",
        ),
      )
    ).rows.map(({ message }) => message);
  expect(await kept()).toEqual([]);
  const sent: string[] = [];
  const deliverAndNote = async (): Promise<void> => {
    for (const { messageId } of (await deliverAll()).flat()) sent.unshift(`${messageId} 1`);
  };
  await deliverAndNote();
  expect(sent.length).toBeGreaterThan(keptMax);
  expect((await kept()).toSorted()).toEqual(sent.slice(0, keptMax).toSorted());
  const last = (await changesAfter(-1n)).at(-1) ?? 0n;
  await readModel.advanceTo(await appendHistory(log, [replayFrom(last)]));
  await handOverAll();
  await deliverAndNote();
  expect((await kept()).toSorted()).toEqual(sent.slice(0, keptMax).toSorted());
  expect((await kept())[0]).toBe(sent[0]);
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

describe('a notice', () => {
  const [own, second, draft, foreign] = ['own', 'second', 'draft', 'foreign'];
  const agents: MadeEvent[] = [
    organisationCreated(orgId, at),
    organisationCreated('org2', at),
    agentRegistered({ agentId: own, orgId, universe: production }, at),
    agentRegistered({ agentId: second, orgId, universe: production }, at),
    agentRegistered({ agentId: draft, orgId, universe: { kind: 'sandbox', orgId } }, at),
    agentRegistered({ agentId: foreign, orgId: 'org2', universe: production }, at),
  ];
  const hooks = [
    registered,
    registration({ webhookId: 'named', orgId, agentIds: [second, foreign] }),
    registration({ webhookId: 'foreign', orgId: 'org2', agentIds: [own] }),
  ];
  const suspended = (agentId: string): MadeEvent =>
    agentEvent('AgentSuspended', { agentId, reason: 'abuse', suspendedAt: at });
  const events: MadeEvent[] = [
    suspended(own),
    suspended(draft),
    suspended(foreign),
    agentEvent('OrgDomainYielded', { agentId: second, domain: 'd.test', reservationRevision: 0, yieldedAt: at }),
    organisationEvent('OrganisationDisabled', { orgId, reason: 'fraud', disabledAt: at }),
    organisationEvent('OrganisationDisabled', { orgId: 'org2', reason: 'fraud too', disabledAt: at }),
    organisationEvent('OrganisationEnabled', { orgId, reason: 'clear', enabledAt: at }),
    agentEvent('AgentReinstated', { agentId: own, reason: 'mended', reinstatedAt: at }),
    agentEvent('AgentRetired', { agentId: second, retiredAt: at }),
  ];

  type Shown = {
    webhookId: string;
    type: string;
    agentId: string;
    position: bigint;
    orgDomain?: string | null;
    reason?: string | null;
  };
  const shown = (deliveries: Shown[], hook: string): unknown[] =>
    deliveries
      .filter((delivery) => delivery.webhookId === hook && delivery.type !== 'trust_score.changed')
      .toSorted((left, right) => Number(left.position - right.position))
      .map(({ type, agentId, orgDomain, reason }) => [type, agentId, orgDomain ?? reason ?? null]);
  /** Hands over what has happened since, and delivers it. */
  const catchUp = async (): Promise<DueDelivery[][]> => {
    await readModel.advanceTo(null);
    await handOverAll();
    return deliverAll();
  };

  it('goes to the webhooks of the organisation that it concerns, in its turn, and a replay has it again under its id', async () => {
    await appendHistory(log, [...agents, ...hooks]);
    await catchUp();
    for (const event of events) await appendHistory(log, [event]);
    const turns = await catchUp();
    const [first = [], then = []] = turns;
    expect(turns).toHaveLength(2);
    expect([...shown(first, webhookId), ...shown(then, webhookId)]).toEqual([
      ['agent.suspended', own, 'abuse'],
      ['org_domain.yielded', second, 'd.test'],
      ['organisation.disabled', '', 'fraud'],
      ['organisation.enabled', '', 'clear'],
      ['agent.reinstated', own, 'mended'],
      ['agent.retired', second, null],
    ]);
    expect(shown(first, webhookId)).toHaveLength(3);
    // Of agents of others a webhook hears scores alone.
    expect(shown(turns.flat(), 'named')).toEqual([
      ['org_domain.yielded', second, 'd.test'],
      ['organisation.disabled', '', 'fraud'],
      ['organisation.enabled', '', 'clear'],
      ['agent.retired', second, null],
    ]);
    expect(shown(turns.flat(), 'foreign')).toEqual([['organisation.disabled', '', 'fraud too']]);

    await appendHistory(log, [replayFrom(0n)]);
    const again = (await catchUp()).flat().filter(({ type }) => type !== 'trust_score.changed');
    expect(new Set(again.map(({ messageId }) => messageId))).toEqual(
      new Set(turns.flat().flatMap((one) => (one.webhookId === webhookId ? [one.messageId] : []))),
    );
  });
});

it('a change that stems from the record of the organisation is sent, also of an agent that it adopts', async () => {
  const critics = ['alpha', 'beta', 'delta', 'gamma'];
  const members = critics.flatMap((critic) =>
    [1, 2, 3, 4, 5].map((n) => ({ agentId: `${critic}-${n}`, orgId: critic })),
  );
  await appendHistory(log, [
    ...[orgId, ...critics].map((each) => organisationCreated(each, at)),
    ...members.map((member) => agentRegistered({ ...member, verified: true }, at)),
    agentRegistered({ agentId: 'first', orgId, verified: true }, at),
    agentRegistered({ agentId: 'second', orgId, verified: true }, at),
    agentRegistered({ agentId: 'stray' }, at),
    registered,
  ]);
  const constants = { ...policyV2.constants, anchors: critics };
  await appendActivation(log, { ...policyV2, name: 'anchored', constants }, 0);
  await readModel.advanceTo(null);
  await handOverAll();
  for (const { agentId, orgId: critic } of members) {
    const parties = { transactionId: `of ${agentId}`, callerAgentId: agentId, receiverAgentId: 'first' };
    await appendHistory(log, [
      exchangeReviewed(parties, at, { success: false, score: 1, orgId: critic, roots: { [critic]: 1 } }),
    ]);
  }
  await appendHistory(log, [
    agentEvent('AgentAdopted', { agentId: 'stray', orgId, orgName: 'Organisation org1', adoptedAt: at }),
  ]);
  await readModel.advanceTo(null);
  await handOverAll();
  const { rows } = await outbox.run(({ client }) =>
    client.query<{ agentId: string; cause: string; before: number; after: number }>(
      `SELECT agent_id AS "agentId", cause_type AS cause, previous_score AS before, trust_score AS after FROM delivery
       WHERE agent_id <> 'first' ORDER BY position`,
    ),
  );
  const ofSecond = rows.filter(({ agentId }) => agentId === 'second');
  expect(new Set(ofSecond.map(({ cause }) => cause))).toEqual(new Set(['record']));
  expect([ofSecond[0]?.before, ofSecond.at(-1)?.after]).toEqual([75, 30]);
  // Of the four that blame it one is left out; the others are heard at 20 percent each, beside a prior of 75.
  expect(rows.at(-1)).toEqual({ agentId: 'stray', cause: 'AgentAdopted', before: 40, after: 30 });
});

describe('a record that changes the scores of more agents than are told one by one', () => {
  const critics = ['alpha', 'beta', 'delta', 'gamma'];
  const members = critics.flatMap((critic) => [1, 2, 3].map((n) => ({ agentId: `${critic}-${n}`, orgId: critic })));
  const calm = Array.from({ length: limits.webhookRecordAgentsMax + 1 }, (_, index) => `calm-${index}`);
  const bad = 'reviewed';
  const hooks = [
    registered,
    registration({ webhookId: 'named', orgId, agentIds: ['calm-1', 'calm-2'] }),
    registration({ webhookId: 'foreign', orgId: 'alpha', agentIds: ['calm-1'] }),
    registration({ webhookId: 'small', orgId: 'small', agentIds: null }),
  ];
  const review = async (caller: (typeof members)[number], receiverAgentId: string): Promise<void> => {
    const parties = {
      transactionId: `${receiverAgentId} of ${caller.agentId}`,
      callerAgentId: caller.agentId,
      receiverAgentId,
    };
    const said = { success: false, score: 1, orgId: caller.orgId, roots: { [caller.orgId]: 1 } };
    await appendHistory(log, [exchangeReviewed(parties, at, said)]);
  };
  const begin = async (count: number): Promise<void> => {
    await appendHistory(log, [
      ...[orgId, 'small', ...critics].map((each) => organisationCreated(each, at)),
      ...members.map((member) => agentRegistered({ ...member, verified: true }, at)),
      ...[bad, ...calm.slice(0, count)].map((agentId) => agentRegistered({ agentId, orgId, verified: true }, at)),
      agentRegistered({ agentId: 'draft', orgId, universe: { kind: 'sandbox', orgId }, verified: true }, at),
      ...['small-bad', 'small-calm'].map((agentId) => agentRegistered({ agentId, orgId: 'small', verified: true }, at)),
      ...hooks,
    ]);
    await appendActivation(
      log,
      { ...policyV2, name: 'anchored', constants: { ...policyV2.constants, anchors: critics } },
      0,
    );
    await readModel.advanceTo(null);
    await handOverAll();
    await deliverAll();
  };
  const catchUp = async (): Promise<DueDelivery[]> => {
    await readModel.advanceTo(null);
    await handOverAll();
    return (await deliverAll()).flat();
  };
  const changesOf = (
    orgIdOfRecord: string,
  ): Promise<{ position: bigint; record: number; previous: number; cause: string }[]> =>
    readModel.database.query({
      text: `SELECT position, record, previous_record AS previous, cause_event_id AS cause FROM organisation_record_change
        WHERE org_id = $1 AND record <> previous_record ORDER BY position`,
      values: [orgIdOfRecord],
    });

  it('is one message to who reports all agents, in its turn, and each change to who names agents', async () => {
    await begin(calm.length);
    for (const member of members) await review(member, bad);
    for (const member of members) await review(member, 'small-bad');
    const sent = await catchUp();
    const changes = await changesOf(orgId);
    expect(changes.length).toBeGreaterThan(2);

    const gathered = sent.filter(({ type }) => type === 'organisation.record_changed');
    expect(gathered.map((one) => [one.webhookId, one.agentId, one.position, one])).toEqual(
      changes.map(({ position, record, previous, cause }) => [
        webhookId,
        '',
        position,
        expect.objectContaining({
          orgId,
          record,
          previousRecord: previous,
          trustPolicy: 'anchored',
          agents: calm.length,
          causeType: 'ExchangeReviewed',
          causeEventId: cause,
          transactionId: expect.stringContaining(bad) as string,
        }),
      ]),
    );
    const scoresTo = (hook: string): DueDelivery[] =>
      sent.filter((one) => one.webhookId === hook && one.type === 'trust_score.changed');
    // The reviewed agent's own change has the review as its cause.
    expect(new Set(scoresTo(webhookId).map(({ agentId }) => agentId))).toEqual(new Set([bad]));
    for (const hook of ['named', 'foreign']) {
      const named = scoresTo(hook).filter(({ agentId }) => agentId === 'calm-1');
      expect(named.map(({ position, causeType }) => [position, causeType])).toEqual(
        changes.map(({ position }) => [position, 'record']),
      );
    }
    // An organisation of a few agents is told of each.
    const ofSmall = scoresTo('small').filter(({ agentId }) => agentId === 'small-calm');
    expect(ofSmall.map(({ position }) => position)).toEqual((await changesOf('small')).map(({ position }) => position));

    await appendHistory(log, [replayFrom(changes[0]?.position ?? 0n)]);
    const again = (await catchUp()).filter(({ type }) => type === 'organisation.record_changed');
    expect(again.map(({ messageId }) => messageId)).toEqual(gathered.map(({ messageId }) => messageId));
  });

  it('is told agent by agent up to that number', async () => {
    await begin(limits.webhookRecordAgentsMax);
    for (const member of members.slice(0, 6)) await review(member, bad);
    const sent = await catchUp();
    expect(sent.filter(({ type }) => type === 'organisation.record_changed')).toEqual([]);
    const [first] = await changesOf(orgId);
    const ofFirst = sent.filter(({ webhookId: hook, position }) => hook === webhookId && position === first?.position);
    expect(ofFirst.length).toBeGreaterThanOrEqual(limits.webhookRecordAgentsMax);
  });
});
