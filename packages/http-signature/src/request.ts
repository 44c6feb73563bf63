import { SignatureRefusal } from './refusal.ts';

export type SignableRequest = {
  /** As in the request line; methods are case-sensitive. */
  readonly method: string;
  /** Of the target URI, `http` or `https`: set by the server that terminates TLS. */
  readonly scheme: string;
  /** Of the target URI, as in Host. */
  readonly authority: string;
  /** As in the request line: a path with its query, or the absolute form. */
  readonly requestTarget: string;
  /** Every field line in order, one entry per line; each character of a value is one octet. */
  readonly headers: readonly (readonly [name: string, value: string])[];
};

/** The parts of the target URI, not decoded: the signature covers the bytes that were sent. */
export type RequestTarget = {
  scheme: string;
  /** Lower case, without the default port of the scheme. */
  authority: string;
  path: string;
  /** With its `?`, or null if the target has none. */
  query: string | null;
};

/** Parses the target of a request (RFC 9110 §7.1). Throws SignatureRefusal for the forms without a path, `*` and `host:port`. */
export function requestTargetOf(request: SignableRequest): RequestTarget {
  const absolute = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(request.requestTarget);
  const scheme = (absolute?.[1] ?? request.scheme).toLowerCase();
  const pathAndQuery = absolute?.[3] ?? request.requestTarget;
  if (absolute === null && !pathAndQuery.startsWith('/')) throw new SignatureRefusal('request_target_unsupported');
  const queryAt = pathAndQuery.indexOf('?');
  return {
    scheme,
    authority: normaliseAuthority(scheme, absolute?.[2] ?? request.authority),
    path: (queryAt === -1 ? pathAndQuery : pathAndQuery.slice(0, queryAt)) || '/',
    query: queryAt === -1 ? null : pathAndQuery.slice(queryAt),
  };
}

export function authorityOf(request: SignableRequest): string {
  return requestTargetOf(request).authority;
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** RFC 9421 §2.2.3: lower case, without the scheme's default port. */
export function normaliseAuthority(scheme: string, authority: string): string {
  const port = /:(\d*)$/.exec(authority)?.[1];
  const isDefault = port !== undefined && (port === '' || port === defaultPorts[scheme]);
  return (isDefault ? authority.slice(0, -(port.length + 1)) : authority).toLowerCase();
}

/** The values of a field, one per line and in order, without surrounding space; null if the field is absent. */
export function fieldLines(request: SignableRequest, name: string): string[] | null {
  const lines = request.headers
    .filter(([lineName]) => lineName.toLowerCase() === name)
    .map(([, value]) => value.replaceAll(/\r\n[ \t]+/g, ' ').replaceAll(/^[ \t]+|[ \t]+$/g, ''));
  return lines.length === 0 ? null : lines;
}

/** A field's value as one text: its lines joined as in RFC 9110 §5.3, or null. */
export function fieldValue(request: SignableRequest, name: string): string | null {
  return fieldLines(request, name)?.join(', ') ?? null;
}
