/** Bug: a registry that is not what it says controls the terminal of its operator, by the line that shows how a replay goes. */
import type { Replay } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { replayLine, witnessedText } from './operations-view.ts';

const result = { events: 3, duration_ms: 2, events_per_second: 1, position: null, comparison: null };

it.each([
  { state: 'switched\u001b[2J', progress: null, result, error: null },
  { state: 'failed', progress: null, result: null, error: '\u001b]0;owned\u0007' },
])('a line of a replay has no escape sequences', (replay) => {
  expect(replayLine(replay as unknown as Replay)).not.toMatch(/\p{Cc}/u);
});

it('says by whom and when the log was witnessed, and what is wrong', () => {
  const now = '2026-01-16T08:00:00.000Z';
  const sound = { size: 1_040, cosigned_at: '2026-01-16T07:55:00.000Z', contradicts_log: false, fault: null };
  expect(witnessedText([], now)).toBe('no witness is set');
  expect(
    witnessedText(
      [
        { name: 'w1', ...sound },
        { name: 'w2', ...sound, size: null, cosigned_at: null, fault: 'cannot be read' },
      ],
      now,
    ),
  ).toBe('1,040 events, 5 min ago by w1; not yet by w2, which cannot be read');
});
