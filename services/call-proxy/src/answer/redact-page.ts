import { domainToUnicode } from 'node:url';
import { createAddressMatcher, x402Limits } from '@agent-trust/x402';

/** Stands where an agent's address stood: a name that no resolver knows (RFC 6761 §6.4). */
export const redactedAddress = 'agent.invalid';

const escapeForPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');

/** Bytes as characters of the same number, so that any body can be searched and put back unchanged. */
const asLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/**
 * The host of an endpoint in Latin-1 text, with its port where it stands beside it. A host without a dot is a word of any text (`agent`),
 * so it is looked for where an address has it: behind slashes or before a port.
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

/** A body with the host and port of the endpoint replaced wherever they stand in clear; the same bytes where they do not. */
export function redactAddress(body: Uint8Array, endpointUrl: string): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const redacted = text.replaceAll(addressPattern(endpointUrl), redactedAddress);
  return redacted === text ? body : Buffer.from(redacted, 'latin1');
}

/** Longer pages are not searched, and so not shown: the same as with a demand, which is searched in the same way. */
export const pageBytesMax: number = x402Limits.bodyBytesMax;

/** Stand in place of pages that are not shown. */
export const withheldPage = {
  tells: "The agent's answer is not shown: it tells where the agent lives.",
  long: `The agent's answer is not shown: it is longer than the ${pageBytesMax / 1024} KiB that are searched for where the agent lives.`,
} as const;

/**
 * What may be shown of a page for an error or a redirect: where the endpoint's host and port stand in clear, another name stands there;
 * a page that tells them in any other writing is withheld.
 *
 * @returns the page; or, withheld, plain text of the registry's that says why.
 */
export function redactPage(body: Uint8Array, endpointUrl: string): { body: Uint8Array; isWithheld: boolean } {
  const withheld = (why: string): { body: Uint8Array; isWithheld: boolean } => ({
    body: Buffer.from(why),
    isWithheld: true,
  });
  if (body.byteLength > pageBytesMax) return withheld(withheldPage.long);
  const page = redactAddress(body, endpointUrl);
  // The name that stands there now may begin with the host's own: `agent`.
  const text = new TextDecoder().decode(page).replaceAll(redactedAddress, ' ');
  return createAddressMatcher([endpointUrl]).isIn(text)
    ? withheld(withheldPage.tells)
    : { body: page, isWithheld: false };
}
