/** A clock that moves only when a test moves it. */
export interface TestClock {
  /** Milliseconds since 1970, as `Date.now()`. */
  readonly now: () => number;
  readonly date: () => Date;
  /** RFC 3339, UTC, milliseconds. */
  readonly iso: () => string;
  readonly advance: (milliseconds: number) => void;
  readonly set: (instant: string | number | Date) => void;
}

/** Makes a clock that starts at `instant`; pass its `now` to code that takes time as a value. */
export function testClock(instant: string | number | Date = '2026-01-01T00:00:00.000Z'): TestClock {
  const parse = (value: string | number | Date): number => {
    const milliseconds = new Date(value).getTime();
    if (Number.isNaN(milliseconds)) throw new RangeError(`not an instant: ${String(value)}`);
    return milliseconds;
  };
  let current = parse(instant);
  return {
    now: () => current,
    date: () => new Date(current),
    iso: () => new Date(current).toISOString(),
    advance: (milliseconds) => {
      current += milliseconds;
    },
    set: (value) => {
      current = parse(value);
    },
  };
}
