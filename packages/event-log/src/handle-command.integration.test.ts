import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createEventRegistry, type Decider } from './schema-registry.ts';
import { EventLogTimeoutError, EventLogUnavailableError, WrongExpectedRevisionError } from './errors.ts';
import {
  emptyStream,
  type KnownStream,
  findHandled,
  handleCommand,
  type HandledCommand,
  readStream,
} from './handle-command.ts';
import { eventLogLimits } from './limits.ts';
import type { AppendResult, EventLog } from './port.ts';
import { openPostgresEventLog } from './postgres/event-log.ts';
import { migratePostgresEventLog } from './postgres/migrate.ts';

type SeatTaken = { type: 'SeatTaken'; data: { by: string } };
type TakeSeat = { by: string };

const registry = createEventRegistry([{ type: 'SeatTaken', version: 1, schema: z.object({ by: z.string() }) }]);
const seats = 5;

/** Five seats; taking a seat twice changes nothing; a sixth taker is refused. */
const decider: Decider<TakeSeat, readonly string[], SeatTaken> = {
  initialState: [],
  evolve: (taken, event) => [...taken, event.data.by],
  decide: ({ by }, taken) => {
    if (taken.includes(by)) return [];
    if (taken.length >= seats) throw new Error('no seat left');
    return [{ type: 'SeatTaken', data: { by } }];
  },
};

let database: TestDatabase;
let log: EventLog;
beforeAll(async () => {
  database = await createTestDatabase();
  await migratePostgresEventLog(database.url);
  log = openPostgresEventLog(database.url);
});
afterAll(async () => {
  await log.close();
  await database.drop();
});

type Taken = Promise<HandledCommand<readonly string[], SeatTaken>>;
const take = (
  stream: string,
  by: string,
  through: EventLog = log,
  commandId: string | null = null,
  every: typeof decider = decider,
): Taken =>
  handleCommand({
    log: through,
    registry,
    decider: every,
    stream,
    command: { by },
    metadata: { correlationId: by },
    newEventId: randomUUID,
    commandId,
  });

/** The log with changed behaviour at its appends. */
const withAppend = (append: EventLog['append']): EventLog => ({ ...log, append });

describe('handleCommand', () => {
  test('does not wait for a read beyond its own deadline, and then writes nothing', async () => {
    const stream = randomUUID();
    const mute = { ...log, readStream: () => new Promise<never>(() => undefined) };
    const late = handleCommand({
      log: mute,
      registry,
      decider,
      stream,
      command: { by: 'ada' },
      metadata: {},
      newEventId: randomUUID,
      deadlineMs: 20,
    });
    await expect(late).rejects.toThrow(EventLogUnavailableError);
    expect(await log.readStream(stream)).toEqual([]);
  });

  test('appends the decided events and returns state, revision and position', async () => {
    const stream = randomUUID();
    const first = await take(stream, 'ada');
    expect(first).toMatchObject({ events: [{ type: 'SeatTaken', data: { by: 'ada' } }], revision: 0n, state: ['ada'] });
    const second = await take(stream, 'bob');
    expect(second).toMatchObject({ revision: 1n, state: ['ada', 'bob'] });
    const recorded = await log.readStream(stream);
    expect(recorded.map((event) => event.position)).toEqual([first.position, second.position]);
    expect(recorded[0]?.metadata).toEqual({ correlationId: 'ada', schemaVersion: 1 });
  });

  test("appends nothing without events, and returns the stream's revision and position", async () => {
    const stream = randomUUID();
    const first = await take(stream, 'ada');
    expect(await take(stream, 'ada')).toEqual({ events: [], revision: 0n, position: first.position, state: ['ada'] });
    const nothing = { ...decider, decide: () => [] };
    const command = {
      log,
      registry,
      decider: nothing,
      stream: randomUUID(),
      command: { by: 'x' },
      metadata: {},
      newEventId: randomUUID,
    };
    expect(await handleCommand(command)).toEqual({ events: [], revision: 'no_stream', position: null, state: [] });
  });

  test('appends to a stream that was read before, and decides again if another writer was faster', async () => {
    const stream = randomUUID();
    const read = await readStream({ log, registry, decider, stream });
    const reads = vi.spyOn(log, 'readStream');
    const taken = (by: string) => {
      const decided = { on: read, events: decider.decide({ by }, read.state) };
      const input = { log, registry, decider, stream, command: { by }, metadata: {}, newEventId: randomUUID, decided };
      return handleCommand(input);
    };
    expect(await taken('ada')).toMatchObject({ revision: 0n, state: ['ada'] });
    expect(reads).not.toHaveBeenCalled();
    expect(await taken('bob')).toMatchObject({ revision: 1n, state: ['ada', 'bob'] });
    expect(reads).toHaveBeenCalledOnce();
    reads.mockRestore();
  });

  test('appends to a stream of which something was assumed, and decides again if it is otherwise', async () => {
    const stream = randomUUID();
    const assuming = (by: string, on: KnownStream<readonly string[]>) => {
      const decided = { on, events: decider.decide({ by }, on.state) };
      const input = { log, registry, decider, stream, command: { by }, metadata: {}, newEventId: randomUUID, decided };
      return handleCommand(input);
    };
    expect(await assuming('ada', emptyStream(decider))).toMatchObject({ revision: 0n, state: ['ada'] });
    expect(await assuming('bob', emptyStream(decider))).toMatchObject({ revision: 1n, state: ['ada', 'bob'] });
    const ahead = { state: ['ada', 'bob', 'eve'], revision: 2n, position: null };
    expect(await assuming('cid', ahead)).toMatchObject({ revision: 2n, state: ['ada', 'bob', 'cid'] });
    const seated = { state: ['dan'], revision: 0n, position: 1n };
    expect(await assuming('dan', seated)).toMatchObject({ revision: 3n, state: ['ada', 'bob', 'cid', 'dan'] });
  });

  test('passes a refusal on unchanged', async () => {
    const stream = randomUUID();
    for (const by of ['a', 'b', 'c', 'd', 'e']) await take(stream, by);
    await expect(take(stream, 'f')).rejects.toThrow('no seat left');
    expect(await log.readStream(stream)).toHaveLength(seats);
  });

  // Bug: two writers decide on the same state; each decision respects the rule, but together they break it.
  // Method: more takers than seats, all at once; the rule must hold whatever the order.
  test('of many at once exactly as many succeed as the rule allows', async () => {
    const stream = randomUUID();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => take(stream, `taker-${n}`)));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(seats);
    expect(await log.readStream(stream)).toHaveLength(seats);
  });

  test('gives up after the maximum number of conflicts', async () => {
    const stream = randomUUID();
    let attempts = 0;
    const beaten = withAppend(async () => {
      attempts += 1;
      throw new WrongExpectedRevisionError(stream, 'no_stream', 0n);
    });
    await expect(take(stream, 'ada', beaten)).rejects.toThrow(WrongExpectedRevisionError);
    expect(attempts).toBe(eventLogLimits.commandConflictRetriesMax + 1);
  });

  // Bug: the answer of a write is lost, and the command is decided again: its events are written twice, or refused because of themselves.
  // Method: the append reaches the log, and then fails for the caller.
  test('repeats an append with unknown outcome with the same ids', async () => {
    const stream = randomUUID();
    const sent: string[] = [];
    const lossy = withAppend(async (...append): Promise<AppendResult> => {
      sent.push(...append[1].map((event) => event.eventId));
      const result = await log.append(...append);
      if (sent.length < 3) throw new EventLogTimeoutError('lost');
      return result;
    });
    expect(await take(stream, 'ada', lossy)).toMatchObject({ revision: 0n, state: ['ada'] });
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(1);
    expect(await log.readStream(stream)).toHaveLength(1);
  });

  test('reports an outcome that stays unknown', async () => {
    let attempts = 0;
    const mute = withAppend(async () => {
      attempts += 1;
      throw new EventLogTimeoutError('no answer');
    });
    await expect(take(randomUUID(), 'ada', mute)).rejects.toThrow(EventLogTimeoutError);
    expect(attempts).toBe(eventLogLimits.commandAppendRetriesMax + 1);
  });
});

