import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getLogCheckpoint, getPastAgent, getReviewFacts, listEvents } from '@agent-trust/contracts';
import { type LogRetention, openLogRetention } from '@agent-trust/event-log';
import { readSegments } from '@agent-trust/log-archive';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logRecordSchema } from './audit/start-log-record.ts';
import { findFault } from './log-state/find-fault.ts';
import { readLogAnchors } from './log-state/log-anchors.ts';
import { openReadModelDatabase, type ReadModelDatabase } from './shared/database.ts';
import { agentRegistered, exchangeCompleted, exchangeStarted, production } from './testing/made-history.ts';
import { createServiceFixture, type ServiceFixture } from './testing/service-fixture.ts';
import { archiveExchanges, type ArchiveParts } from './tools/archive/archive-exchanges.ts';
import { restoreSegment } from './tools/archive/restore-segment.ts';
import { verifiedLeavesIn } from './tools/archive/verified-leaves.ts';

/*
 * Bug: after its exchanges were archived, a registry that is running says that its log was cut, fails to list events, or claims that an exchange never was.
 * Method: a running service whose log ends with an exchange, which then leaves it.
 */
let fixture: ServiceFixture;
let retention: LogRetention;
let record: ReadModelDatabase;
let parts: ArchiveParts;
let last: string;
const ask = { timeoutMs: 10_000 };
const at = '2026-01-01T00:00:00.000Z';
const parties = { callerAgentId: 'caller', receiverAgentId: 'receiver', universe: production };

beforeAll(async () => {
  fixture = await createServiceFixture();
  retention = await openLogRetention(fixture.url);
  record = openReadModelDatabase(fixture.url, undefined, {
    poolName: 'log_record',
    schema: logRecordSchema,
    connectionsMax: 1,
  });
  const folder = await mkdtemp(join(tmpdir(), 'segments-'));
  const actor = { kind: 'system', id: 'archive' };
  const leaves = verifiedLeavesIn(record);
  parts = { log: fixture.log, retention, leaves, folder, now: () => new Date(), actor };
  last = await fixture.record(
    ...['caller', 'receiver'].map((agentId) => agentRegistered({ agentId }, at)),
    exchangeStarted({ ...parties, transactionId: 'archived' }, at),
    exchangeCompleted({ ...parties, transactionId: 'archived' }, at),
  );
}, 60_000);
afterAll(async () => {
  await record.close();
  await retention.close();
  await rm(parts.folder, { recursive: true });
  await fixture.close();
});

const events = async () =>
  (
    await fixture.gateway.request(
      listEvents,
      {
        types: null,
        correlationId: null,
        from: null,
        to: null,
        after: null,
        before: null,
        waitMs: 0,
        order: 'asc',
        limit: 100,
        agentId: null,
        organisation: null,
        operator: null,
        breakGlass: false,
      },
      ask,
    )
  ).events;
const factsOf = (transactionId: string | null) =>
  fixture.gateway.request(getReviewFacts, { ...parties, transactionId }, ask);

it('goes on as before, and says what it no longer has', { timeout: 60_000 }, async () => {
  const listed = await events();
  const signed = await fixture.gateway.request(getLogCheckpoint, {}, ask);
  expect(listed.at(-1)?.position).toBe(last);
  expect((await factsOf('archived')).isArchived).toBe(false);

  await archiveExchanges(parts, { endedBefore: new Date(Date.now() + 1_000) });
  const head = await fixture.log.headPosition();
  await fixture.untilVisible(String(head));

  // Bug: what was signed last has left the log, which is taken for one that was cut: nothing is written any more.
  expect(await findFault(fixture.log, await readLogAnchors(record))).toBeNull();

  // The tree goes on from the last event that was signed, which has left the log.
  expect(await fixture.gateway.request(getLogCheckpoint, {}, ask)).toHaveProperty('note');
  const now = await events();
  expect(await fixture.gateway.request(getLogCheckpoint, {}, ask)).not.toEqual(signed);
  const anyMetadata: unknown = expect.any(Object);
  const archived = listed.map((event) => ({
    ...event,
    ...(event.stream.startsWith('exchange-') ? { archived: true, data: {}, metadata: anyMetadata } : {}),
  }));
  expect(now.slice(0, -1)).toEqual(archived);
  expect(now.filter((event) => event.archived)).toHaveLength(2);

  expect(await factsOf('archived')).toMatchObject({ transactionId: null, isArchived: true });
  expect(await factsOf('never-made')).toMatchObject({ transactionId: null, isArchived: false });
  expect(await factsOf(null)).toMatchObject({ transactionId: null, isArchived: false });

  const asked = { agentId: 'receiver', universe: production };
  const past = (position: bigint | string) =>
    fixture.gateway.request(getPastAgent, { ...asked, asOf: { position: String(position) } }, ask);
  expect(await past(BigInt(last) - 1n)).toMatchObject({ agent: { agentId: 'receiver' }, archivedTo: last });
  expect(await past(last)).not.toHaveProperty('archivedTo');

  const { segments } = await readSegments(fixture.log);
  await restoreSegment(parts, segments[0]?.segment ?? '');
  await fixture.untilVisible(String(await fixture.log.headPosition()));
  expect((await events()).slice(0, listed.length)).toEqual(listed);
  expect(await factsOf('archived')).toMatchObject({ transactionId: null, isArchived: true });
});
