/**
 * Bugs: an exchange whose proxy died stays open forever, or ends twice; or an exchange under way is ended while its proxy works.
 * Method: a real event log and a real bus; the test replaces trust-projection's list of overdue exchanges, which may then be wrong. The chaos
 * tests check the time from a kill to the end on the whole system.
 */
import { randomUUID } from 'node:crypto';
import { exchangeStream, listOverdueExchanges } from '@agent-trust/contracts';
import { type EventLog, migratePostgresEventLog, openEventLog } from '@agent-trust/event-log';
import { connectRpc, type Rpc } from '@agent-trust/nats-rpc';
import { createLogger } from '@agent-trust/service-kit';
import { createTestBus, createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EndUnrecordedError } from './exchange/exchange-record.ts';
import { type OpenExchange, openExchange } from './exchange/exchange-record.ts';
import { abandonOverdue, type SweepDeps } from './sweeper.ts';
import { callProxyLimits } from './limits.ts';

let database: TestDatabase;
let log: EventLog;
let natsUrl: string;
let projection: Rpc;
let overdue: string[] = [];
const asked: number[] = [];
const sweepers: SweepDeps[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  natsUrl = createTestBus().url;
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
  projection = await connectRpc({ natsUrl, service: 'trust-projection', instanceId: 'test' });
  await projection.serve(listOverdueExchanges, async ({ countMax }) => {
    asked.push(countMax);
    return { transactionIds: overdue };
  });
  for (const instanceId of ['one', 'two', 'three']) {
    sweepers.push({
      rpc: await connectRpc({ natsUrl, service: 'call-proxy', instanceId }),
      log,
      logger: createLogger({ service: 'call-proxy', instanceId, level: 'silent' }),
      newId: randomUUID,
      now: () => new Date(),
    });
  }
});
afterAll(async () => {
  for (const { rpc } of sweepers) await (rpc as Rpc).close();
  await projection.close();
  await log.close();
  await database.drop();
});

const sweeper = (): SweepDeps => sweepers[0] as SweepDeps;

const open = (transactionId = randomUUID() as string): Promise<OpenExchange> =>
  openExchange(
    { log, newId: randomUUID, now: () => new Date() },
    { transactionId, callerAgentId: 'caller', receiverAgentId: 'receiver', universe: { kind: 'production' } },
    {
      messageProtocol: 'a2a',
      httpMethod: 'POST',
      streaming: false,
      requestDigest: 'a'.repeat(64),
      requestBytes: 1,
      endsWithinMs: 1,
    },
    { correlationId: 'request-1' },
  );
const answer = { statusCode: 200, responseDigest: 'b'.repeat(64), responseBytes: 2 };
const recordOf = async ({ transactionId }: { transactionId: string }): Promise<string[]> =>
  (await log.readStream(exchangeStream(transactionId))).map(({ type }) => type);

describe('a sweep', () => {
  it('ends the exchanges that a proxy has left open, in the name of the system', async () => {
    const left = await open();
    overdue = [left.transactionId];
    expect(await abandonOverdue(sweeper())).toBe(1);
    expect(await recordOf(left)).toEqual(['ExchangeStarted', 'ExchangeAbandoned']);
    const [, end] = await log.readStream(exchangeStream(left.transactionId));
    expect(end?.data).toMatchObject({ transactionId: left.transactionId, receiverAgentId: 'receiver' });
    expect(end?.metadata.actor).toEqual({ kind: 'system', id: 'call-proxy', credentials: [] });
    expect(asked.at(-1)).toBe(callProxyLimits.sweep.exchangesMax);
  });

  it('ignores an exchange that has ended although the read model lags behind', async () => {
    const ended = await open();
    await ended.complete(answer);
    overdue = [ended.transactionId];
    await abandonOverdue(sweeper());
    expect(await recordOf(ended)).toEqual(['ExchangeStarted', 'ExchangeCompleted']);
  });

  it('of a hundred exchanges by three proxies at once, with late proxies, gives each exactly one end', async () => {
    const exchanges = await Promise.all(Array.from({ length: 100 }, () => open()));
    overdue = exchanges.map(({ transactionId }) => transactionId);
    const late = exchanges.filter((_, index) => index % 2 === 0);
    const [, outcomes] = await Promise.all([
      Promise.all(sweepers.map(abandonOverdue)),
      Promise.allSettled(
        late.map((exchange, index) => (index % 2 === 0 ? exchange.complete(answer) : exchange.fail('timeout'))),
      ),
    ]);
    const records = await Promise.all(exchanges.map(recordOf));
    expect(records.filter(({ length }) => length !== 2)).toEqual([]);
    // A late proxy got a refusal, and a proxy in time did not.
    const ends = await Promise.all(late.map(async (exchange) => (await recordOf(exchange))[1]));
    const reported = outcomes.map(
      (outcome) => outcome.status === 'rejected' && outcome.reason instanceof EndUnrecordedError,
    );
    expect(reported).toEqual(ends.map((end) => end === 'ExchangeAbandoned'));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(reported.filter(Boolean).length);
  });

  it('skips unreadable exchanges, and ends the others', async () => {
    const left = await open();
    overdue = [randomUUID(), left.transactionId];
    expect(await abandonOverdue(sweeper())).toBe(2);
    expect(await recordOf(left)).toEqual(['ExchangeStarted', 'ExchangeAbandoned']);
  });
});