describe('handleCommand with a commandId', () => {
  /** Takes two seats in one append, and none for a person who sits already: only the events show the outcome. */
  const inPairs: typeof decider = {
    ...decider,
    decide: ({ by }, taken) => {
      if (taken.includes(by)) throw new Error(`${by} sits already`);
      return [by, by].map((name) => ({ type: 'SeatTaken', data: { by: name } }));
    },
  };

  test('repeated returns the first answer, even if the stream has changed and the rule would now refuse it', async () => {
    const stream = randomUUID();
    const commandId = randomUUID();
    await take(stream, 'zoe');
    const first = await take(stream, 'ada', log, commandId, inPairs);
    expect(await take(stream, 'ada', log, commandId, inPairs)).toEqual(first);
    const later = await take(stream, 'bob');
    const again = await take(stream, 'ada', log, commandId, inPairs);
    expect(again).toEqual({ events: first.events, revision: 3n, position: later.position, state: later.state });
    await expect(take(stream, 'ada', log, randomUUID(), inPairs)).rejects.toThrow('ada sits already');
    expect(await log.readStream(stream)).toHaveLength(4);
  });

  test('the same command on another stream is a different command', async () => {
    const commandId = randomUUID();
    const [one, other] = [randomUUID(), randomUUID()];
    await take(one, 'ada', log, commandId);
    expect(await take(other, 'ada', log, commandId)).toMatchObject({ revision: 0n, state: ['ada'] });
  });

  // Bug: the first attempt outlasts its caller's patience, and the second decides on a state that lacks it. Method: many attempts at once;
  // whatever the order, there is one append.
  test('twenty at once: one append', async () => {
    const stream = randomUUID();
    const commandId = randomUUID();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => take(stream, 'ada', log, commandId, inPairs)));
    expect(new Set(outcomes.map(({ position }) => position)).size).toBe(1);
    expect(await log.readStream(stream)).toHaveLength(2);
  });

  test('findHandled distinguishes a command that was carried out from one that was not', async () => {
    const stream = randomUUID();
    const commandId = randomUUID();
    const of = { log, registry, decider, stream };
    const find = async () => findHandled({ ...of, commandId, read: await readStream(of) });
    expect(await find()).toBeNull();
    await take(stream, 'zoe');
    expect(await find()).toBeNull();
    const handled = await take(stream, 'ada', log, commandId);
    expect(await find()).toEqual(handled);
  });
});
