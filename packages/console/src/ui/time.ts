const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const steps = [
  { unit: 'second', ms: 1_000, below: 60_000 },
  { unit: 'minute', ms: 60_000, below: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, below: 86_400_000 },
  { unit: 'day', ms: 86_400_000, below: 30 * 86_400_000 },
  { unit: 'month', ms: 30 * 86_400_000, below: 365 * 86_400_000 },
  { unit: 'year', ms: 365 * 86_400_000, below: Number.POSITIVE_INFINITY },
] as const;

/** A time in the reader's time zone. @param time RFC 3339 */
export function timeText(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : full.format(at);
}

/** How long ago a time is, or how far ahead: `3 minutes ago`. @param nowMs milliseconds since 1970 */
export function agoText(time: string, nowMs: number): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return time;
  const distance = Math.abs(nowMs - at);
  const { unit, ms } = steps.find(({ below }) => distance < below) ?? steps[5];
  return relative.format(Math.sign(at - nowMs) * Math.floor(distance / ms), unit);
}

/** A duration of milliseconds in a few characters: `1.5 s`, `3 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 360_000) / 10} h`;
}
