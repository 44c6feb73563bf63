/** That a route will be removed: since when this is said, from when on it may be gone (both `YYYY-MM-DD`), and what takes its place. */
export type Deprecation = { since: string; sunset: string; instead: string };

/** Between the announcement and the removal, so that callers have time: docs/upgrades.md promises it. */
export const deprecationDaysMin = 180;

const dayMs = 86_400_000;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/u;

/** @throws RangeError for a date in another form, or less time than is promised: an error of the declaration. */
export function checkDeprecation(path: string, { since, sunset }: Deprecation): void {
  const [from, to] = [since, sunset].map((day) => (dayPattern.test(day) ? Date.parse(day) : Number.NaN)) as [
    number,
    number,
  ];
  // NaN compares as false.
  if (!(to - from >= deprecationDaysMin * dayMs))
    throw new RangeError(
      `${path} is deprecated since ${since} until ${sunset}: these are dates as YYYY-MM-DD, at least ${deprecationDaysMin} days apart`,
    );
}

/** The headers of every answer: `Deprecation` (RFC 9745, a date of structured fields) and `Sunset` (RFC 8594, an HTTP date). */
export function deprecationHeaders({ since, sunset }: Deprecation): { Deprecation: string; Sunset: string } {
  return { Deprecation: `@${Date.parse(since) / 1_000}`, Sunset: new Date(sunset).toUTCString() };
}

/** One sentence for people. */
export function deprecationText({ since, sunset, instead }: Deprecation): string {
  return `Deprecated since ${since}, and may be gone from ${sunset} on: ${instead}`;
}
