/**
 * Bug: the check of answers passes everything because it does not look. Method: answers with one defect each go through the same check as
 * the answers of all other end-to-end tests; and a faulty gateway runs behind the proxy of those tests.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, get, join, stack, verify } from '../support/ask.ts';
import type { OpenApiDocument } from '../support/openapi/careful-reader.ts';
import { startCheckedGateways } from '../support/openapi/checked-gateways.ts';
import type { Exchange } from '../support/openapi/exchange.ts';
import { judgeOf } from '../support/openapi/judge.ts';
import { prismProxyOf } from '../support/openapi/prism.ts';

let document: OpenApiDocument;
let judge: (exchange: Exchange) => Promise<string[]>;
/** A correct answer of POST /verify. */
let verdict: Body;
beforeAll(async () => {
  document = (await get('/openapi.json')).body as OpenApiDocument;
  judge = await judgeOf(document);
  const { agentId } = await join();
  verdict = (await verify(agentId)).body;
});

const ownHeaders: Exchange['headers'] = [
  ['Content-Type', 'application/json; charset=utf-8'],
  ['X-Request-Id', 'one'],
  ['X-Content-Type-Options', 'nosniff'],
];
const verified = (body: unknown, more: Partial<Exchange> = {}): Exchange => ({
  method: 'POST',
  target: '/verify',
  status: 200,
  headers: ownHeaders,
  body: Buffer.from(JSON.stringify(body)),
  isWhole: true,
  ...more,
});
const refusal = (code: string, more: Body = {}): Body => ({ detail: 'no', code, request_id: 'one', ...more });

describe('an answer', () => {
  it('that is correct has no violation', async () => {
    expect(await judge(verified(verdict))).toEqual([]);
    expect(await judge(verified(refusal('invalid_api_key'), { status: 401 }))).toEqual([]);
    expect(await judge(verified(refusal('route_not_found'), { target: '/nowhere', status: 404 }))).toEqual([]);
  });

  it.each<[string, () => Exchange, RegExp]>([
    [
      'a field of another type',
      () => verified({ ...verdict, trust_score: '7' }),
      /^POST \/verify 200: body\.trust_score: .*number|integer/u,
    ],
    [
      'a field deep inside',
      () => verified({ ...verdict, routing: { ...(verdict['routing'] as Body), protocol: 7 } }),
      /: body\.routing\.protocol: /u,
    ],
    [
      'a value outside of an enumeration',
      () => verified({ ...verdict, recommended_action: 'maybe' }),
      /: body\.recommended_action: /u,
    ],
    ['a field that is missing', () => verified({ ...verdict, agent_id: undefined }), /: body: .*agent_id/u],
    ['a field that is not described', () => verified({ ...verdict, secret: 1 }), /: body: .*\(secret\)/u],
    [
      'an undescribed field deep inside',
      () => verified({ ...verdict, routing: { ...(verdict['routing'] as Body), at: 1 } }),
      /: body\.routing: .*\(at\)/u,
    ],
    [
      'a status that is not described',
      () => verified(refusal('internal'), { status: 418 }),
      /^POST \/verify 418: status 418/u,
    ],
    [
      'a code that the route does not have',
      () => verified(refusal('same_org_domain'), { status: 401 }),
      /^POST \/verify 401: body\.code: /u,
    ],
    [
      'another content type',
      () => verified(verdict, { headers: [['Content-Type', 'text/html'], ...ownHeaders.slice(1)] }),
      /text\/html/u,
    ],
    ['no content type', () => verified(verdict, { headers: ownHeaders.slice(1) }), /header content-type: none/u],
    [
      'a header that is not described',
      () => verified(verdict, { headers: [...ownHeaders, ['X-Powered-By', 'x']] }),
      /: header x-powered-by: /u,
    ],
    [
      'a header of another type',
      () => verified([], { method: 'GET', target: '/registry', headers: [...ownHeaders, ['X-Total-Count', 'ten']] }),
      /^GET \/registry 200: header\.x-total-count: /u,
    ],
    ['no such route', () => verified({}, { target: '/nowhere' }), /^POST \/nowhere 200: no such operation/u],
    ['no such method', () => verified(verdict, { method: 'PUT' }), /^PUT \/verify 200: no such operation/u],
    [
      'a route that the gateway lacks',
      () => verified(refusal('route_not_found'), { status: 404 }),
      /^POST \/verify 404: body\.code/u,
    ],
    [
      'a body in answer to HEAD',
      () => verified({}, { method: 'HEAD', target: '/health' }),
      /^HEAD \/health 200: body: /u,
    ],
    [
      'a body in answer to a preflight',
      () => verified(verdict, { method: 'OPTIONS', status: 204 }),
      /^OPTIONS \/verify 204: status 204/u,
    ],
  ])('with %s is reported', async (_what, exchange, reported) => {
    expect((await judge(exchange())).filter((violation) => reported.test(violation))).not.toEqual([]);
  });
});

/** If Prism cannot compile a schema, it accepts every value for it. */
it('Prism has a schema for every JSON answer of the document, and finds a text outside of it', async () => {
  const prism = await prismProxyOf(document);
  const unseen: string[] = [];
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, { responses }] of Object.entries(operations))
      for (const [status, { content = {} }] of Object.entries(responses)) {
        const schema = content['application/json']?.schema;
        // An agent's answer is relayed unchanged.
        if (schema === undefined || status === 'default' || content['*/*'] !== undefined) continue;
        const target = path.replaceAll(/\{\w+\}/gu, 'x');
        const exchange = { ...verified('a text'), method: method.toUpperCase(), target, status: Number(status) };
        if (!(await prism(exchange)).some((violation) => violation.startsWith('body')))
          unseen.push(`${method} ${path} ${status}`);
      }
  expect(unseen).toEqual([]);
});

it('the proxy in front of a gateway reports answers outside of the document, whatever client got them', async () => {
  const wrong = createServer((request, response) => {
    const isDocument = request.url === '/openapi.json';
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-request-id', 'one');
    response.end(JSON.stringify(isDocument ? document : { status: 'splendid' }));
  });
  wrong.listen(0, '127.0.0.1');
  await once(wrong, 'listening');
  const checked = await startCheckedGateways(1);
  try {
    await checked.open([`http://127.0.0.1:${(wrong.address() as AddressInfo).port}`]);
    const answer = await fetch(`${checked.urls[0] ?? ''}/health`);
    expect(await answer.json()).toEqual({ status: 'splendid' });
    const reported = (await (await fetch(checked.violationsUrl)).json()) as string[];
    expect(reported).toContainEqual(expect.stringMatching(/^GET \/health 200: body\.status: /u));
    // Each violation is reported once, to the test that caused it.
    expect(await (await fetch(checked.violationsUrl)).json()).toEqual([]);
  } finally {
    checked.stop();
    wrong.closeAllConnections();
    wrong.close();
  }
});

it('the proxies serve the document that they check answers against', async () => {
  const [url = ''] = stack.urls;
  const [bareUrl = ''] = stack.bareUrls;
  expect(await (await fetch(`${url}/openapi.json`)).json()).toEqual(
    await (await fetch(`${bareUrl}/openapi.json`)).json(),
  );
});
