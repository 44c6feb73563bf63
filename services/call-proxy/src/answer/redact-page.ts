import { domainToUnicode } from 'node:url';
import { addressMatcherOf } from '@agent-trust/proxy-kit';
import { x402Limits } from '@agent-trust/x402';

/** Replaces an agent's address: a name that no resolver knows (RFC 6761 §6.4). */
export const redactedAddress = 'agent.invalid';

/** Replaces an endpoint's path, its query, and long words of both. */
export const redactedWord = 'hidden';

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

/** A word of a path or query that is this long is no ordinary one, and is hidden by itself: a page may show it without the rest. */
const secretCharsMin = 16;

/** A text with its special characters as they are, or in the escapes of URLs, HTML and JSON. */
const inAnyEscape = (text: string): string =>
  asLatin1(text).replaceAll(/[^0-9a-z]/giu, (character) => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16).padStart(2, '0');
    const escapes = [escapeForPattern(character), `%${hex}`, `&#x0*${hex};`, `&#0*${code};`, `\\\\u00${hex}`];
    if (character === '/') escapes.push('\\\\/');
    if (character === '&') escapes.push('&amp;');
    return `(?:${escapes.join('|')})`;
  });

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The path of an endpoint as a whole, its query, and the long words of both; null if it has neither. */
const pathPattern = (endpointUrl: string): RegExp | null => {
  const { pathname, search, searchParams } = new URL(endpointUrl);
  const bothForms = (text: string): string[] => [...new Set([text, decoded(text)])].map(inAnyEscape);
  const paths = pathname === '/' ? [] : bothForms(pathname.replace(/\/$/u, ''));
  const words = [...pathname.split('/'), ...searchParams.values()].filter((word) => word.length >= secretCharsMin);
  const hidden = [
    // Not the end of an element (`</a>`), nor a part of another path.
    ...paths.map((path) => `(?:(?<![\\w<])|(?<=${escapeForPattern(redactedAddress)}))${path}(?![\\w-])`),
    ...[...(search === '' ? [] : [search.slice(1)]), ...words].flatMap(bothForms),
  ];
  return hidden.length === 0 ? null : new RegExp(hidden.join('|'), 'giu');
};

/**
 * A body with the host and port of the endpoint replaced wherever they occur in plain text, and its path and query in any usual escape; the
 * same bytes if they do not occur.
 */
export function redactAddress(body: Uint8Array, endpointUrl: string): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const withoutHost = text.replaceAll(addressPattern(endpointUrl), redactedAddress);
  const path = pathPattern(endpointUrl);
  const redacted =
    path === null
      ? withoutHost
      : withoutHost.replaceAll(path, (found) => (/^[0-9a-z]/iu.test(found) ? redactedWord : `/${redactedWord}`));
  return redacted === text ? body : Buffer.from(redacted, 'latin1');
}

/** Longer pages are not searched, and so not shown; the same limit as for demands. */
export const pageBytesMax: number = x402Limits.bodyBytesMax;

export const withheldPage = {
  tells: "The agent's answer is not shown: it contains the agent's address.",
  long: `The agent's answer is not shown: it is longer than the ${pageBytesMax / 1024} KiB that are searched for the agent's address.`,
} as const;

/**
 * A page of an error or a redirect as the caller sees it: other names replace the endpoint's host and port in plain text, and
 * its path and query. A page that contains host or port
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
