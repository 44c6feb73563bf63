/** Prefixes of the registry's keys; 32 bytes in base64url follow. */
export const keyPrefixes = {
  agent: 'registry-agent-sk-',
  organisation: 'registry-org-sk-',
  organisationSandbox: 'registry-org-sandbox-sk-',
  operator: 'registry-operator-sk-',
} as const;

/** Any key of the registry, or a part of one. */
const anyKey = new RegExp(Object.values(keyPrefixes).join('|'), 'iu');
/** Possible base64 in either alphabet, long enough for the beginning of a key; in a path the slash of one is no part of the other. */
const maybeBase64 = [/[A-Za-z0-9+/]{20,}/gu, /[\w-]{20,}/gu];
/** Nested encodings: a percent-encoded key in Basic credentials in a percent-encoded query. */
const unwrapMax = 3;

// One broken escape must not hide all the others, so they are decoded one by one.
const percentDecoded = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const readingsOf = (text: string): string[] => [
  ...(text.includes('%') ? [percentDecoded(text)] : []),
  ...maybeBase64.flatMap((tokens) =>
    (text.match(tokens) ?? []).map((token) => Buffer.from(token, 'base64').toString('latin1')),
  ),
];

/**
 * Whether a text (the name or value of a header, a query) contains a key of the registry: plain, percent-encoded, or in base64, as in Basic
 * credentials. An agent that received it by mistake could act for its owner.
 */
export function holdsRegistryKey(text: string): boolean {
  const holds = (reading: string, unwraps: number): boolean =>
    anyKey.test(reading) || (unwraps > 0 && readingsOf(reading).some((inner) => holds(inner, unwraps - 1)));
  return holds(text, unwrapMax);
}
