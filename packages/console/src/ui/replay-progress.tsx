import type { Replay } from '@agent-trust/client';
import type { ReactElement } from 'react';

/** How often the progress of a replay that runs is asked for. */
export const replayEveryMs = 1_000;

/** Whether a replay has not ended yet. */
export function isReplaying({ state }: Replay): boolean {
  return state === 'starting' || state === 'running';
}

/** How far a replay is that runs. */
export function ReplayProgress({ replay: { progress, state } }: { replay: Replay }): ReactElement {
  const percent = Math.round((progress?.fraction ?? 0) * 100);
  return (
    <label>
      {progress === null
        ? `The replay is ${state}.`
        : `${progress.phase}: ${progress.events.toLocaleString('en')} of ${progress.events_total.toLocaleString('en')} events, ${progress.events_per_second.toLocaleString('en')} a second`}{' '}
      <progress max={100} value={percent}>
        {percent} %
      </progress>
    </label>
  );
}
