import { normaliseAuthority, type SignableRequest } from '@agent-trust/http-signature';
import type { FastifyRequest } from 'fastify';

/**
 * A request as its signer saw it. Host, X-Forwarded-Host and the scheme come from the proxies in TRUST_PROXY; if a proxy passes the host of
 * BASE_URL but no scheme, the scheme is that of BASE_URL.
 */
export function signableRequest(request: FastifyRequest, baseUrl: string): SignableRequest {
  const { raw } = request;
  const authority = request.host;
  const base = URL.parse(baseUrl);
  const baseScheme = base?.protocol.slice(0, -1) ?? '';
  return {
    method: raw.method ?? '',
    // The host of a URL is normalised: lower case, and no default port.
    scheme: normaliseAuthority(baseScheme, authority) === base?.host ? baseScheme : request.protocol,
    authority,
    requestTarget: raw.url ?? '',
    headers: linesOf(raw.rawHeaders),
  };
}

/** Node's `headers` joins and drops lines; the signature covers the lines as sent. */
const linesOf = (rawHeaders: readonly string[]): [string, string][] => {
  const lines: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) lines.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return lines;
};

/**
 * The hosts of a gateway: those of BASE_URL and of its listen address. The sender chooses Host, so covering @authority protects a request
 * only if Host must be one of these: otherwise another server could pass on a request that an agent signed for it.
 */
export function ownAuthorities(baseUrl: string, address: string): ReadonlySet<string> {
  const hosts = [baseUrl, address].map((url) => new URL(url).host);
  // On loopback the name and the addresses are equivalent.
  const loopback = hosts.flatMap((host) => {
    const port = /^(?:127\.0\.0\.1|\[::1\]|localhost)(:\d+)?$/u.exec(host);
    return port === null ? [] : ['127.0.0.1', '[::1]', 'localhost'].map((name) => `${name}${port[1] ?? ''}`);
  });
  return new Set([...hosts, ...loopback]);
}
