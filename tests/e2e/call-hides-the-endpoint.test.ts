/**
 * Bug: an answer discloses the agent's address. Method: an agent at an address that nothing else uses puts it into every place of an answer;
 * everything that callers receive, including headers, is searched byte for byte, raw and in every decoding.
 */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Body, checkAnswer, createOrg, gateways, join, type Member } from '../support/ask.ts';
import { textMessage } from '../support/registry.ts';
import { expectUndisclosed, failingAgents, listenHidden, leakingAnswers } from '../support/leaking-agents.ts';

let caller: Member;
beforeAll(async () => {
  caller = await join((await createOrg()).key);
});

const cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const listen = async (server: Server): Promise<string> => {
  cleanups.push(() => server.close());
  return listenHidden(server);
};

type Received = { status: number; headers: Headers; text: string };

const agentAt = async (url: string, fields: Body = {}): Promise<string> =>
  (await join({}, { endpoint_url: url, settlement_rail: 'x402', ...fields })).agentId;
/** The answer of the agent at `url` to a caller, checked for the agent's address. */
const receiveFrom = async (agentId: string, url: string, method: string): Promise<Received> => {
  const response = await fetch(`${gateways[0]}/call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...caller.auth },
    body: JSON.stringify({ caller_agent_id: caller.agentId, agent_id: agentId, message: textMessage('x', method) }),
  });
  const received = { status: response.status, headers: response.headers, text: await response.text() };
  checkAnswer('POST', '/call', received);
  expectUndisclosed(received, url);
  return received;
};
const receive = async (url: string, method: string): Promise<Received> => receiveFrom(await agentAt(url), url, method);

describe.each(['message/send', 'message/stream'])('%s does not disclose the agent’s address', (method) => {
  let respond: RequestListener;
  let url: string;
  let agents: string[];
  beforeAll(async () => {
    const server = createServer((request, response) => respond(request, response));
    url = await listenHidden(server);
    agents = [
      await agentAt(url),
      await agentAt(url, { a2a_compliant: true }),
      await agentAt(url, { message_protocol: 'mcp' }),
    ];
    return () => server.close();
  });

  it.each(leakingAnswers)('by %s', async (_what, answer) => {
    respond = answer(url);
    for (const agentId of agents) expect((await receiveFrom(agentId, url, method)).status).toBe(200);
  });

  it.each(failingAgents)('by the error for an agent %s', async (_what, endpointOf, raw) => {
    const server = createTcpServer((socket) =>
      raw === null ? socket.destroy() : socket.on('error', () => undefined).once('data', () => socket.end(raw)),
    );
    const endpoint = endpointOf(await listen(server));
    const { status, text } = await receive(endpoint, method);
    expect([status, JSON.parse(text)]).toEqual([502, expect.objectContaining({ code: 'downstream_failed' })]);
  });
});

it('an answer without the address passes unchanged, compressed or not', async () => {
  const packed = gzipSync('{"a":1}');
  const url = await listen(
    createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed),
    ),
  );
  const { text } = await receive(url, 'message/send');
  expect(JSON.parse(text)).toMatchObject({
    body: packed.toString('base64'),
    response_headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
  });
});

it('an answer that encodes the address beyond redaction is withheld, and the caller gets the reason', async () => {
  const url = await listen(
    createServer((_request, response) =>
      response
        .writeHead(502, { 'content-type': 'application/json' })
        .end(JSON.stringify({ port: Number(new URL(url).port) })),
    ),
  );
  const { text } = await receive(url, 'message/send');
  expect(JSON.parse(text)).toMatchObject({
    status_code: 502,
    body: "The agent's answer is not shown: it contains the agent's address.",
    response_headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
});

it.each([
  '<address>Apache Server at www.other.example Port 443</address>',
  'connect ECONNREFUSED 10.1.2.3:5432 after 2130706433 ns; see http://docs.example:8081/#500',
])('a page without the address passes unchanged: %s', async (page) => {
  const url = await listen(
    createServer((_request, response) => response.writeHead(500, { 'content-type': 'text/html' }).end(page)),
  );
  expect(JSON.parse((await receive(url, 'message/send')).text)).toMatchObject({ status_code: 500, body: page });
});
