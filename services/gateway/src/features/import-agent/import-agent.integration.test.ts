import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importResponse } from '@agent-trust/contracts';
import { waitFor, startRunTime } from '@agent-trust/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importLimits } from './limits.ts';
import { card02, card03 } from './testing/cards.ts';
import { type GatewayUnderTest, post, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let under: GatewayUnderTest;
let server: Server;
let domain = '';
let answer: Answer;
const asked: string[] = [];
let lastAddress = 0;
let address = '';

beforeAll(async () => {
  under = await startGatewayUnderTest({ TRUST_PROXY: '127.0.0.1', OUTBOUND_ALLOW: '127.0.0.1' });
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  domain = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked.length = 0;
  lastAddress += 1;
  address = `198.51.100.${lastAddress}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await under.stop();
});

const importFrom = (domainUrl: unknown, from = address): Promise<Response> =>
  post(`${under.url}/import-agent`, { domain_url: domainUrl }, { 'x-forwarded-for': from });
const refusal = async (response: Response): Promise<unknown[]> => {
  const { code, detail } = (await response.json()) as { code: unknown; detail: unknown };
  return [response.status, code, JSON.stringify(detail)];
};
const serve =
  (cards: Record<string, unknown>): Answer =>
  (request, response) => {
    const card = cards[request.url ?? ''];
    if (card === undefined) response.writeHead(404).end('not here');
    else response.end(typeof card === 'string' || card instanceof Buffer ? card : JSON.stringify(card));
  };
const newer = '/.well-known/agent-card.json';
const older = '/.well-known/agent.json';

describe('POST /import-agent', () => {
  it('reads the newer path first, over http if a private target speaks it', async () => {
    answer = serve({ [newer]: card03, [older]: card02 });
    const response = await importFrom(domain);
    const body = importResponse.parse(await response.json());
    expect([response.status, body.source_url, body.preview.org_name]).toEqual([
      200,
      `http://${domain}${newer}`,
      'Example Geo Services Inc.',
    ]);
    expect(asked).toEqual([newer]);
  });

  it.each([
    ['nothing', {}],
    ['a page', { [newer]: '<html>' }],
    ['a document that is no card', { [newer]: { hello: 'world' } }],
    ['more than a card may have', { [newer]: JSON.stringify({ ...card03, x: 'x'.repeat(importLimits.cardBytesMax) }) }],
  ])('reads the older path if the newer one has %s', async (_what, cards) => {
    answer = serve({ [older]: card02, ...cards });
    const body = importResponse.parse(await (await importFrom(`http://${domain}/agents/a`)).json());
    expect(body.source_url).toBe(`http://${domain}${older}`);
    expect(asked).toEqual([newer, older]);
  });

  it('reports what it found instead of a card', async () => {
    answer = (request, response) => {
      if (request.url === newer) response.writeHead(301, { location: 'http://evil.example/' }).end();
      else response.end('{"name":"<script>"}');
    };
    const [status, code, detail] = await refusal(await importFrom(domain));
    expect([status, code]).toEqual([422, 'agent_card_invalid']);
    expect(detail).toContain('status 301; redirects are not followed');
    expect(detail).toContain('it has neither an address nor skills');
    expect(detail).not.toMatch(/evil|script/u);
    expect(JSON.parse(String(detail))).toMatchObject([{ loc: ['body', 'domain_url'], type: 'agent_card_invalid' }]);
  });

  it.each(['no domain', 'javascript:alert(1)', 'https://user@a.example', 'example', ''])('%j is 422', async (text) => {
    expect((await importFrom(text)).status).toBe(422);
    expect(asked).toEqual([]);
  });

  it.each(['10.0.0.1', '169.254.169.254', '[::1]', 'http://0x7f000002/', '127.0.0.2'])(
    '%s is not allowed, and the answer reveals nothing of it',
    async (text) => {
      const [status, code, detail] = await refusal(await importFrom(text));
      expect([status, code]).toEqual([422, 'domain_not_allowed']);
      expect(detail).not.toMatch(/private|127|169\.254|loopback/u);
    },
  );

  it.each<[string, Answer]>([
    ['hangs up', (request) => request.socket.destroy()],
    ['speaks something else', (request) => request.socket.end('SSH-2.0-OpenSSH_9\r\n')],
    [
      'ends in the middle',
      (request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{');
        request.socket.destroy();
      },
    ],
  ])('a domain that %s is 502', async (_what, how) => {
    answer = how;
    expect((await refusal(await importFrom(`http://${domain}`))).slice(0, 2)).toEqual([502, 'domain_unreachable']);
  });

  it('a domain that does not answer is 502 after a timeout', async () => {
    answer = () => undefined;
    const tookMs = startRunTime();
    expect(await refusal(await importFrom(`http://${domain}`))).toEqual([
      502,
      'domain_unreachable',
      '"the domain did not answer in time"',
    ]);
    expect(tookMs()).toBeLessThan(importLimits.fetchTimeoutMs + 2_000);
    server.closeAllConnections();
  });

  it('an address may import a few at a time, and no more per minute than documented', async () => {
    const waiting: ServerResponse[] = [];
    answer = (_request, response) => void waiting.push(response);
    const underWay = Array.from({ length: importLimits.imports.ownerMax }, () => importFrom(`http://${domain}`));
    await waitFor(() => waiting.length === importLimits.imports.ownerMax);
    const inTurn = importFrom(`http://${domain}`);
    const other = importFrom(`http://${domain}`, '203.0.113.9');
    await waitFor(() => waiting.length === importLimits.imports.ownerMax + 1);
    expect(waiting.length).toBe(importLimits.imports.ownerMax + 1);
    for (const response of waiting) response.end(JSON.stringify(card02));
    await waitFor(() => waiting.length === importLimits.imports.ownerMax + 2);
    waiting.at(-1)?.end(JSON.stringify(card02));
    const answers = await Promise.all([...underWay, inTurn, other]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);

    answer = serve({ [newer]: card02 });
    const statuses: number[] = [];
    while (statuses.length < 30 && !statuses.includes(429)) statuses.push((await importFrom('no domain')).status);
    // Five requests of this address were counted above; refused ones count, too.
    expect([statuses.length, statuses.at(-1)]).toEqual([26, 429]);
    const limited = await importFrom(domain);
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('stops its work if the client disconnects', async () => {
    let isClosed = false;
    let isAsked = false;
    answer = (request) => {
      isAsked = true;
      request.socket.on('close', () => {
        isClosed = true;
      });
    };
    const controller = new AbortController();
    const gone = fetch(`${under.url}/import-agent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ domain_url: `http://${domain}` }),
      signal: controller.signal,
    }).catch(() => 'gone');
    await waitFor(() => isAsked);
    controller.abort();
    expect(await gone).toBe('gone');
    await waitFor(() => isClosed);
  });
});
