// oxlint-disable-next-line no-restricted-imports -- a pure function, which Node offers only here.
import { domainToUnicode } from 'node:url';
import { decodingsOf, unescaped } from './decodings.ts';

/** The parts of some addresses that must not be revealed. */
export type AddressMatcher = { isIn(text: string): boolean };

/** How many times a text may be decoded: base64 inside the escapes of JSON inside base64. */
const unwrapMax = 3;

/** Two digits after a colon are minutes or seconds. */
const distinctPortMin = 100;

const bare = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/\.$/u, '')
    .replace(/^\[|\]$/gu, '');

const escapeForPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');

/** A host under each of its names: international ones in ASCII, in Unicode, and in UTF-8 bytes. */
const namesOf = (hostname: string): string[] => {
  const host = bare(hostname);
  const unicode = domainToUnicode(host).toLowerCase();
  const names = [host, unicode, Buffer.from(unicode, 'utf8').toString('latin1').toLowerCase()];
  return [...new Set(names)].filter((name) => name !== '');
};

/** A host without a dot is an ordinary word (`agent`), so it is searched only where an address has it: after slashes or before a port. */
const hostPattern = (host: string): RegExp => {
  const name = escapeForPattern(host);
  return /[.:]/u.test(host)
    ? new RegExp(name, 'u')
    : new RegExp(`(?://|@)${name}(?![\\w-])|(?<![\\w.-])${name}(?::|\\s+port\\s+)\\d`, 'u');
};

/** A port after the word for it, with any marks between them (`Port 4021`, `"port":4021`, `<port>4021`, `PORT=4021`). */
const namedPort = (port: string): RegExp =>
  new RegExp(String.raw`port[\W_]{0,8}(?:(?:is|no|number)[\W_]{1,4})?${port}(?!\d)`, 'u');

/** A port in an address. After a colon alone, two digits mean nothing. */
const portPatterns = (port: string): RegExp[] => {
  if (port === '') return [];
  return Number(port) < distinctPortMin ? [namedPort(port)] : [new RegExp(`:${port}(?!\\d)`, 'u'), namedPort(port)];
};

/** The host after two slashes, anywhere in a text. Browsers treat backslashes as slashes. */
const writtenHost = /[/\\]{2}(?:[^\s/?#\\"'<>]*@)?(\[[\da-f:.]{2,45}\]|[^\s/?#\\"'<>@:,;&|(){}[\]]+)/giu;

/** Possible addresses of version 6, anywhere in a text. */
const version6 = /[\da-f:.]{3,45}/giu;

const isVersion6 = (token: string): boolean => token.includes('::') || token.split(':').length === 8;

/** Hosts of the addresses in a text, normalised as in a URL: numbers that mean the same address are equal. */
function* hostsIn(text: string): Generator<string> {
  // A scheme alone is enough if an address is the whole text (`http:2130706433`).
  const whole = /^\s*[a-z][a-z0-9+.-]*:/iu.test(text) ? URL.parse(text.trim()) : null;
  if (whole !== null) yield whole.hostname;
  for (const [, host = ''] of text.matchAll(writtenHost)) {
    const url = URL.parse(`http://${host}/`);
    if (url !== null) yield url.hostname;
  }
  for (const [token] of text.matchAll(version6)) {
    const url = isVersion6(token) ? URL.parse(`http://[${token.replace(/(?:\.|(?<!:):)$/u, '')}]/`) : null;
    if (url !== null) yield url.hostname;
  }
}

/** An address of version 4 as one of version 6 (RFC 4291 §2.5.5.2), normalised as in a URL; nothing for any other host. */
const mapped = (host: string): string[] => {
  const url = /^[\d.]+$/u.test(host) ? URL.parse(`http://[::ffff:${host}]/`) : null;
  return url === null ? [] : [bare(url.hostname)];
};

/** One number in each base in which addresses are written. */
const inEachBase = (value: number): string => `(?:0*${value}|0x0*${value.toString(16)}|0+${value.toString(8)})`;

const byte = 256;

/**
 * A pattern for the notations of an IPv4 address that URLs normalise, in lower case: one number, four numbers that are not decimal, and,
 * before a port, two or three numbers (`127.1:80`), which otherwise look like a version. Null for any other host.
 */
const numberPattern = (host: string): RegExp | null => {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/u.test(host)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = host.split('.').map(Number);
  const lowTwo = c * byte + d;
  const lowThree = b * byte ** 2 + lowTwo;
  const dotted = (...parts: number[]): string => parts.map(inEachBase).join(String.raw`\.`);
  const whole = `${inEachBase(a * byte ** 3 + lowThree)}|${dotted(a, b, c, d)}`;
  const short = `(?:${dotted(a, lowThree)}|${dotted(a, b, lowTwo)}):\\d`;
  return new RegExp(String.raw`(?<![\w.])(?:(?:${whole})(?!\w|\.\d)|${short})`, 'u');
};

/**
 * Finds hosts and ports of addresses in any notation: any case, internationalised, percent-encoded, escaped for JSON or HTML, in base64, or
 * as another address of the same host (`http://0x7f.1/`, `2130706433`, `::ffff:7f00:1`). A port counts after a colon or the word "port",
 * unless it is the default.
 */
export function createAddressMatcher(addresses: readonly string[]): AddressMatcher {
  const urls = addresses.flatMap((address) => URL.parse(address) ?? []);
  const named = [...new Set(urls.map(({ hostname }) => bare(hostname)).filter((host) => host !== ''))];
  const hosts = new Set([...named, ...named.flatMap(mapped)]);
  const patterns = [
    ...named.flatMap(namesOf).map(hostPattern),
    ...named.flatMap((host) => numberPattern(host) ?? []),
    ...urls.flatMap(({ port }) => portPatterns(port)),
  ];

  const isIn = (text: string, unwraps: number): boolean => {
    const lower = text.toLowerCase();
    if (patterns.some((pattern) => pattern.test(lower))) return true;
    for (const host of hostsIn(text)) if (hosts.has(bare(host))) return true;
    return unwraps > 0 && decodingsOf(text).some((decoded) => isIn(decoded, unwraps - 1));
  };
  return { isIn: (text) => isIn(text, unwrapMax) };
}

const slash = String.raw`(?:\\?/|%2f|&#x2f;|&#47;)`;
const colon = '(?::|%3a|&#x3a;|&#58;)';

/**
 * A long page with the agent's URLs replaced, in plain text and in the escapes of JSON, URLs and HTML; null if it names the agent in another way.
 * It is not searched for what is coded further: on megabytes of scripts that takes seconds.
 */
export function replaceAddress(page: string, endpointUrl: string, replacement: string): string | null {
  const { hostname, port } = new URL(endpointUrl);
  const place = `${escapeForPattern(hostname)}(?:${port === '' ? `${colon}\\d{1,5}` : `${colon}${port}`})?(?![\\w.-])`;
  const address = new RegExp(`https?${colon}${slash}{2}${place}(?:${slash}(?:\\\\/|[^\\s"'<>\\\\])*)?`, 'giu');
  const pieces = page.split(address);
  // The replacement may have the agent's host: on one machine they share it.
  const rest = pieces.join(' ');
  const patterns = [...namesOf(bare(hostname)).map(hostPattern), ...portPatterns(port)];
  const numbers = numberPattern(bare(hostname));
  if (numbers !== null) patterns.push(numbers);
  const isNamed = [rest, unescaped(rest)].some((text) => {
    const lower = text.toLowerCase();
    return patterns.some((pattern) => pattern.test(lower));
  });
  return isNamed ? null : pieces.join(replacement);
}
