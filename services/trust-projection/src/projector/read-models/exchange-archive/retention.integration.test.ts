import { runs } from '@agent-trust/test-kit/runs';
import { openWriterSession, replayReadModel, type ReplayReport } from '@agent-trust/projections';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reviewFacts } from '../../../queries/review-facts.ts';
import { readModelSchema } from '../../../shared/database.ts';
import {
  agentRegistered,
  exchangeCompleted,
  exchangeReviewed,
  exchangeStarted,
  production,
} from '../../../testing/made-events.ts';
import { appendHistory, makeHistory } from '../../../testing/made-history.ts';
import { archiveExchanges } from '../../../tools/archive/archive-exchanges.ts';
import { type FollowedLog, followedLog } from '../../../tools/archive/testing/followed-log.ts';
import { findUnreviewedExchange } from '../exchange-ledger/queries.ts';
import { universeKey } from '../universe-key.ts';
import { registryReadModel } from '../registry-read-model.ts';
import { exchangeRetention } from './retention.ts';

const rowsOf = <Row extends object>(it: FollowedLog, text: string): Promise<Row[]> =>
  it.readModels.query<Row>({ text, values: [] });
const standings = (it: FollowedLog) => rowsOf(it, 'SELECT * FROM agent_standing ORDER BY agent_id');
const idsOfExchanges = async (it: FollowedLog): Promise<string[]> =>
  (await rowsOf<{ id: string }>(it, 'SELECT transaction_id AS id FROM exchange ORDER BY 1')).map(({ id }) => id);
const replay = async (it: FollowedLog): Promise<ReplayReport> =>
  replayReadModel({
    connection: { connectionString: it.url },
    schema: readModelSchema,
    log: it.log,
    readModel: await registryReadModel({ isArchived: true }),
    dropLockTimeoutMs: 50,
  });
/** After everything that was recorded so far. */
const afterNow = (): Date => new Date(Date.now() + 1_000);

/*
 * Bug: an exchange whose row has left is counted a second time when its events are archived, is not counted by a replay, or comes back with
 * one, so that a replay differs from the live rows.
 * Method: random histories whose exchanges leave the rows and the log at random ages, in any order; at last all that left is archived.
 */
describe('exchanges that leave by their age', () => {
  it('change no counter, and a replay has the same rows', { timeout: 300_000 }, async () => {
    let left = 0;
    let leftBeforeArchive = 0;
    // Random cuts may be such that nothing leaves.
    const manyLeave = [
      { cut: 0.6, leaves: true },
      { cut: 0.5, leaves: false },
    ];
    const someSteps = fc.array(fc.record({ cut: fc.double({ min: 0.4, max: 1, noNaN: true }), leaves: fc.boolean() }), {
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), someSteps, async (seed, steps) => {
        const it = await followedLog();
        try {
          const history = makeHistory({ agents: 30, exchanges: 600, changes: 40, seed });
          for (let from = 0; from < history.length; from += 150)
            await appendHistory(it.log, history.slice(from, from + 150));
          await it.follow();
          const counted = await standings(it);
          const events = await it.events();
          for (const { cut, leaves } of [...steps, { cut: 0.8, leaves: true }]) {
            const endedBefore = events[Math.floor(events.length * cut)]?.recordedAt ?? afterNow();
            if (leaves) left += await it.letLeave(endedBefore);
            else await archiveExchanges(it.parts, { endedBefore, segmentExchangesMax: 50 });
            await it.follow();
            expect(await standings(it)).toEqual(counted);
          }
          const rows = await idsOfExchanges(it);
          const unlikeRows = { rowsDiffering: 0, differences: [] };
          expect((await replay(it)).comparison).toMatchObject(unlikeRows);
          expect([await idsOfExchanges(it), await standings(it)]).toEqual([rows, counted]);
          leftBeforeArchive += (await archiveExchanges(it.parts, { endedBefore: afterNow() })).exchanges;
          await it.follow();
          expect(await standings(it)).toEqual(counted);
          expect((await replay(it)).comparison).toMatchObject(unlikeRows);
          expect(await standings(it)).toEqual(counted);
        } finally {
          await it.close();
        }
      }),
      { numRuns: runs(3, 40), examples: [[1, manyLeave]] },
    );
    expect(left).toBeGreaterThan(20);
    expect(leftBeforeArchive).toBeGreaterThan(20);
  });
});

