import { agentStream, registerAgent } from '@agent-trust/contracts';
import { EventLogTimeoutError, EventLogUnavailableError, type EventLog } from '@agent-trust/event-log';
import { expect, onTestFinished, test } from 'vitest';
import { registerInput } from '../testing/inputs.ts';
import { startRegistryWrite, type TestRegistry } from '../testing/start-registry-write.ts';

/** The real log, whose appends fail one after another in the given ways. */
const withAppends =
  (append: (log: EventLog, ...args: Parameters<EventLog['append']>) => ReturnType<EventLog['append']>) =>
  (log: EventLog): EventLog => ({
    ...log,
    readStream: (stream, options) => log.readStream(stream, options),
    append: (...args) => append(log, ...args),
  });

const start = async (wrapLog: (log: EventLog) => EventLog): Promise<TestRegistry> => {
  const registry = await startRegistryWrite({ instances: 1, wrapLog });
  onTestFinished(() => registry.stop());
  return registry;
};
const register = (registry: TestRegistry): Promise<string> =>
  registry.outcomeOf(registry.ask(registerAgent, registerInput({ agentId: 'a' })));
const typesOf = async (registry: TestRegistry): Promise<string[]> =>
  (await registry.eventsOf(agentStream('a'))).map(({ type }) => type);

/*
 * Bug: an append is written, its answer is lost, the writer retries: it is written twice, or refused because of itself.
 * Method: the first append goes through to the real log and is then reported as timed out.
 */
test('an append whose answer was lost is repeated with the same event ids: once in the log, and acknowledged', async () => {
  const idsSent: string[][] = [];
  const registry = await start(
    withAppends(async (log, stream, events, options) => {
      idsSent.push(events.map(({ eventId }) => eventId));
      const result = await log.append(stream, events, options);
      if (idsSent.length === 1) throw new EventLogTimeoutError('the answer was lost');
      return result;
    }),
  );
  expect(await register(registry)).toBe('ok');
  expect(idsSent).toHaveLength(2);
  expect(idsSent[1]).toEqual(idsSent[0]);
  expect(await typesOf(registry)).toEqual(['AgentRegistered', 'ClaimIssued']);
});

test('an unreachable log is reported as unavailable, and nothing was written', async () => {
  const registry = await start(withAppends(() => Promise.reject(new EventLogUnavailableError('away'))));
  expect(await register(registry)).toBe('unavailable');
  expect(await typesOf(registry)).toEqual([]);
});

test('a stream that changes all the time is reported as a write conflict', async () => {
  const registry = await start(
    withAppends(async (log, stream, events, options) => {
      const lapsed = { agentId: 'a', domain: 'x.example', reservationRevision: 0, lapsedAt: new Date().toISOString() };
      await registry.write(stream, { type: 'OrgDomainReservationLapsed', data: lapsed });
      return log.append(stream, events, options);
    }),
  );
  expect(await register(registry)).toBe('write_conflict');
  expect(await typesOf(registry)).not.toContain('AgentRegistered');
});
