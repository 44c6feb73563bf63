import { outboundLimits } from './limits.ts';
import { OutboundError } from './outbound-error.ts';

/** Headers of one hop, not of the message (RFC 9110, section 7.6.1); names in lower case. A Connection header may name more. */
export const hopByHopHeaders: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers of one connection, or derived from URL and body; the client writes its own. */
const ownedByConnection: ReadonlySet<string> = new Set([...hopByHopHeaders, 'content-length', 'host']);

/**
 * The headers as they are sent: those of the connection are dropped, and `accept-encoding: identity` is added unless the caller names an encoding,
 * because bodies are passed on unchanged and a small compressed one may unpack to any size.
 *
 * @throws {OutboundError} `protocol` for a name or value that HTTP does not allow, `too_large` beyond the limits.
 */
export function toSentHeaders(headers: RequestHeaders): string[] {
  const sent: string[] = [];
  let bytes = 0;
  let acceptsEncoding = false;
  for (const [name, values] of Object.entries(headers)) {
    const lowerName = name.toLowerCase();
    if (values === undefined || ownedByConnection.has(lowerName)) continue;
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name)) throw new OutboundError('protocol', 'header_name');
    acceptsEncoding ||= lowerName === 'accept-encoding';
    for (const value of typeof values === 'string' ? [values] : values) {
      // Tab, visible ASCII and the obsolete upper half (RFC 9110, section 5.5); no line breaks, no other controls.
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw new OutboundError('protocol', 'header_value');
      bytes += name.length + value.length + 4;
      sent.push(name, value);
    }
  }
  if (bytes > outboundLimits.requestHeaderBytesMax) throw new OutboundError('too_large', 'request_headers');
  if (sent.length / 2 > outboundLimits.requestHeadersMax) throw new OutboundError('too_large', 'request_headers');
  return acceptsEncoding ? sent : [...sent, 'accept-encoding', 'identity'];
}

/** Names in lower case; a header that occurs more than once is an array. Without prototype: the target chooses the names. */
export type ResponseHeaders = Record<string, string | string[]>;

/** Reads undici's raw list of names and values; bytes above ASCII are read as Latin-1, as Node does. */
export function readResponseHeaders(raw: readonly (Buffer | string)[]): ResponseHeaders {
  const headers: ResponseHeaders = Object.create(null) as ResponseHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = toText(raw[index]).toLowerCase();
    const value = toText(raw[index + 1]);
    const earlier = headers[name];
    headers[name] =
      earlier === undefined ? value : typeof earlier === 'string' ? [earlier, value] : [...earlier, value];
  }
  return headers;
}

export function joinedHeaders(headers: Readonly<ResponseHeaders>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );
}

const toText = (item: Buffer | string | undefined): string =>
  typeof item === 'string' ? item : (item ?? Buffer.alloc(0)).toString('latin1');
