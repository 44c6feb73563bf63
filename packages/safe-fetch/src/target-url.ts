import { isIP } from 'node:net';
import { outboundLimits } from './limits.ts';
import { OutboundError } from './outbound-error.ts';

export type TargetUrl = {
  url: URL;
  /** Lower-case name, or address without brackets. */
  host: string;
  port: number;
  /** 4 or 6 when `host` is an address, 0 when it is a name. */
  family: 0 | 4 | 6;
};

/**
 * Parses the URL of a target, or throws OutboundError `invalid_url`. The WHATWG parser reads `0x7f.1` or full-width digits as a connection would; what
 * it merely tolerates (backslashes, missing slashes, blanks, control characters) is refused, because other parsers may read it differently.
 */
export function parseTargetUrl(target: string | URL): TargetUrl {
  const text = typeof target === 'string' ? target : target.href;
  if (text.length > outboundLimits.urlCharactersMax) throw new OutboundError('invalid_url', 'too_long');
  if (/[\p{Cc}\p{Z}\\]/u.test(text)) throw new OutboundError('invalid_url', 'forbidden_character');
  if (!/^https?:/i.test(text)) throw new OutboundError('invalid_url', 'scheme');
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) throw new OutboundError('invalid_url', 'no_host');
  if (authority.includes('@')) throw new OutboundError('invalid_url', 'userinfo');
  const url = URL.parse(text);
  if (url === null) throw new OutboundError('invalid_url', 'malformed');
  if (url.username !== '' || url.password !== '') throw new OutboundError('invalid_url', 'userinfo');

  // One trailing dot marks the root of a fully qualified name; certificates and virtual hosts do not have it.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  url.hash = '';
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const family = isIP(host) as 0 | 4 | 6;
  if (family === 0 && !isHostName(host)) throw new OutboundError('invalid_url', 'host_name');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (port === 0) throw new OutboundError('invalid_url', 'port_zero');
  return { url, host, port, family };
}

/** RFC 1123 names, plus the underscore, which is in use: at most 253 characters, labels of at most 63. */
const isHostName = (host: string): boolean =>
  host.length <= 253 && /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/.test(host);
