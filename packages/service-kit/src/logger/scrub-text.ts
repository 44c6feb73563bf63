/** Replaces a secret. */
export const redacted = '[redacted]';

/** Patterns of secrets. The characters of a match never include quotes or backslashes, so a scrubbed line of JSON is still JSON. */
const secretsInText: readonly [pattern: RegExp, replacement: string][] = [
  [/(registry-(?:agent|org-sandbox|org)-sk-)[A-Za-z0-9_~.%=+/-]+/gi, `$1${redacted}`],
  [/((?:[?&]|%3F|%26)(?:token|claim_token|api_key|key)(?:=|%3D))[^&\s"'\\#<>]+/gi, `$1${redacted}`],
  [/\b(Bearer\s+)[A-Za-z0-9._~+/=-]{16,}/gi, `$1${redacted}`],
  // Passwords in connection strings: nats://user:password@host, postgres://user:password@host.
  [/(:\/\/[^\s/:@"'\\]*:)[^\s/@"'\\]+@/g, `$1${redacted}@`],
];

/** The text without registry keys, claim tokens, bearer credentials and passwords in URLs. */
export function scrubText(text: string): string {
  return secretsInText.reduce((scrubbed, [pattern, replacement]) => scrubbed.replace(pattern, replacement), text);
}
