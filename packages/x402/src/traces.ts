// oxlint-disable-next-line no-restricted-imports -- a pure function, which Node has nowhere else.
import { domainToUnicode } from 'node:url';

/** What of some addresses must not be seen. */
export type Traces = { areIn(text: string): boolean };

/** How often a text may be unwrapped: base64 inside the escapes of JSON inside base64. */
const unwrapMax = 3;
/** Shorter texts of the base64 alphabet are words. */
const base64CharsMin = 8;

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
    : new RegExp(`(?://|@)${name}(?![\\w-])|(?<![\\w.-])${name}:\\d`, 'u');
};

/** The text decoded, in each way that it may be; not the text itself. */
const decodingsOf = (text: string): string[] => {
  const decodings: string[] = [];
  if (text.includes('%')) {
    // One broken escape must not hide all the others, so they are decoded one by one.
    decodings.push(
      text.replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  }
  if (text.includes('\\')) {
    const unescaped = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
    decodings.push(text.replaceAll(/\\u([0-9a-f]{4})/giu, unescaped).replaceAll('\\/', '/'));
  }
  // Both alphabets: in a path the slash of the one is no part of the other.
  for (const tokens of [/[A-Za-z0-9+/]+/gu, /[\w-]+/gu]) {
    for (const [token] of text.matchAll(tokens)) {
      if (token.length >= base64CharsMin) decodings.push(Buffer.from(token, 'base64').toString('utf8'));
    }
  }
  return decodings.filter((decoded) => decoded !== text);
};

/** The host behind two slashes, wherever in a text they stand. Browsers take backslashes for slashes. */
const writtenHost = /[/\\]{2}(?:[^\s/?#\\"'<>]*@)?(\[[\da-f:.]{2,45}\]|[^\s/?#\\"'<>@:,;&|(){}[\]]+)/giu;

/** Hosts of the addresses in a text, as a URL has them: numbers that mean the same address are the same. */
function* hostsIn(text: string): Generator<string> {
  // A scheme alone is enough where an address is all of the text (`http:2130706433`).
  const whole = /^\s*[a-z][a-z0-9+.-]*:/iu.test(text) ? URL.parse(text.trim()) : null;
  if (whole !== null) yield whole.hostname;
  for (const [, host = ''] of text.matchAll(writtenHost)) {
    const url = URL.parse(`http://${host}/`);
    if (url !== null) yield url.hostname;
  }
}

/**
 * The host names and ports of addresses, looked for in whatever writing: any case, international or not, percent-encoded, in the escapes
 * of JSON, in base64, or as an address that means the same host (`http://2130706433/`, behind slashes or at the beginning of the text: elsewhere
 * a number is a number). A port counts with its colon, where it is not the scheme's own.
 */
export const createTraces = (addresses: readonly string[]): Traces => {
  const urls = addresses.flatMap((address) => URL.parse(address) ?? []);
  const hosts = new Set(urls.map(({ hostname }) => bare(hostname)).filter((host) => host !== ''));
  const patterns = [
    ...[...hosts].flatMap(namesOf).map(hostPattern),
    ...urls.flatMap(({ port }) => (Number(port) < tellingPortMin ? [] : [new RegExp(`:${port}(?!\\d)`, 'u')])),
  ];

  const areIn = (text: string, unwraps: number): boolean => {
    const lower = text.toLowerCase();
    if (patterns.some((pattern) => pattern.test(lower))) return true;
    for (const host of hostsIn(text)) if (hosts.has(bare(host))) return true;
    return unwraps > 0 && decodingsOf(text).some((decoded) => areIn(decoded, unwraps - 1));
  };
  return { areIn: (text) => areIn(text, unwrapMax) };
};
