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

/** Each header as one value (RFC 9110, section 5.3). */
export function joinedHeaders(headers: Readonly<ResponseHeaders>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );
}

const toText = (item: Buffer | string | undefined): string =>
  typeof item === 'string' ? item : (item ?? Buffer.alloc(0)).toString('latin1');
