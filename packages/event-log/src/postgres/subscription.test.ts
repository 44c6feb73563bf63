import pg from 'pg';
import { expect, it } from 'vitest';
import { EventLogSetupError, EventLogUnavailableError } from '../errors.ts';
import { PostgresFeed } from './subscription.ts';
import { WakeUps } from './wake-ups.ts';

it.each([
  ['a missing table', '42P01', EventLogSetupError],
  ['a value out of range', '22003', EventLogUnavailableError],
  ['a program limit', '54000', EventLogUnavailableError],
  ['a server that shuts down', '57P01', EventLogUnavailableError],
])('a subscription ends for good only if the setup is wrong: %s', (_, code, kind) => {
  const feed = new PostgresFeed({}, new WakeUps({}));
  expect(feed.failure(Object.assign(new pg.DatabaseError('failed', 6, 'error'), { code }))).toBeInstanceOf(kind);
});
