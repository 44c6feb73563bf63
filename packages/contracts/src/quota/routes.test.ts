import { expect, it } from 'vitest';
import { usageQuery } from './routes.ts';

function messages(query: { from?: string; to?: string }): string[] {
  const parsed = usageQuery.safeParse(query);
  return parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

it.each([
  [{ from: '2026-02-30' }, ['from: must be a day of the calendar, such as 2026-01-31']],
  [{ from: '' }, ['from: must be a day of the calendar, such as 2026-01-31']],
  [{ from: '2026-1-1', to: '2026-01-02' }, ['from: must be a day of the calendar, such as 2026-01-31']],
  [{ from: '0000-01-01', to: '0000-01-01' }, ['from: must be 0001-01-01 or later', 'to: must be 0001-01-01 or later']],
  [{ from: '2026-01-02', to: '2026-01-01' }, ['from: must not be after to']],
  [{ from: '0001-01-01', to: '0001-01-02' }, []],
])('says what is wrong with the days of %j', (query, expected) => expect(messages(query)).toEqual(expected));
