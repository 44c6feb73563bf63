/**
 * Bug: an answer to a payer discloses the agent's address. Method as in `call-hides-the-endpoint`: an agent at an address that nothing else
 * uses puts it into every place of an answer, and every byte is searched, raw and in every decoding.
 */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adminToken, createOrg, gateways, get, join } from '../support/ask.ts';
import { expectUndisclosed, failingAgents, listenHidden, leakingAnswers } from '../support/leaking-agents.ts';

const cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const listen = (server: Server): Promise<string> => {
  cleanups.push(() => server.close());
  return listenHidden(server);
};
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const payment = base64({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: { signature: '0x1' } });

/** Everything on the wire, including trailers and the reason phrase. */
const receive = async (url: string, payUrl: string, method: string, headers: string[]): Promise<number> => {
  const { hostname, port, pathname } = new URL(payUrl);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const lines = [`${method} ${pathname}?a=1 HTTP/1.1`, `host: ${hostname}:${port}`, 'connection: close', ...headers];
  const body = method === 'POST' ? '{"pay":1}' : '';
  socket.write(`${lines.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString('latin1');
  expectUndisclosed({ headers: new Headers(), text }, url);
  return Number(text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
};

const agentAt = async (url: string): Promise<string> =>
  (await join((await createOrg()).key, { endpoint_url: url, settlement_rail: 'x402' })).agentId;
/** Sends the agent at `url` a request without and with payment by both methods; returns the statuses. */
const payAll = async (url: string, agentId: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (const method of ['GET', 'POST'])
    for (const headers of [
      [],
      [`x-payment: ${payment}`],
      [`payment-signature: ${payment}`, 'te: trailers', 'via: 1.1 proxy', 'x-request-id: of-the-payer'],
    ])
      statuses.push(await receive(url, `${gateways[0]}/pay/${agentId}`, method, headers));
  return statuses;
};

describe('/pay does not disclose the agent’s address', () => {
  let respond: RequestListener;
  let leakingUrl: string;
  let leakingAgent: string;
  beforeAll(async () => {
    const server = createServer((request, response) => respond(request, response));
    leakingUrl = await listenHidden(server);
    leakingAgent = await agentAt(leakingUrl);
    return () => server.close();
  });

  it.each(leakingAnswers)('by %s', async (_what, answer) => {
    respond = answer(leakingUrl);
    const statuses = await payAll(leakingUrl, leakingAgent);
    // Each answer has the agent's own status.
    expect(new Set(statuses).size).toBe(1);
    expect(statuses).not.toContain(502);
  });

  it.each(failingAgents)('by the error for an agent %s', async (_what, endpointOf, raw) => {
    const server = createTcpServer((socket) =>
      raw === null ? socket.destroy() : socket.on('error', () => undefined).once('data', () => socket.end(raw)),
    );
    const url = endpointOf(await listen(server));
    const statuses = await payAll(url, await agentAt(url));
    // An agent that breaks off has begun its answer, which breaks off, too.
    expect([502, raw?.startsWith('HTTP/1.1 200') === true ? 200 : 502]).toContain(Math.max(...statuses));
    expect(Math.max(...statuses)).toBeLessThanOrEqual(502);
  });

  it("the records of settlements show the address only to the agent's organisation and to operators", async () => {
    const owner = await createOrg();
    const server = createServer((_request, response) => {
      const { host } = new URL(url);
      const reported = {
        success: true,
        network: 'base-sepolia',
        transaction: `tx-at-${url}`,
        payer: host,
        payTo: host,
      };
      response.writeHead(200, { 'x-payment-response': base64(reported) }).end('{}');
    });
    const url = await listen(server);
    const { agentId } = await join(owner.key, { endpoint_url: url, settlement_rail: 'x402' });
    const answer = await fetch(`${gateways[0]}/pay/${agentId}`, { headers: { 'x-payment': payment } });
    expectUndisclosed({ headers: answer.headers, text: await answer.text() }, url);
    // The owner knows its endpoint, and operators may see it; others have no settlement to read.
    const [own] = (await get('/org/payments', owner.key)).list;
    expect(own?.['receiver_agent_id']).toBe(agentId);
    const outsider = await createOrg();
    for (const [path, headers] of [
      ['/org/payments', outsider.key],
      [`/agent/${agentId}`, outsider.key],
      [`/agent/${agentId}`, {}],
      ['/registry?limit=200', {}],
    ] as const) {
      const seen = await get(path, headers);
      expectUndisclosed(seen, url);
    }
    expect((await get('/ops/settlements', outsider.key)).status).toBe(401);
    // Other tests of this stack pay as well.
    const receivers = (await get('/ops/settlements?limit=200', adminToken)).list.map((one) => one['receiver_agent_id']);
    expect(receivers).toContain(agentId);
  });
});
