import { createHash, createHmac } from 'node:crypto';

const prefix = 'agent-trust-registry=';

/**
 * The line that an organisation publishes to prove a domain. It is public once it stands there, and worth nothing to anybody else: it proves
 * the domain for this organisation alone. Derived, so that it can be shown again and nothing has to be stored but its hash.
 */
export function tokenLine(secret: string, orgId: string, domain: string): string {
  const token = createHmac('sha256', secret)
    .update(JSON.stringify(['domain-proof', orgId, domain]))
    .digest('base64url');
  return `${prefix}${token}`;
}

export function hashOfLine(line: string): string {
  return createHash('sha256').update(line, 'utf8').digest('hex');
}

/** The hash among these whose line the text has; null for none. */
export function findLine(text: string, tokenHashes: readonly string[]): string | null {
  // A byte order mark, and the line ends of any system, are no part of a line.
  for (const line of text.replace(/^\uFEFF/u, '').split(/[\r\n]+/u)) {
    const trimmed = line.trim();
    if (!trimmed.startsWith(prefix)) continue;
    const hash = hashOfLine(trimmed);
    if (tokenHashes.includes(hash)) return hash;
  }
  return null;
}
