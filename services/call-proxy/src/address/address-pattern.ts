import { domainToUnicode } from 'node:url';

const escapeForPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');

/**
 * What shows the host of an endpoint, with its port where it stands beside it. A host without a dot is a word of any text (`agent`), so
 * it is looked for where an address has it: behind slashes or before a port.
 *
 * @param written how a name stands in the text that is searched.
 */
export function addressPattern(endpointUrl: string, written = (name: string): string => name): RegExp {
  const hostname = new URL(endpointUrl).hostname.replace(/\.$/u, '');
  const names = new Set([hostname, hostname.replace(/^\[|\]$/gu, ''), domainToUnicode(hostname)]);
  const host = [...names]
    .filter((name) => name !== '')
    .map((name) => escapeForPattern(written(name)))
    .join('|');
  const port = '(?:(?::|%3a|\\s{1,4}port\\s{1,4})\\d{1,5})';
  return /[.:]/u.test(hostname)
    ? new RegExp(`(?:${host})\\.?${port}?`, 'giu')
    : new RegExp(`(?<=//|%2f|@)(?:${host})\\.?${port}?|(?:${host})\\.?${port}`, 'giu');
}
