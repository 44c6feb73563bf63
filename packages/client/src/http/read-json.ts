import { UnexpectedAnswerError } from '../errors.ts';
import type { AnswerInfo } from '../options.ts';
import { readText, unreadable } from './read-body.ts';
import type { ReadAnswer } from './transport.ts';

const infos = new WeakMap<object, AnswerInfo>();

/**
 * What an answer of this client says besides its body: status, headers, request id.
 *
 * @param body what an operation answered, itself and no copy of it.
 */
export function answerInfo(body: object): AnswerInfo | undefined {
  return infos.get(body);
}

/**
 * Reads a whole answer as JSON.
 *
 * @throws UnexpectedAnswerError for what is no JSON, and for JSON that is neither an object nor an array, which no registry answers.
 */
export function readJson<Body>(bytesMax: number): ReadAnswer<Body> {
  return async (response, deadline, info) => {
    const text = await readText(response, bytesMax).catch(unreadable(info.operation, response));
    deadline.end();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      // The parser's own complaint shows a piece of the text, and an answer may be a key.
      throw new UnexpectedAnswerError(info.operation, `answered ${info.status} without JSON`, info);
    }
    if (typeof body !== 'object' || body === null)
      throw new UnexpectedAnswerError(info.operation, `answered ${info.status}, but not as the registry does`, info);
    infos.set(body, info);
    return body as Body;
  };
}
