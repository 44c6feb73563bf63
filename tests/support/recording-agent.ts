import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { listen, type RunningAgent } from '@agent-trust/dev-stack/demo-agents';
import { endpointMark, hideHost } from './ask.ts';

export type ReceivedRequest = { method: string; url: URL; headers: IncomingHttpHeaders; body: string };
export type RecordingAgent = RunningAgent & { received: ReceivedRequest[]; last: () => ReceivedRequest };
export type Respond = (
  request: ReceivedRequest,
  response: ServerResponse,
  raw: IncomingMessage,
) => void | Promise<void>;

export function respondJson(status: number, body: unknown, headers: Record<string, string> = {}): Respond {
  return (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** An agent on loopback that records its requests. No answer may show its address. */
export async function startRecordingAgent(respond: Respond = respondJson(200, { ok: true })): Promise<RecordingAgent> {
  const received: ReceivedRequest[] = [];
  const agent = await listen((raw, response) => {
    const chunks: Buffer[] = [];
    raw.on('data', (chunk: Buffer) => chunks.push(chunk));
    raw.on('end', () => {
      const request = {
        method: raw.method ?? '',
        url: new URL(raw.url ?? '/', 'http://agent'),
        headers: raw.headers,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(request);
      // If `respond` fails, the connection breaks, and the test sees what callers see.
      Promise.resolve(respond(request, response, raw)).catch(() => response.destroy());
    });
  }, `/${endpointMark}`);
  hideHost(agent.url);
  return {
    ...agent,
    received,
    last: () => {
      const request = received.at(-1);
      if (request === undefined) throw new Error('the agent received no request');
      return request;
    },
  };
}
