/** Server-sent events (WHATWG HTML §9.2), as far as a relay needs them. */

/** True for `text/event-stream`, whatever its parameters. */
export const isEventStream = (contentType: string | null): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === 'text/event-stream';

/** True for `application/json` and every `+json` type. */
export const isJson = (contentType: string | null): boolean =>
  /^application\/([\w.!#$&^+-]+\+)?json$/iu.test(contentType?.split(';')[0]?.trim() ?? '');

/** A whole answer as one event: how a plain answer to `message/stream` reaches a caller that reads a stream. */
export const asOneEvent = (body: Uint8Array): Uint8Array => {
  const lines = new TextDecoder().decode(body).split(/\r\n|\r|\n/u);
  return new TextEncoder().encode(`${lines.map((line) => `data: ${line}`).join('\n')}\n\n`);
};

/** The data of every event in a complete stream, in order. */
const eventData = (stream: string): string[] =>
  stream.split(/\r\n\r\n|\n\n|\r\r/u).flatMap((block) => {
    const data = block
      .split(/\r\n|\r|\n/u)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length).replace(/^ /u, ''));
    return data.length === 0 ? [] : [data.join('\n')];
  });

/**
 * The JSON-RPC response among the events that an MCP server sent in answer to one request (a server may answer a POST with a stream
 * that holds notifications and, last, the response), or null when there is none.
 */
export const jsonRpcResponseIn = (stream: Uint8Array): Uint8Array | null => {
  const response = eventData(new TextDecoder().decode(stream)).findLast((data) => {
    try {
      const message: unknown = JSON.parse(data);
      return typeof message === 'object' && message !== null && ('result' in message || 'error' in message);
    } catch {
      return false;
    }
  });
  return response === undefined ? null : new TextEncoder().encode(response);
};