describe('an exchange', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const pair = { callerAgentId: 'caller', receiverAgentId: 'receiver' };
  const of = (transactionId: string) => ({ ...pair, transactionId, universe: production });
  let it_: FollowedLog;
  beforeAll(async () => {
    it_ = await followedLog();
    await appendHistory(it_.log, [
      ...['caller', 'receiver'].map((agentId) => agentRegistered({ agentId }, at)),
      exchangeStarted(of('open'), at),
      ...['old', 'reviewed'].flatMap((id) => [exchangeStarted(of(id), at), exchangeCompleted(of(id), at)]),
      exchangeReviewed(of('reviewed'), at),
    ]);
    // Marks of the log's clock are some events apart: these bring the next one.
    const others = Array.from({ length: 130 }, (_, n) => agentRegistered({ agentId: `other-${n}` }, at));
    await appendHistory(it_.log, others);
    await it_.follow();
  }, 60_000);
  afterAll(() => it_.close());

  const steps = async (options: Parameters<typeof exchangeRetention>[0], count = 3): Promise<void> => {
    const client = await openWriterSession({ connectionString: it_.url }, readModelSchema);
    try {
      for (let step = 0; step < count; step += 1) await exchangeRetention(options).step?.(client);
    } finally {
      await client.end();
    }
  };
  const factsOf = async (transactionId: string | null) => {
    const { transactionId: found, isArchived } = await reviewFacts(it_.readModels)({
      ...pair,
      universe: production,
      transactionId,
    });
    return { found, isArchived };
  };
  const newest = () => findUnreviewedExchange(it_.readModels, { ...pair, universe: universeKey(production) });

  it('stays for good without a retention, and until it is old enough with one', async () => {
    await steps({ olderThanMs: null });
    await steps({ olderThanMs: 60 * 60_000, graceMs: 0 });
    expect(await idsOfExchanges(it_)).toEqual(['old', 'open', 'reviewed']);
    expect(await factsOf('old')).toEqual({ found: 'old', isArchived: false });
    expect(await newest()).toBe('old');
  });

  it('can no longer be reviewed once it is old enough, before its row leaves', async () => {
    await steps({ olderThanMs: 0, graceMs: 60 * 60_000 });
    expect(await idsOfExchanges(it_)).toEqual(['old', 'open', 'reviewed']);
    expect(await factsOf('old')).toEqual({ found: null, isArchived: true });
    expect([await factsOf(null), await newest()]).toEqual([{ found: null, isArchived: false }, null]);
  });

  it('leaves if it has ended and nobody has reviewed it; a late review is refused, not unknown', async () => {
    await steps({ olderThanMs: 0, graceMs: 0 });
    expect(await idsOfExchanges(it_)).toEqual(['open', 'reviewed']);
    expect(await factsOf('old')).toEqual({ found: null, isArchived: true });
    expect(await factsOf('reviewed')).toEqual({ found: null, isArchived: false });
    expect(await factsOf('never-made')).toEqual({ found: null, isArchived: false });
  });

  it('can be reviewed if it ends later, and a second review of it is not said to be too late', async () => {
    await appendHistory(it_.log, [exchangeCompleted(of('open'), at)]);
    await it_.follow();
    expect(await factsOf('open')).toEqual({ found: 'open', isArchived: false });
    await appendHistory(it_.log, [exchangeReviewed(of('open'), at)]);
    await it_.follow();
    expect(await factsOf('open')).toEqual({ found: null, isArchived: false });
    expect((await replay(it_)).comparison).toMatchObject({ rowsDiffering: 0, differences: [] });
  });
});
