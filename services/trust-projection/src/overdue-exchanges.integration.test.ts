/**
 * Bug: an exchange that is under way is told to be overdue and loses its proxy's end, or one whose proxy died is never told. Method: exchanges
 * that may be open for a moment and for an hour, in an old and a new version of their event; proxies' own clocks say nonsense.
 */
import { randomUUID } from 'node:crypto';
import { listOverdueExchanges, waitForPosition } from '@agent-trust/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServiceFixture, type ServiceFixture } from './testing/service-fixture.ts';
import {
  agentRegistered,
  exchangeAbandoned,
  exchangeCompleted,
  exchangeFailed,
  exchangeStarted,
  type MadeEvent,
} from './testing/made-events.ts';

let service: ServiceFixture;
beforeAll(async () => {
  service = await createServiceFixture();
});
afterAll(() => service.close());

const longAgo = '2001-01-01T00:00:00.000Z';
const far = '2099-01-01T00:00:00.000Z';
const partiesOf = (transactionId: string) => ({ transactionId, callerAgentId: 'a', receiverAgentId: 'b' });

/** Appends a start as a proxy does; `version` 1 has no `endsWithinMs`. */
const start = async (transactionId: string, endsWithinMs: number, at: string, version = 2): Promise<void> => {
  const { stream, event } = exchangeStarted(partiesOf(transactionId), at) as MadeEvent;
  const data = version === 1 ? { ...event.data, endsWithinMs: undefined } : { ...event.data, endsWithinMs };
  await service.log.append(
    stream,
    [
      {
        eventId: randomUUID(),
        type: event.type,
        data: JSON.parse(JSON.stringify(data)) as never,
        metadata: { schemaVersion: version },
      },
    ],
    { expectedRevision: 'no_stream' },
  );
};

const overdue = async (countMax = 100): Promise<string[]> =>
  (await service.gateway.request(listOverdueExchanges, { countMax })).transactionIds;

it('tells what is open for longer than its proxy keeps it, by the clock of the log, and nothing that has ended', async () => {
  await service.record(agentRegistered({ agentId: 'a' }, longAgo), agentRegistered({ agentId: 'b' }, longAgo));
  await start('gone-1', 1, far);
  await start('gone-2', 1, longAgo);
  await start('under-way', 3_600_000, longAgo);
  await start('old-version', 0, longAgo, 1);
  for (const id of ['completed', 'failed', 'abandoned']) await start(id, 1, longAgo);
  const position = await service.record(
    exchangeCompleted(partiesOf('completed'), far),
    exchangeFailed(partiesOf('failed'), far),
    exchangeAbandoned(partiesOf('abandoned'), far),
  );
  await service.gateway.request(waitForPosition, { position, timeoutMs: 10_000 }, { timeoutMs: 11_000 });
  expect((await overdue()).sort()).toEqual(['gone-1', 'gone-2']);
  expect(await overdue(1)).toHaveLength(1);
  const [old] = await service.query<{ due: boolean }>(
    `SELECT end_due_at BETWEEN now() + interval '55 minutes' AND now() + interval '65 minutes' AS due
      FROM read_models.exchange WHERE transaction_id = 'old-version'`,
  );
  expect(old).toEqual({ due: true });
});
