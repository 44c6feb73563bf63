import { callRequest, faultAt, limits } from '@agent-trust/contracts';
import { type JsonShape, readJson, TooManyMembersError } from '@agent-trust/json-text';

/** A message stays text: as values, 10 MiB may take 140 MB, and a call holds its message until its agent has answered. */
const callShape: JsonShape = {
  members: {
    ...Object.fromEntries(Object.keys(callRequest.shape).map((name) => [name, {}])),
    forwarded_headers: { members: {}, others: true },
  },
};

/**
 * Reads the body of a call, except the contents of its message and unknown members. To a schema, what stays text is an empty object or
 * array.
 *
 * @param bytes UTF-8.
 * @throws SyntaxError for text that is not JSON; DomainError validation_failed for too many members.
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
