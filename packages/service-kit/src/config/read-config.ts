import { z } from 'zod';

/** Shorter values (`1`, `true`) may be part of a fault's own text, so they are not redacted. */
const redactedCharactersMin = 6;

export type SettingFault = { name: string; problem: string };

/** The environment does not match the schema. `summary`, and with it `message`, lists every fault in one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly SettingFault[];
  readonly summary: string;

  constructor(faults: readonly SettingFault[]) {
    const summary = faults.map(({ name, problem }) => `${name} ${problem}`).join('; ');
    super(`Wrong settings: ${summary}`);
    this.faults = faults;
    this.summary = summary;
  }
}

/**
 * Reads the settings that `schema` names from the environment. An empty variable counts as unset.
 * @throws {ConfigError} with the name, the problem and the allowed values of every fault. Values are never repeated: any of them may be a
 * secret in the wrong variable.
 */
export function readConfig<Schema extends z.ZodObject>(
  schema: Schema,
  env: NodeJS.ProcessEnv = process.env,
): Readonly<z.output<Schema>> {
  const named = Object.keys(schema.shape).map((name) => [name, env[name] ?? ''] as const);
  const given = Object.fromEntries(named.filter(([, value]) => value.trim() !== ''));
  const result = schema.safeParse(given);
  if (result.success) return Object.freeze(result.data);
  throw new ConfigError(result.error.issues.map((issue) => toFault(issue, given)));
}

const toFault = (issue: z.core.$ZodIssue, given: Record<string, string>): SettingFault => {
  const name = issue.path.length === 0 ? 'The settings' : String(issue.path[0]);
  const values = Object.values(given).filter((value) => value.length >= redactedCharactersMin);
  return { name, problem: values.reduce((problem, value) => problem.replaceAll(value, '…'), issue.message) };
};

const durationMsMax = 7 * 24 * 3_600_000;
const listCharactersMax = 10_000;

/**
 * A setting of one environment variable.
 * @param allowed completes the sentence "must be …"
 * @param parse returns undefined for a text that is not allowed; must not throw
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

export function wholeNumber(min: number, max: number): Setting<number> {
  return setting(`a whole number from ${min} to ${max}`, wholeNumberIn(min, max));
}

/** Parses the text of `wholeNumber`. */
export function wholeNumberIn(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

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

/** A URL with one of the given schemes, such as `'https:'`; the text stays unchanged. */
export function url(...schemes: readonly string[]): Setting<string> {
  return setting(`a URL that starts with ${startsOf(schemes)}`, (text) => (isUrl(text, schemes) ? text : undefined));
}

/** One or more URLs separated by commas; the text stays unchanged. */
export function urls(...schemes: readonly string[]): Setting<string> {
  return setting(`one or more URLs that start with ${startsOf(schemes)}`, (text) =>
    text.split(',').every((item) => isUrl(item.trim(), schemes)) ? text : undefined,
  );
}

/** The URL of the event log; every one that `openEventLog` takes. The address of a cluster of EventStoreDB names several hosts and is no URL. */
export function eventLogUrl(): Setting<string> {
  const schemes = ['postgres:', 'postgresql:', 'esdb:', 'esdb+discover:', 'kurrentdb:', 'kurrentdb+discover:'];
  return setting(
    `a URL that starts with ${startsOf(schemes)}, or names several hosts: esdb://a:2113,b:2113?tls=false`,
    (text) => (isUrl(text, schemes.slice(0, 2)) || eventStoreDbAddress.test(text) ? text : undefined),
  );
}

/** Scheme, user, hosts and options, as far as the client of EventStoreDB reads them; the client itself checks the rest. */
const eventStoreDbAddress =
  /^\s*(?:esdb|kurrentdb)(?:\+discover)?:\/\/(?:[^:@/?]+:[^@]+@)?[^\s:,/?@]+(?::\d{1,5})?(?:[,/][^\s:,/?@]+(?::\d{1,5})?)*\/*(?:\?[^=?&]+=[^&?]+(?:&[^=?&]+=[^&?]+)*)?\/*\s*$/u;

/** `true` or `false` (also `1` and `0`). */
export function flag(): Setting<boolean> {
  return setting('true or false', (text) => ({ true: true, 1: true, false: false, 0: false })[text.toLowerCase()]);
}

export function oneOf<const Word extends string>(...words: readonly Word[]): Setting<Word> {
  return setting<Word>(`one of ${words.join(', ')}`, (text) => words.find((word) => word === text)) as Setting<Word>;
}

export function text(min: number, max: number): Setting<string> {
  return setting(`a text of ${min} to ${max} characters`, (value) =>
    value.length >= min && value.length <= max ? value : undefined,
  );
}

/**
 * Items separated by commas, at most `listCharactersMax` in all. A fault names the position of the first wrong item.
 * @param allowed completes the sentence "must be …"
 * @param parse returns undefined for an item that is not allowed; must not throw
 */
export function list<Value>(allowed: string, parse: (item: string) => Value | undefined): Setting<Value[]> {
  return z.string({ error: () => `is not set; it must be ${allowed}` }).transform((text, context): Value[] => {
    const refuse = (problem: string): never => {
      context.addIssue({ code: 'custom', message: `must be ${allowed}; ${problem}` });
      return z.NEVER;
    };
    if (text.length > listCharactersMax) return refuse(`it has more than ${listCharactersMax} characters`);
    const values: Value[] = [];
    for (const [index, item] of text.split(',').entries()) {
      const value = item.trim() === '' ? undefined : parse(item.trim());
      if (value === undefined) return refuse(`item ${index + 1} is ${item.trim() === '' ? 'empty' : 'not'}`);
      values.push(value);
    }
    return values;
  }) as Setting<Value[]>;
}

/** An Ed25519 seed. */
export function signingSeed(): Setting<Uint8Array> {
  return setting('32 bytes in base64url (43 characters)', (text) => {
    const bytes = Buffer.from(text, 'base64url');
    return bytes.length === 32 && bytes.toString('base64url') === text ? new Uint8Array(bytes) : undefined;
  });
}

const startsOf = (schemes: readonly string[]): string => schemes.map((scheme) => `${scheme}//`).join(' or ');

const isUrl = (candidate: string, schemes: readonly string[]): boolean => {
  const parsed = URL.parse(candidate);
  return parsed !== null && schemes.includes(parsed.protocol) && candidate.includes('//');
};
