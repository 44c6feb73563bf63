import { randomUUID } from 'node:crypto';
import { production, settlementStream } from '@agent-trust/contracts';
import { startNatsServer } from '@agent-trust/embedded-servers';
import {
  type EventLog,
  EventLogTimeoutError,
  EventLogUnavailableError,
  migratePostgresEventLog,
  openEventLog,
} from '@agent-trust/event-log';
import { createLogger } from '@agent-trust/service-kit';
import { createTestDatabase } from '@agent-trust/test-kit';
import type { Settlement } from '@agent-trust/x402';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type DemandPlace, openKeptDemands } from './kept-demands.ts';
import { settlementLimits } from './limits.ts';
import { type PaidRequest, recordSettlement } from './record-settlement.ts';
import { settlementIdOf } from './settlement-id.ts';

let log: EventLog;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = await openEventLog(database.url);
  closers.push(
    () => log.close(),
    () => database.drop(),
  );
});
afterAll(async () => {
  for (const close of closers) await close();
});

let lines: string[] = [];
beforeEach(() => {
  lines = [];
});
const logger = createLogger({
  service: 'pay-proxy',
  instanceId: 'test',
  level: 'info',
  destination: { write: (line) => void lines.push(line) },
});

const secret = Buffer.from('{"payload":{"signature":"0xsecret"}}').toString('base64');
const paid: PaidRequest = {
  universe: production,
  receiverAgentId: 'seller',
  callerAgentId: null,
  callRef: null,
  attribution: 'none',
  via: 'pay',
  headers: { 'x-payment': secret },
};
const settlementOf = (confirmationRef: string | null): Settlement => ({
  x402Version: 1,
  scheme: 'exact',
  network: 'base',
  asset: '0xasset',
  currency: '0xasset',
  decimals: null,
  amountAtomic: '1',
  payTo: '0xpayee',
  payer: '0xpayer',
  confirmationRef,
  blockNumber: null,
});
const idOf = (confirmationRef: string): string =>
  settlementIdOf({ network: 'base', confirmationRef }, { receiverAgentId: '', paymentDigest: '' });
const record = (reference: string | null, by: Pick<EventLog, 'append'> = log, now = (): Date => new Date()) =>
  recordSettlement(
    { log: { ...log, append: by.append.bind(by) }, logger, newId: randomUUID, now },
    settlementOf(reference),
    paid,
    { correlationId: 'r' },
  );

describe('a settlement', () => {
  it('is written once, of however many who tell it at once', async () => {
    const positions = await Promise.all(Array.from({ length: 10 }, () => record('0x01')));
    expect(positions.filter((position) => position !== null)).toHaveLength(1);
    const [event, ...others] = await log.readStream(settlementStream(idOf('0x01')));
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'SettlementRecorded',
      data: { confirmationRef: '0x01', receiverAgentId: 'seller' },
    });
    expect(JSON.stringify([event?.data, event?.metadata])).not.toContain(secret);
  });

  it('without a transaction is known by its payment', async () => {
    expect(await record(null)).not.toBe(null);
    expect(await record(null)).toBe(null);
  });

  it('is written once when the first answer of the log is lost, and after the log was away', async () => {
    let attempts = 0;
    const append: EventLog['append'] = async (...args) => {
      attempts += 1;
      if (attempts === 1) throw new EventLogUnavailableError('away');
      const result = await log.append(...args);
      if (attempts === 2) throw new EventLogTimeoutError('no answer');
      return result;
    };
    expect(await record('0x02', { append })).not.toBe(null);
    expect([attempts, (await log.readStream(settlementStream(idOf('0x02')))).length]).toEqual([3, 1]);
  });

  it('goes into the service’s own log, whole and without the payment, when the event log stays away', async () => {
    let clock = Date.now();
    const append: EventLog['append'] = () => {
      clock += settlementLimits.recordTimeoutMs / 2;
      return Promise.reject(new EventLogUnavailableError('away'));
    };
    expect(await record('0x03', { append }, () => new Date(clock))).toBe(null);
    const line = lines
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find(({ level }) => level === 'error');
    expect(line).toMatchObject({
      stream: settlementStream(idOf('0x03')),
      event: {
        type: 'SettlementRecorded',
        eventId: expect.any(String) as string,
        data: { confirmationRef: '0x03', amountAtomic: '1', payeeAddress: '0xpayee', universe: { kind: 'production' } },
        metadata: { correlationId: 'r' },
      },
    });
    expect(lines.join('')).not.toContain(secret);
  });
});

describe('kept demands', () => {
  const place: DemandPlace = { agentId: 'seller', universe: production, query: '' };
  const demand = {
    requirements: [{ scheme: 'exact', network: 'base', amountAtomic: '1', asset: '0xa', payTo: '0xp', decimals: 6 }],
    originals: ['http://agent.test/'],
  };
  const nothing = { requirements: [], originals: [] };

  it('are known to every proxy, by agent and universe, the last one of each place', async () => {
    const nats = await startNatsServer();
    const [first, second] = await Promise.all([connect({ servers: nats.url }), connect({ servers: nats.url })]);
    onTestFinished(async () => {
      await Promise.all([first.close(), second.close()]);
      await nats.stop();
    });
    const [keeper, finder] = [openKeptDemands(first, logger), openKeptDemands(second, logger)];
    expect(await finder.find(place)).toEqual(nothing);
    await keeper.keep(place, { ...demand, originals: ['older'] });
    await keeper.keep(place, demand);
    expect(await finder.find(place)).toEqual(demand);
    expect(await finder.find({ ...place, agentId: 'other' })).toEqual(nothing);
    expect(await finder.find({ ...place, universe: { kind: 'sandbox', orgId: 'seller' } })).toEqual(nothing);
    // Beyond what is kept of one demand, the former one stays.
    await keeper.keep(place, { ...demand, originals: ['x'.repeat(settlementLimits.demandBytesMax)] });
    expect(await finder.find(place)).toEqual(demand);
  });

  it('cost nothing but what they are worth when there is nowhere to keep them', async () => {
    const nats = await startNatsServer({ jetstream: false });
    const connection = await connect({ servers: nats.url });
    onTestFinished(async () => {
      await connection.close();
      await nats.stop();
    });
    const demands = openKeptDemands(connection, logger);
    await demands.keep(place, demand);
    expect(await demands.find(place)).toEqual(nothing);
    expect(lines.join('')).toContain('cannot be kept or found now');
  });
});
