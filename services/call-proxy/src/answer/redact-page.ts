import { domainToUnicode } from 'node:url';
import { addressMatcherOf } from '@agent-trust/proxy-kit';
import { x402Limits } from '@agent-trust/x402';

/** Replaces an agent's address: a name that no resolver knows (RFC 6761 §6.4). */
export const redactedAddress = 'agent.invalid';

const escapeForPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');

/** One character for each byte, so that any body can be searched and written back unchanged. */
const asLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/**
 * The host of an endpoint in Latin-1 text, with an adjacent port. A host without a dot may be an ordinary word (`agent`), so it is matched only
 * where an address has its host: after slashes or before a port.
 */
const addressPattern = (endpointUrl: string): RegExp => {
  const hostname = new URL(endpointUrl).hostname.replace(/\.$/u, '');
  const names = new Set([hostname, hostname.replace(/^\[|\]$/gu, ''), domainToUnicode(hostname)]);
  const host = [...names]
    .filter((name) => name !== '')
    .map((name) => escapeForPattern(asLatin1(name)))
    .join('|');
  const port = '(?:(?::|%3a|\\s{1,4}port\\s{1,4})\\d{1,5})';
  return /[.:]/u.test(hostname)
    ? new RegExp(`(?:${host})\\.?${port}?`, 'giu')
    : new RegExp(`(?<=//|%2f|@)(?:${host})\\.?${port}?|(?:${host})\\.?${port}`, 'giu');
};

/** A body with the host and port of the endpoint replaced wherever they occur in plain text; the same bytes if they do not. */
export function redactAddress(body: Uint8Array, endpointUrl: string): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const redacted = text.replaceAll(addressPattern(endpointUrl), redactedAddress);
  return redacted === text ? body : Buffer.from(redacted, 'latin1');
}

/** Longer pages are not searched, and so not shown; the same limit as for demands. */
export const pageBytesMax: number = x402Limits.bodyBytesMax;

export const withheldPage = {
  tells: "The agent's answer is not shown: it contains the agent's address.",
  long: `The agent's answer is not shown: it is longer than the ${pageBytesMax / 1024} KiB that are searched for the agent's address.`,
} as const;

/**
 * A page of an error or a redirect as the caller sees it: another name replaces the endpoint's host and port in plain text. A page that contains them
 * in any other notation is withheld: a text of the registry that says why replaces it.
 */
export function redactPage(body: Uint8Array, endpointUrl: string): { body: Uint8Array; isWithheld: boolean } {
  const withheld = (why: string): { body: Uint8Array; isWithheld: boolean } => ({
    body: Buffer.from(why),
    isWithheld: true,
  });
  if (body.byteLength > pageBytesMax) return withheld(withheldPage.long);
  const page = redactAddress(body, endpointUrl);
  // The replacement may begin with the host's own name: `agent`.
  const text = new TextDecoder().decode(page).replaceAll(redactedAddress, ' ');
  return addressMatcherOf(endpointUrl).isIn(text) ? withheld(withheldPage.tells) : { body: page, isWithheld: false };
}
