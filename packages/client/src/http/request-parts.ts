/** The registry's origin, and the path below which a proxy serves it ('' or '/registry'). */
export type BaseUrl = { readonly origin: string; readonly prefix: string };

/** @throws TypeError for anything but an http or https address without credentials, query and fragment; the message does not show it. */
export function readBaseUrl(text: string): BaseUrl {
  if (!URL.canParse(text)) throw new TypeError('baseUrl is no URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError('baseUrl must be http or https');
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl must hold no credentials');
  if (url.search !== '' || url.hash !== '') throw new TypeError('baseUrl must have neither query nor fragment');
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/u, '') };
}

export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The query with its question mark, of the values that are defined. */
export function queryText(values: QueryValues | undefined): string {
  const entries = Object.entries(values ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

/**
 * An agent_id as one segment of a path.
 *
 * @throws TypeError for `.` and `..`, which every URL parser resolves as path steps, even percent-encoded, and for lone surrogates.
 */
export function pathSegment(agentId: string): string {
  if (agentId === '.' || agentId === '..') throw new TypeError(`the agent_id "${agentId}" cannot be used in a URL`);
  if (typeof agentId !== 'string') throw new TypeError('an agent_id is a text');
  if (agentId === '') throw new TypeError('an agent_id has at least one character');
  try {
    return encodeURIComponent(agentId);
  } catch (cause) {
    throw new TypeError('the agent_id is no well-formed text', { cause });
  }
}

/**
 * A value for a header. Checked here, because a runtime's own error for an invalid header shows its value, which may be a key.
 *
 * @throws TypeError that names the header without showing its value.
 */
export function headerText(what: string, value: string, charsMax = 16 * 1024): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/u.test(value))
    throw new TypeError(`${what} must be printable ASCII without spaces around it`);
  if (value.length > charsMax) throw new TypeError(`${what} must have at most ${charsMax} characters`);
  return value;
}
