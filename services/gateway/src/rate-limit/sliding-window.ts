/** At most `countMax` admissions in any `windowMs` milliseconds. */
export type Window = { readonly countMax: number; readonly windowMs: number };

export type Admission = { admitted: true; admittedAt: readonly number[] } | { admitted: false; retryAfterMs: number };

/**
 * Decides on one request, given when earlier ones were admitted (ascending). A log of admissions, not a counter of a fixed minute:
 * the latter lets twice as many through around the turn of the minute. Refused requests are not logged, so waiting always helps.
 */
export function admit(window: Window, admittedAt: readonly number[], now: number): Admission {
  // Instances' clocks differ a little; time must not run backwards within one log.
  const at = Math.max(now, admittedAt.at(-1) ?? 0);
  const recent = admittedAt.filter((earlier) => at - earlier <= window.windowMs);
  if (recent.length < window.countMax) return { admitted: true, admittedAt: [...recent, at] };
  const oldest = recent[recent.length - window.countMax] ?? at;
  return { admitted: false, retryAfterMs: oldest + window.windowMs + 1 - now };
}
