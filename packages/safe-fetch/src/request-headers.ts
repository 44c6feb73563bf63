import { hopByHopHeaders } from './hop-by-hop-headers.ts';
import { outboundLimits } from './limits.ts';
import { OutboundError } from './outbound-error.ts';

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
