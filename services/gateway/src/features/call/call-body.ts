import { callRequest, limits } from '@agent-trust/contracts';
import { isJsonText, memberBytes, outside } from '@agent-trust/json-text';

const messageName = 'message';
const names = Object.keys(callRequest.shape);

/** Characters of JSON that one byte of a header may be written in: `\u00e4`. */
const escapeCharsMax = 6;
/** Text of any other member of a call. The longest that a call may have is its headers, each byte of them an escape, with room for spaces. */
export const memberBytesMax: number = limits.forwardedHeadersBytesMax * escapeCharsMax + 16 * 1024;

/** Stands for an object that is longer: each of its headers may be one of a call, together they are more than that. */
const tooManyHeaders = (): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: Math.ceil(limits.forwardedHeadersBytesMax / limits.forwardedHeaderBytesMax) }, (_, index) => [
      `x-${index}`,
      'x'.repeat(limits.forwardedHeaderBytesMax),
    ]),
  );

/** A member that is too long for any call is not made into values; what stands for it is refused by its schema as the member would be. */
const valueOf = (name: string, value: Buffer): unknown => {
  if (name === messageName) return outside(value);
  if (value.length <= memberBytesMax) return JSON.parse(value.toString('utf8'));
  const shell = outside(value);
  return typeof shell === 'object' && !Array.isArray(shell) ? tooManyHeaders() : shell;
};

/**
 * The body of a call without what is in its message, which stays bytes: made into values, ten MiB may be 140 MB, and a call holds its
 * body until its agent has answered. Members that a call has no use for, or that are too long for it, are not looked at either.
 *
 * @param bytes UTF-8.
 * @returns What the schema of a call is held against; `message` is `{}` for any object, and what is no object is as it was sent.
 * @throws SyntaxError for what is no JSON.
 */
export function parseCallBody(bytes: Buffer): unknown {
  if (!isJsonText(bytes.toString('utf8'))) throw new SyntaxError('not JSON');
  const body = outside(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries([...memberBytes(bytes, names)].map(([name, value]) => [name, valueOf(name, value)]));
}

/** The message of a call as its caller wrote it: a view of the body's bytes. Null where the body has none. */
export function messageOf(body: Buffer): Buffer | null {
  return memberBytes(body, [messageName]).get(messageName) ?? null;
}
