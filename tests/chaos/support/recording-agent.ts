import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Finds the request's mark in its body: an agent receives a text part. */
const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

export type AgentRequest = {
  mark: string;
  request: IncomingMessage;
  response: ServerResponse;
};

export type RecordingAgent = {
  url: string;
  /** The number of requests that arrived with each mark. */
  readonly seen: ReadonlyMap<string, number>;
  /** Marks whose answer was written to its end. */
  readonly answered: ReadonlySet<string>;
  /** Requests that the other side closed before the answer was complete. */
  readonly left: ReadonlySet<string>;
  stop: () => Promise<void>;
};

/** An agent on loopback that counts its requests by their text, so that lost and repeated requests are noticed. */
export async function startRecordingAgent(
  answer: (request: AgentRequest) => void | Promise<void>,
): Promise<RecordingAgent> {
  const seen = new Map<string, number>();
  const answered = new Set<string>();
  const left = new Set<string>();
  const server = createServer((request, response) => {
    void (async () => {
      const mark = await readBody(request);
      seen.set(mark, (seen.get(mark) ?? 0) + 1);
      response.once('close', () => (response.writableFinished ? answered : left).add(mark));
      await answer({ mark, request, response });
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen,
    answered,
    left,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers `ok`, at once or after a delay. */
export function answerText({ mark, response }: AgentRequest): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ done: mark }));
}
