import type { RecordedEvent } from '@agent-trust/event-log';
import { describe, expect, it } from 'vitest';
import { findFault } from './find-fault.ts';
import type { LogAnchors } from './log-anchors.ts';

const logOf = (...eventIds: string[]) => ({
  readStream: () => Promise.resolve([]),
  readAt: (positions: readonly bigint[]) =>
    Promise.resolve(
      positions.flatMap((position) => {
        const eventId = eventIds[Number(position) - 1];
        return eventId === undefined ? [] : [{ position, eventId } as RecordedEvent];
      }),
    ),
});
const at = (position: bigint, eventId: string | null) => ({ position, eventId });
const anchors = (some: Partial<LogAnchors> = {}): LogAnchors => ({
  readModels: at(3n, 'c'),
  logRecord: at(3n, 'c'),
  signed: at(2n, null),
  accepted: 0,
  mustBeAccepted: false,
  ...some,
});

describe('the log is the one of the read models', () => {
  it('if it has the newest event of each, also when it goes on', async () => {
    expect(await findFault(logOf('a', 'b', 'c', 'd'), anchors())).toBeNull();
  });

  it('if nothing was computed yet', async () => {
    expect(await findFault(logOf(), anchors({ readModels: null, logRecord: null, signed: null }))).toBeNull();
  });

  it('if a schema of an earlier version does not say which event it was', async () => {
    expect(await findFault(logOf('a', 'b', 'c'), anchors({ readModels: at(3n, null), logRecord: null }))).toBeNull();
  });
});

describe('the log is another one', () => {
  it('if it ends before the read models', async () => {
    expect(await findFault(logOf('a', 'b'), anchors())).toEqual({
      text: 'the event log has no event at position 3, up to which the read models were computed',
      hasAnother: false,
    });
  });

  // Bug: the restored log has grown past the old position, and its new events are taken for the ones that were read.
  it('if it has grown again, to the position or past it', async () => {
    for (const log of [logOf('a', 'b', 'x'), logOf('a', 'b', 'x', 'y', 'z')])
      expect(await findFault(log, anchors())).toMatchObject({
        text: expect.stringContaining('another event at position 3'),
        hasAnother: true,
      });
  });

  it.each([
    ['the log record', { readModels: null }, 'the log record was computed'],
    ['the signed checkpoints', { readModels: null, logRecord: null, signed: at(3n, null) }, 'the log was signed'],
  ])('if only %s are ahead', async (_, some, made) => {
    expect(await findFault(logOf('a', 'b'), anchors(some))).toMatchObject({ text: expect.stringContaining(made) });
  });

  it('if what was computed is of two logs', async () => {
    expect(await findFault(logOf('a', 'b', 'c'), anchors({ mustBeAccepted: true }))).toMatchObject({
      text: expect.stringContaining('computed anew'),
    });
  });
});
