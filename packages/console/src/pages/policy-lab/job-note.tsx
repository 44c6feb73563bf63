import type { ReactElement } from 'react';
import { Foreign } from '../../ui/text.tsx';

/** How a trial or a simulation goes. */
export type Job = {
  state: 'starting' | 'running' | 'done' | 'stopped' | 'abandoned' | 'failed' | 'interrupted';
  progress: { step: string; fraction: number } | null;
  error: string | null;
};

export function isUnderWay({ state }: Pick<Job, 'state'>): boolean {
  return state === 'starting' || state === 'running';
}

/** The progress of a job, with a way to stop it; or how it ended, if it was not to its end. */
export function JobNote({ job, onStop }: { job: Job; onStop: () => void }): ReactElement | null {
  if (isUnderWay(job)) {
    const percent = Math.round((job.progress?.fraction ?? 0) * 100);
    return (
      <p className="row">
        <label>
          {job.progress === null ? 'It starts.' : <Foreign text={job.progress.step} />}{' '}
          <progress max={100} value={percent}>
            {percent} %
          </progress>
        </label>
        <button type="button" className="danger" onClick={onStop}>
          Stop it
        </button>
      </p>
    );
  }
  if (job.state === 'done') return null;
  return (
    <p role="alert">
      It was {job.state}
      {job.error !== null && (
        <>
          : <Foreign text={job.error} />
        </>
      )}
      .
    </p>
  );
}
