import { callRequest } from '@agent-trust/contracts';
import { isJsonText, memberBytes, outside } from '@agent-trust/json-text';

const messageName = 'message';
const names = Object.keys(callRequest.shape);

/**
 * The body of a call without what is in its message, which stays bytes: made into values, ten MiB may be 140 MB, and a call holds its
 * body until its agent has answered. Members that a call has no use for are not looked at either.
 *
 * @param bytes UTF-8.
 * @returns What the schema of a call is held against; `message` is `{}` for any object, and what is no object is as it was sent.
 * @throws SyntaxError for what is no JSON.
 */
export const parseCallBody = (bytes: Buffer): unknown => {
  if (!isJsonText(bytes.toString('utf8'))) throw new SyntaxError('not JSON');
  const body = outside(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    [...memberBytes(bytes, names)].map(([name, value]) => [
      name,
      name === messageName ? outside(value) : JSON.parse(value.toString('utf8')),
    ]),
  );
};

/** The message of a call as its caller wrote it: a view of the body's bytes. Null where the body has none. */
export const messageOf = (body: Buffer): Buffer | null => memberBytes(body, [messageName]).get(messageName) ?? null;
