import type { ReplayProgress } from '@agent-trust/projections';

const whole = (value: number): string => Math.round(value).toLocaleString('en');

const seconds = (ms: number): string => {
  const rounded = Math.ceil(ms / 1000);
  return rounded < 60 ? `${rounded} s` : `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
};

/** How far a replay is, in words. `verb` names the building. */
export function progressText(progress: ReplayProgress, verb = 'Building'): string {
  const { phase, events, eventsTotal, fraction, eventsPerSecond, remainingMs } = progress;
  if (phase === 'compare') return 'Comparing every row with the live read models…';
  if (phase === 'switch' && (events === 0 || fraction === 1)) return 'Switching to the new read models…';
  if (events === 0) return `${verb} beside the live read models…`;
  const share = `${whole(events)} of ${whole(eventsTotal)} events (${Math.floor(fraction * 100)} %)`;
  const remaining = remainingMs === null ? '' : `, ${seconds(remainingMs)} left`;
  return `${phase === 'build' ? verb : 'Catching up'}: ${share}, ${whole(eventsPerSecond)} a second${remaining}`;
}

const lineEveryMs = 1_000;
const eraseLine = '\r\u001b[2K';

/** Shows progress on one line of a terminal, else as a line each second and at each new phase. */
export function progressLines(
  stream: { write: (text: string) => unknown; isTTY?: boolean },
  verb = 'Building',
  now = (): number => performance.now(),
): { show: (progress: ReplayProgress) => void; end: () => void } {
  let shownAt = Number.NEGATIVE_INFINITY;
  let shownPhase: string | null = null;
  let isLineOpen = false;
  return {
    show: (progress) => {
      const text = progressText(progress, verb);
      if (stream.isTTY === true) {
        stream.write(`${eraseLine}${text}`);
        isLineOpen = true;
        return;
      }
      if (progress.phase === shownPhase && now() - shownAt < lineEveryMs) return;
      shownAt = now();
      shownPhase = progress.phase;
      stream.write(`${text}\n`);
    },
    end: () => {
      if (isLineOpen) stream.write(eraseLine);
      isLineOpen = false;
    },
  };
}
