import { createBoundedMap } from '@agent-trust/limits';

export const redacted = '[redacted]';

/** Patterns of secrets. The characters of a match never include quotes or backslashes, so a scrubbed line of JSON is still JSON. */
const secretsInText: readonly [pattern: RegExp, replacement: string][] = [
  [/(registry-(?:agent|org-sandbox|org|operator)-sk-)[A-Za-z0-9_~.%=+/-]+/gi, `$1${redacted}`],
  [/((?:[?&]|%3F|%26)(?:token|claim_token|api_key|key)(?:=|%3D))[^&\s"'\\#<>]+/gi, `$1${redacted}`],
  // Signed tokens (JWT), also without the word Bearer before them.
  [/\beyJ[\w-]{8,}\.eyJ[\w-]+(?:\.[\w-]*)?/g, redacted],
  [/\b(Bearer\s+)[A-Za-z0-9._~+/=-]{16,}/gi, `$1${redacted}`],
  // Passwords in connection strings: nats://user:password@host, postgres://user:password@host.
  [/(:\/\/[^\s/:@"'\\]*:)[^\s/@"'\\]+@/g, `$1${redacted}@`],
];

/** Every match of a pattern above contains one of these. Nearly all lines have none, so one search replaces four. */
const mayHoldSecret = /registry-|[?&]|%3F|%26|bearer|eyJ|:\/\//i;

/** The text without registry keys, claim tokens, bearer credentials and passwords in URLs. */
export function scrubText(text: string): string {
  if (!mayHoldSecret.test(text)) return text;
  return secretsInText.reduce((scrubbed, [pattern, replacement]) => scrubbed.replace(pattern, replacement), text);
}

/** Limits on what one log line copies from the values given to it. */
export const logLimits = {
  depthMax: 8,
  valuesMax: 1_000,
  stringCharactersMax: 8_192,
  causesMax: 5,
  namesKept: 1_000,
  keptNameCharactersMax: 64,
} as const;

/** Names whose values are never logged; compared in lower case without hyphens and underscores. */
const secretNames: ReadonlySet<string> = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'xapikey',
  'xadminkey',
  'xpayment',
  'paymentsignature',
  'token',
  'claimtoken',
  'claimlink',
  'key',
  'apikey',
  'agentkey',
  'sandboxapikey',
  'adminkey',
  'admintoken',
  'secret',
  'password',
  'pass',
  'privatekey',
]);

/** The answers for names that have occurred; lines have the same few. */
const knownNames = createBoundedMap<string, boolean>({ countMax: logLimits.namesKept });

const isSecretName = (name: string): boolean => {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isSecret = secretNames.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
  if (name.length <= logLimits.keptNameCharactersMax) knownNames.set(name, isSecret);
  return isSecret;
};

/** A copy of `value` for a log: secrets replaced by name, errors with causes as objects, bytes by their length, cut at `logLimits`. Never throws. */
export function toLoggable(value: unknown): unknown {
  return copy(value, { valuesLeft: logLimits.valuesMax }, 0, 0);
}

type Budget = { valuesLeft: number };

const copy = (value: unknown, budget: Budget, depth: number, causes: number): unknown => {
  if (typeof value === 'string') return cut(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  budget.valuesLeft -= 1;
  if (depth >= logLimits.depthMax || budget.valuesLeft < 0) return '[…]';
  try {
    if (value instanceof Error) return copyError(value, budget, depth, causes);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof Map) return copyEntries(value.entries(), budget, depth, causes);
    if (Array.isArray(value) || value instanceof Set) return copyItems(value, budget, depth, causes);
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      return copy(value.toJSON(), budget, depth + 1, causes);
    }
    return copyEntries(Object.entries(value), budget, depth, causes);
  } catch (error) {
    return `[unreadable: ${error instanceof Error ? error.name : typeof error}]`;
  }
};

const copyEntries = (entries: Iterable<[unknown, unknown]>, budget: Budget, depth: number, causes: number): object => {
  const result: Record<string, unknown> = {};
  for (const [name, item] of entries) {
    budget.valuesLeft -= 1;
    if (budget.valuesLeft < 0) return { ...result, '…': '[…]' };
    const key = String(name);
    result[key] = isSecretName(key) && item != null ? redacted : copy(item, budget, depth + 1, causes);
  }
  return result;
};

const copyItems = (items: Iterable<unknown>, budget: Budget, depth: number, causes: number): unknown[] => {
  const result: unknown[] = [];
  let previous: unknown;
  for (const item of items) {
    budget.valuesLeft -= 1;
    if (budget.valuesLeft < 0) return [...result, '[…]'];
    // Raw headers are a flat list of names and values.
    const follows = typeof previous === 'string' && typeof item === 'string' && isSecretName(previous);
    result.push(follows ? redacted : copy(item, budget, depth + 1, causes));
    previous = item;
  }
  return result;
};

/** Read by name; they may also be enumerable. */
const ownErrorFields: ReadonlySet<string> = new Set(['name', 'message', 'stack', 'cause', 'errors']);

const copyError = (error: Error, budget: Budget, depth: number, causes: number): object => {
  const own = Object.entries(error).filter(([name]) => !ownErrorFields.has(name));
  const errors = error instanceof AggregateError ? error.errors.slice(0, logLimits.causesMax) : undefined;
  return {
    type: error.constructor.name === 'Error' ? error.name : error.constructor.name,
    message: cut(error.message),
    ...copyEntries(own, budget, depth, causes),
    stack: cut(error.stack ?? ''),
    ...(errors ? { errors: errors.map((item) => copy(item, budget, depth + 1, causes + 1)) } : {}),
    ...(error.cause === undefined
      ? {}
      : { cause: causes >= logLimits.causesMax ? '[…]' : copy(error.cause, budget, depth + 1, causes + 1) }),
  };
};

const cut = (text: string): string =>
  text.length <= logLimits.stringCharactersMax
    ? text
    : `${text.slice(0, logLimits.stringCharactersMax)}… (${text.length} characters)`;
