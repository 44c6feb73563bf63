import { z } from 'zod';

const durationMsMax = 7 * 24 * 3_600_000;

/**
 * A setting that is read from one environment variable.
 *
 * @param allowed What the variable may hold, completing the sentence "must be …".
 * @param parse Returns the value, or undefined if the text is not allowed. It must not throw.
 */
export function setting<Value>(allowed: string, parse: (text: string) => Value | undefined): Setting<Value> {
  return z.string({ error: () => `is not set; it must be ${allowed}` }).transform((text, context): Value => {
    const value = parse(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `must be ${allowed}` });
    return z.NEVER;
  });
}
export type Setting<Value> = z.ZodPipe<z.ZodString, z.ZodTransform<Awaited<Value>, string>>;

/** A whole number between `min` and `max`, both included. */
export function wholeNumber(min: number, max: number): Setting<number> {
  return setting(`a whole number from ${min} to ${max}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

/** A TCP port of a server. */
export function port(): Setting<number> {
  return wholeNumber(1, 65_535);
}

/** A TCP port to listen on; 0 lets the operating system choose. */
export function listenPort(): Setting<number> {
  return wholeNumber(0, 65_535);
}

/** A duration in milliseconds; a plain number, or one with the unit `ms`, `s`, `m` or `h`. At most seven days. */
export function durationMs(min = 0, max: number = durationMsMax): Setting<number> {
  return setting(`a duration from ${min} to ${max} milliseconds, such as 30000, 500ms, 30s or 5m`, (text) => {
    const match = /^(\d{1,12})(ms|s|m|h)?$/.exec(text);
    if (!match) return undefined;
    const value = Number(match[1]) * { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[(match[2] ?? 'ms') as 'ms'];
    return value >= min && value <= max ? value : undefined;
  });
}

/** A URL with one of the given schemes (written with their colon, as in `'https:'`); its text is kept as it is. */
export function url(...schemes: readonly string[]): Setting<string> {
  return setting(`a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`, (text) =>
    isUrl(text, schemes) ? text : undefined,
  );
}

/** URLs separated by commas, at least one; its text is kept as it is. */
export function urls(...schemes: readonly string[]): Setting<string> {
  return setting(`one or more URLs that start with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`, (text) =>
    text.split(',').every((item) => isUrl(item.trim(), schemes)) ? text : undefined,
  );
}

/** The URL of the event log; every URL that `openEventLog` takes. */
export function eventLogUrl(): Setting<string> {
  return url('postgres:', 'postgresql:', 'esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:');
}

/** Texts separated by commas, at least one; spaces around them are dropped. */
export function nonEmptyList(): Setting<string[]> {
  return setting('one or more items separated by commas', (text) => {
    const items = text.split(',').map((item) => item.trim());
    return items.every((item) => item !== '') ? items : undefined;
  });
}

/** `true` or `false` (also `1` and `0`). */
export function flag(): Setting<boolean> {
  return setting('true or false', (text) => ({ true: true, 1: true, false: false, 0: false })[text.toLowerCase()]);
}

/** One of the given words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Setting<Word> {
  return setting<Word>(`one of ${words.join(', ')}`, (text) => words.find((word) => word === text)) as Setting<Word>;
}

/** A text of `min` to `max` characters, such as a secret. */
export function text(min: number, max: number): Setting<string> {
  return setting(`a text of ${min} to ${max} characters`, (value) =>
    value.length >= min && value.length <= max ? value : undefined,
  );
}

const isUrl = (candidate: string, schemes: readonly string[]): boolean => {
  const parsed = URL.parse(candidate);
  return parsed !== null && schemes.includes(parsed.protocol) && candidate.includes('//');
};
