import { callRequest, faultAt, limits } from '@agent-trust/contracts';
import { type JsonShape, readJson, TooManyMembersError } from '@agent-trust/json-text';

/** A message stays text: read into values, ten MiB may be 140 MB, and a call holds its message until its agent has answered. */
const callShape: JsonShape = {
  members: {
    ...Object.fromEntries(Object.keys(callRequest.shape).map((name) => [name, {}])),
    forwarded_headers: { members: {}, others: true },
  },
};

/**
 * Reads the body of a call, but for what is in its message, and for members that a call does not have. What is left as text is an empty
 * object or array to a schema.
 *
 * @param bytes UTF-8.
 * @throws SyntaxError for what is no JSON; DomainError validation_failed for more members than any call has.
 */
export function parseCallBody(bytes: Buffer): unknown {
  try {
    const body = readJson(bytes, callShape, { membersMax: limits.callMembersMax, valuesMax: limits.callValuesMax });
    if (body === undefined) throw new SyntaxError('not JSON');
    return body;
  } catch (error) {
    if (!(error instanceof TooManyMembersError)) throw error;
    throw faultAt('validation_failed', ['body', ...error.path], `must have at most ${error.membersMax} members`);
  }
}
