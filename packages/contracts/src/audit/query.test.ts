import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventsQuery } from './query.ts';

const query = z.object(eventsQuery);

// Bug: the database has no year 0, and what it refuses is a fault of the server.
describe('the moments that events are asked for by', () => {
  it.each(['0001-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'])('may be %s', (time) => {
    expect(query.safeParse({ from: time, to: time }).success).toBe(true);
  });

  it.each(['0000-01-01T00:00:00Z', '0000-12-31T23:59:59-01:00', 'yesterday'])('may not be %s', (time) => {
    expect(query.safeParse({ from: time }).error?.issues.map(({ path }) => path)).toEqual([['from']]);
    expect(query.safeParse({ to: time }).error?.issues.map(({ path }) => path)).toEqual([['to']]);
  });
});
