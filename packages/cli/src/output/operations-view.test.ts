/** Bug: a registry that is not what it says controls the terminal of its operator, by the line that shows how a replay goes. */
import type { Replay } from '@agent-trust/client';
import { expect, it } from 'vitest';
import { replayLine } from './operations-view.ts';

const result = { events: 3, duration_ms: 2, events_per_second: 1, position: null, comparison: null };

it.each([
  { state: 'switched\u001b[2J', progress: null, result, error: null },
  { state: 'failed', progress: null, result: null, error: '\u001b]0;owned\u0007' },
])('a line of a replay has no escape sequences', (replay) => {
  expect(replayLine(replay as unknown as Replay)).not.toMatch(/\p{Cc}/u);
});
