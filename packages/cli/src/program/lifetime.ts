import { UsageError } from '../errors.ts';

/** `30d` is 30 days from now; anything else is a moment, for the registry to judge. @throws UsageError for what is neither */
export function expiryOf(expires: string): string {
  const days = /^(\d{1,4})d$/u.exec(expires)?.[1];
  if (days !== undefined) return new Date(Date.now() + Number(days) * 86_400_000).toISOString();
  const at = Date.parse(expires);
  if (Number.isNaN(at)) throw new UsageError(`--expires takes days, like 30d, or a time in RFC 3339; not "${expires}"`);
  return new Date(at).toISOString();
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** The seconds of `90s`, `15m`, `24h`, `7d` or `0`. @throws UsageError for anything else */
export function secondsOf(option: string, span: string): number {
  const [, count, unit] = /^(\d{1,7})([smhd])$/u.exec(span) ?? [];
  if (span === '0') return 0;
  if (count === undefined || unit === undefined) {
    throw new UsageError(`${option} takes a time like 90s, 15m, 24h or 7d, or 0; not "${span}"`);
  }
  return Number(count) * (unitSeconds[unit] ?? 0);
}
