import { UnexpectedAnswerError } from '../errors.ts';
import type { AnswerInfo } from '../options.ts';
import { readText, unreadable } from './read-body.ts';
import type { ReadAnswer } from './transport.ts';

const infos = new WeakMap<object, AnswerInfo>();

/**
 * Metadata of an answer of this client: status, headers, request id.
 *
 * @param body the very object that an operation returned, not a copy.
 */
export function answerInfo(body: object): AnswerInfo | undefined {
  return infos.get(body);
}

/**
 * Reads a whole answer as JSON.
 *
 * @throws UnexpectedAnswerError for anything but a JSON object or array.
 */
export function readJson<Body>(bytesMax: number): ReadAnswer<Body> {
  return async (response, deadline, info) => {
    const text = await readText(response, bytesMax).catch(unreadable(info.operation, response));
    deadline.end();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      // The parser's own message quotes the text, and an answer may be a key.
      throw new UnexpectedAnswerError(info.operation, `answered ${info.status} without JSON`, info);
    }
    if (typeof body !== 'object' || body === null)
      throw new UnexpectedAnswerError(info.operation, `answered ${info.status}, but not as the registry does`, info);
    infos.set(body, info);
    return body as Body;
  };
}
