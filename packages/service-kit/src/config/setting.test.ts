import { expect, it } from 'vitest';
import { eventLogUrl } from './setting.ts';

it.each([
  'postgres://h/db',
  'postgresql://h/db',
  'esdb://h:2113',
  'esdb+discover://h',
  'kurrentdb://h',
  'kurrentdb+discover://h',
])('takes %s', (address) => expect(eventLogUrl().parse(address)).toBe(address));

it.each(['mysql://h/db', 'http://h', 'h:2113', ''])('refuses %j', (address) =>
  expect(eventLogUrl().safeParse(address).success).toBe(false),
);
