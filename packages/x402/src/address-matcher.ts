// oxlint-disable-next-line no-restricted-imports -- a pure function, which Node has nowhere else.
import { domainToUnicode } from 'node:url';
import { decodingsOf } from './decodings.ts';

/** What of some addresses must not be seen. */
export type AddressMatcher = { isIn(text: string): boolean };

/** How often a text may be unwrapped: base64 inside the escapes of JSON inside base64. */
const unwrapMax = 3;

/** Two digits behind a colon are minutes or seconds. */
const tellingPortMin = 100;

const bare = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/\.$/u, '')
    .replace(/^\[|\]$/gu, '');

const escapeForPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');

/** A host by each of its names: international ones in ASCII, in their own letters, and in the bytes of those. */
const namesOf = (hostname: string): string[] => {
  const host = bare(hostname);
  const unicode = domainToUnicode(host).toLowerCase();
  const names = [host, unicode, Buffer.from(unicode, 'utf8').toString('latin1').toLowerCase()];
  return [...new Set(names)].filter((name) => name !== '');
};

/** A host without a dot is a word of any text (`agent`), so it is looked for where an address has it: behind slashes or before a port. */
const hostPattern = (host: string): RegExp => {
  const name = escapeForPattern(host);
  return /[.:]/u.test(host)
    ? new RegExp(name, 'u')
    : new RegExp(`(?://|@)${name}(?![\\w-])|(?<![\\w.-])${name}(?::|\\s+port\\s+)\\d`, 'u');
};

/** A port behind the word for it, whatever marks are between (`Port 4021`, `"port":4021`, `<port>4021`, `PORT=4021`). */
const namedPort = (port: string): RegExp =>
  new RegExp(String.raw`port[\W_]{0,8}(?:(?:is|no|number)[\W_]{1,4})?${port}(?!\d)`, 'u');

/** A port that an address names. Behind a colon alone, two digits tell nothing. */
const portPatterns = (port: string): RegExp[] => {
  if (port === '') return [];
  return Number(port) < tellingPortMin ? [namedPort(port)] : [new RegExp(`:${port}(?!\\d)`, 'u'), namedPort(port)];
};

/** The host behind two slashes, wherever in a text they stand. Browsers take backslashes for slashes. */
const writtenHost = /[/\\]{2}(?:[^\s/?#\\"'<>]*@)?(\[[\da-f:.]{2,45}\]|[^\s/?#\\"'<>@:,;&|(){}[\]]+)/giu;

/** What may be an address of version 6, wherever it stands. */
const version6 = /[\da-f:.]{3,45}/giu;

const isVersion6 = (token: string): boolean => token.includes('::') || token.split(':').length === 8;

/** Hosts of the addresses in a text, as a URL has them: numbers that mean the same address are the same. */
function* hostsIn(text: string): Generator<string> {
  // A scheme alone is enough where an address is all of the text (`http:2130706433`).
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

/** An address of version 4 as one of version 6 (RFC 4291 §2.5.5.2), as a URL has it; nothing for any other host. */
const mapped = (host: string): string[] => {
  const url = /^[\d.]+$/u.test(host) ? URL.parse(`http://[::ffff:${host}]/`) : null;
  return url === null ? [] : [bare(url.hostname)];
};

/** One number in each base that addresses are written in. */
const inEachBase = (value: number): string => `(?:0*${value}|0x0*${value.toString(16)}|0+${value.toString(8)})`;

const byte = 256;

/**
 * An IPv4 address in the writings that stand for it without being what a URL shows: as one number, as four that are not decimal, and, only
 * before a port, since they look like a version, as two or three (`127.1:80`).
 *
 * @param host a host as a URL has it.
 * @returns a pattern for text in lower case, each writing being a word of its own; null for any other host.
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
 * The host names and ports of addresses, looked for in whatever writing: any case, international or not, percent-encoded, in the escapes
 * of JSON or HTML, in base64, or as an address that means the same host (`http://0x7f.1/`, `2130706433`, `::ffff:7f00:1`). A port counts
 * with its colon or behind the word "port", where it is not the scheme's own.
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
