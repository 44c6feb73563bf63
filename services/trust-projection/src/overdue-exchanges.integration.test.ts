/**
 * Bug: an exchange in progress is reported as overdue and loses its proxy's end, or one whose proxy died is never reported. Method: exchanges
 * that may be open for a moment and for an hour, with wrong clocks on the proxies.
 */
import { listOverdueExchanges } from '@agent-trust/contracts';
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

/** Appends a start as a proxy does. */
const start = (transactionId: string, endsWithinMs: number, at: string): Promise<unknown> => {
  const { stream, event } = exchangeStarted(partiesOf(transactionId), at);
  return service.record({ stream, event: { ...event, data: { ...event.data, endsWithinMs } } as MadeEvent['event'] });
};

const overdue = async (countMax = 100): Promise<string[]> =>
  (await service.gateway.request(listOverdueExchanges, { countMax })).transactionIds;

it('lists exchanges that are open for longer than their proxy keeps them, by the clock of the log, and none that have ended', async () => {
  await service.record(agentRegistered({ agentId: 'a' }, longAgo), agentRegistered({ agentId: 'b' }, longAgo));
  await start('gone-1', 1, far);
  await start('gone-2', 1, longAgo);
  await start('under-way', 3_600_000, longAgo);
  for (const id of ['completed', 'failed', 'abandoned']) await start(id, 1, longAgo);
  const position = await service.record(
    exchangeCompleted(partiesOf('completed'), far),
    exchangeFailed(partiesOf('failed'), far),
    exchangeAbandoned(partiesOf('abandoned'), far),
  );
  await service.untilVisible(position);
  expect((await overdue()).sort()).toEqual(['gone-1', 'gone-2']);
  expect(await overdue(1)).toHaveLength(1);
});
