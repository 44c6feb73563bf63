import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigningSchema } from '../../log-signing/signed-head-schema.ts';
import {
  agentRegistered,
  appendHistory,
  exchangeCompleted,
  exchangeStarted,
  production,
} from '../../testing/made-history.ts';
import { archiveExchanges } from '../archive/archive-exchanges.ts';
import { type FollowedLog, followedLog } from '../archive/testing/followed-log.ts';
import { inspectLog } from './inspect-log.ts';

/*
 * Bug: where the old part of the log was archived, none of its events is there to be compared. It is taken for another log from the
 * beginning on: the command tells webhooks everything again, says that all of it was lost, and asks for a new name.
 * Method: most of a log leaves it; then it is inspected as it is, and with its last events cut off, as an older copy lacks them.
 */
let followed: FollowedLog;
const at = '2026-01-01T00:00:00.000Z';
const parties = { callerAgentId: 'caller', receiverAgentId: 'receiver', universe: production };
beforeAll(async () => {
  followed = await followedLog();
  await appendHistory(followed.log, [
    ...['caller', 'receiver'].map((agentId) => agentRegistered({ agentId }, at)),
    ...unreviewed(0, 300),
  ]);
  await followed.follow();
  await withClient(createSigningSchema);
}, 120_000);
afterAll(() => followed.close());

/** Exchanges that nobody has reviewed: hundreds of positions in a row, all of which leave the log. */
function unreviewed(from: number, count: number) {
  return Array.from({ length: count }, (_, n) => {
    const exchange = { ...parties, transactionId: `exchange-${from + n}` };
    return [exchangeStarted(exchange, at), exchangeCompleted(exchange, at)];
  }).flat();
}

const withClient = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client(followed.url);
  await client.connect();
  await work(client).finally(() => client.end());
};

const signLast = (): Promise<void> =>
  withClient((client) =>
    client.query(`
    INSERT INTO log_signing.signed_head (origin, size, root, last_position, last_leaf, signed_at)
    SELECT 'test/log', leaf_index + 1, decode(hash, 'base64'), position, decode(hash, 'base64'), clock_timestamp()
    FROM log_record.merkle_leaf ORDER BY leaf_index DESC LIMIT 1`),
  );

describe('a log of which most was archived', () => {
  it('is the one that was read', async () => {
    const before = await followed.log.headPosition();
    await signLast();
    await archiveExchanges(followed.parts, { endedBefore: new Date(Date.now() + 1_000) });
    const left = await followed.events();
    expect(left.length).toBeLessThan(Number(before) / 2);
    // What was signed has left the log, and what was recorded ends there.
    expect(await inspectLog(followed.log, followed.record)).toMatchObject({
      fault: null,
      agreedPosition: before,
      lostEvents: 0,
      contradicted: null,
    });
    await followed.follow();
    expect(await inspectLog(followed.log, followed.record)).toMatchObject({
      fault: null,
      agreedPosition: await followed.log.headPosition(),
      lostEvents: 0,
    });
  });

  it('lacks only what a copy lacks', async () => {
    const head = (await followed.log.headPosition()) ?? 0n;
    await appendHistory(followed.log, unreviewed(300, 150));
    await followed.follow();
    const recorded = (await followed.log.headPosition()) ?? 0n;
    // As an older copy of the database has it.
    await withClient(async (client) => {
      await client.query('ALTER TABLE event_log.events DISABLE TRIGGER ALL');
      await client.query('DELETE FROM event_log.events WHERE position > $1', [head]);
      await client.query('ALTER TABLE event_log.events ENABLE TRIGGER ALL');
    });
    expect(await inspectLog(followed.log, followed.record)).toMatchObject({
      fault: expect.stringContaining('has no event at position') as unknown,
      agreedPosition: head,
      lostEvents: Number(recorded - head),
      contradicted: null,
    });
  });
});
