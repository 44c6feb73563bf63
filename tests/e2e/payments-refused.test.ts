import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { listen } from '@agent-trust/dev-stack/demo-agents';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  ask,
  type Body,
  call,
  createOrg,
  endpointMark,
  faultLocations,
  gateways,
  get,
  hideHost,
  type HeaderMap,
  join,
  type Member,
  type Org,
  post,
  stack,
} from '../support/ask.ts';
import { expectNoTraceOf } from '../support/payments/traces.ts';
import { type RecordingAgent, type Respond, respondJson, startRecordingAgent } from '../support/recording-agent.ts';
import { bearer, textMessage, unique } from '../support/registry.ts';

const code = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
let transactions = 0;
const newTransaction = (): string => `0x${Buffer.from(unique(`tx${(transactions += 1)}`)).toString('hex')}`;
const payment = code({
  x402Version: 1,
  scheme: 'exact',
  network: 'base-sepolia',
  payload: { signature: '0xsignature', authorization: { from: '0x1', to: '0x2', value: '5000' } },
});
const paying: HeaderMap = { 'x-payment': payment };
const settled = (transaction: string, more: Body = {}): HeaderMap => ({
  'x-payment-response': code({ success: true, transaction, network: 'base-sepolia', payer: '0x1', ...more }),
});

let owner: Org;
let rival: Org;
let agent: RecordingAgent;
let respond: Respond;
let agentId: string;
let payer: Member;
beforeAll(async () => {
  [owner, rival] = [await createOrg(), await createOrg()];
  agent = await startRecordingAgent((...all) => respond(...all));
  ({ agentId } = await join(owner.key, { endpoint_url: agent.url }));
  payer = await join(rival.key);
  return () => agent.stop();
});

const payPath = (id = agentId): string => `/pay/${encodeURIComponent(id)}`;
type Paid = { status: number; headers: Headers; text: string; bytes: Buffer; attribution: string | null };
/** Pays and checks that the answer shows nothing of the endpoint. */
const pay = async (path: string, headers: HeaderMap = paying, init: RequestInit = {}): Promise<Paid> => {
  const response = await fetch(`${gateways[0]}${path}`, { redirect: 'manual', headers, ...init });
  const bytes = Buffer.from(await response.arrayBuffer());
  const answer = { status: response.status, headers: response.headers, text: bytes.toString(), bytes };
  expectNoTraceOf(answer, agent.url);
  return { ...answer, attribution: response.headers.get('x-registry-attribution') };
};
const recorded = async (org = owner, key = org.key): Promise<Body[]> => (await get('/org/payments', key)).list;
/** The settlements that one payment's answer caused to be recorded. */
const recordedOf = async (status: number, headers: HeaderMap, sent = paying, path = payPath()): Promise<Body[]> => {
  const before = await recorded();
  respond = respondJson(status, {}, headers);
  await pay(path, sent);
  return (await recorded()).slice(0, -before.length || undefined);
};

describe('an answer that records no settlement', () => {
  it.each([400, 402, 404, 500, 503, 302])('is a payment response that claims success on a %i', async (status) => {
    expect(await recordedOf(status, settled(newTransaction()))).toEqual([]);
  });

  it.each<[string, HeaderMap]>([
    ['success: false', settled(newTransaction(), { success: false })],
    ['success as a string', settled(newTransaction(), { success: 'true' })],
    ['a header that is not base64', { 'x-payment-response': '{"success":true}' }],
    ['a header with a list', { 'payment-response': code([{ success: true }]) }],
    ['two headers that disagree', { ...settled(newTransaction()), 'payment-response': code({ success: false }) }],
    ['no header', {}],
  ])('is a 200 with %s', async (_what, headers) => {
    expect(await recordedOf(200, headers)).toEqual([]);
  });

  it('is a payment response to a request without a payment', async () => {
    expect(await recordedOf(200, settled(newTransaction()), {})).toEqual([]);
  });

  it.each(['', 'not base64!!', code([]), code({}), code(null), code({ x402Version: 1 })])(
    'is a payment response to a request with the payment %j, which reaches the agent unchanged',
    async (header) => {
      for (const name of ['x-payment', 'payment-signature']) {
        expect(await recordedOf(200, settled(newTransaction()), { [name]: header })).toEqual([]);
        expect(agent.last().headers[name]).toBe(header);
      }
    },
  );

  it('is a repeated payment response, also under another name of the network or by another agent', async () => {
    const transaction = newTransaction();
    expect(await recordedOf(200, settled(transaction))).toHaveLength(1);
    expect(await recordedOf(200, settled(transaction))).toEqual([]);
    expect(
      await recordedOf(200, settled(transaction.toUpperCase().replace('0X', '0x'), { network: 'eip155:84532' })),
    ).toEqual([]);
    const other = await join(owner.key, { endpoint_url: agent.url });
    expect(await recordedOf(200, settled(transaction), paying, payPath(other.agentId))).toEqual([]);
    expect(await recordedOf(200, settled(transaction, { network: 'base' }))).toHaveLength(1);
  });

  it('is a concurrent repetition: of twenty equal ones, one is recorded', async () => {
    const before = (await recorded()).length;
    respond = respondJson(200, {}, settled(newTransaction()));
    // Without a key, one address may have fewer concurrent requests.
    const withKey = { ...paying, ...payer.auth };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => pay(payPath(), index % 2 === 0 ? paying : withKey)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await recorded()).toHaveLength(before + 1);
  });
});

describe('the payer on record', () => {
  const payerOfLast = async (): Promise<unknown> => (await recorded())[0]?.['caller_agent_id'];
  const settleNew: Respond = (...all) => respondJson(200, {}, settled(newTransaction()))(...all);

  it('is unknown with a caller_agent_id alone', async () => {
    respond = settleNew;
    expect((await pay(`${payPath()}?caller_agent_id=${payer.agentId}`)).attribution).toBe('none');
    expect(await payerOfLast()).toBe(null);
  });

  it("is not recorded: a key and another agent's caller_agent_id are refused, once the agent is known to exist", async () => {
    const before = agent.received.length;
    const other = `caller_agent_id=${unique('other')}`;
    const refused = await ask('GET', `${payPath()}?${other}`, { headers: payer.auth });
    expect([refused.status, refused.body['code']]).toEqual([403, 'caller_mismatch']);
    const unknown = await ask('GET', `${payPath(unique('nobody'))}?${other}`, { headers: payer.auth });
    expect([unknown.status, unknown.body['code']]).toEqual([404, 'agent_not_found']);
    expect(agent.received).toHaveLength(before);
  });

  it.each([
    ['an unknown key', `Bearer registry-agent-sk-${'A'.repeat(43)}`],
    ['an invalid key', 'Bearer registry-agent-sk-x'],
    ['a key of another kind', `Bearer registry-org-sk-${'A'.repeat(43)}`],
    [
      'a key in Basic credentials',
      `Basic ${Buffer.from(`user:registry-agent-sk-${'A'.repeat(43)}`).toString('base64')}`,
    ],
    ["the operator's token", adminToken['authorization'] ?? ''],
    ["the operator's key", `Bearer ${stack.adminKey}`],
  ])('is not recorded: %s is 401, and the agent is not contacted', async (_what, authorization) => {
    const before = agent.received.length;
    const { status, body } = await ask('GET', payPath(), { headers: { authorization } });
    expect([status, body['code']]).toEqual([401, 'invalid_credential']);
    expect(agent.received).toHaveLength(before);
  });

  it("is unknown with a call_ref to another agent's call, an unknown call, or none", async () => {
    respond = respondJson(200, {});
    const other = await join(rival.key, { endpoint_url: agent.url });
    const foreign = String((await call(payer, other.agentId, textMessage('x'))).body['transaction_id']);
    respond = settleNew;
    for (const ref of [foreign, 'unknown', '', 'x'.repeat(3_000)]) {
      expect((await pay(`${payPath()}?call_ref=${ref}`)).attribution).toBe('none');
      expect(await payerOfLast()).toBe(null);
    }
  });

  it('is unknown with a call that was reviewed, because ratings show its id publicly', async () => {
    respond = respondJson(200, {});
    const reviewed = String((await call(payer, agentId, textMessage('x'))).body['transaction_id']);
    const review = { caller_agent_id: payer.agentId, receiver_agent_id: agentId, success: true, score: 9 };
    expect((await post('/review', { ...review, transaction_id: reviewed }, payer.auth)).status).toBe(200);
    expect((await get(`/agent/${encodeURIComponent(agentId)}`)).text).toContain(reviewed);
    respond = settleNew;
    expect((await pay(`${payPath()}?call_ref=${reviewed}`)).attribution).toBe('none');
    expect(await payerOfLast()).toBe(null);
  });

  it("is the key's agent, whatever call the payment refers to", async () => {
    respond = respondJson(200, {});
    const independent = await join();
    const theirs = String((await call(independent, agentId, textMessage('x'))).body['transaction_id']);
    respond = settleNew;
    expect((await pay(`${payPath()}?call_ref=${theirs}`, { ...paying, ...payer.auth })).attribution).toBe('bearer');
    expect(await payerOfLast()).toBe(payer.agentId);
    expect((await pay(`${payPath()}?call_ref=${theirs}&caller_agent_id=${payer.agentId}`)).attribution).toBe(
      'call_ref',
    );
    expect(await payerOfLast()).toBe(independent.agentId);
  });
});

describe('universes', () => {
  it('a sandbox agent is paid from its own sandbox alone, and visible there alone', async () => {
    const draft = await join(owner.sandboxKey, { endpoint_url: agent.url });
    const insider = await join(owner.sandboxKey);
    const outsider = await join(rival.sandboxKey);
    const path = payPath(draft.agentId);
    for (const headers of [{}, payer.auth, outsider.auth]) {
      expect((await ask('GET', path, { headers })).body['code']).toBe('agent_not_found');
    }
    respond = respondJson(200, {});
    const transaction = String((await call(insider, draft.agentId, textMessage('x'))).body['transaction_id']);
    respond = respondJson(200, {}, settled(newTransaction()));
    expect((await pay(`${path}?call_ref=${transaction}`)).attribution).toBe('call_ref');
    respond = respondJson(200, {}, settled(newTransaction()));
    expect((await pay(path, { ...paying, ...insider.auth })).attribution).toBe('bearer');
    const inSandbox = await recorded(owner, owner.sandboxKey);
    expect(inSandbox.map(({ receiver_agent_id: id }) => id)).toEqual([draft.agentId, draft.agentId]);
    expect((await recorded()).some(({ receiver_agent_id: id }) => id === draft.agentId)).toBe(false);
    // A sandbox key does not lead out of its sandbox.
    expect((await ask('GET', payPath(), { headers: insider.auth })).status).toBe(404);
  });
});

describe('targets', () => {
  it('without an endpoint are 422, and unreachable ones 502 without their address', async () => {
    const bare = await join(owner.key);
    const refused = await ask('GET', payPath(bare.agentId));
    expect([refused.status, refused.body['code'], faultLocations(refused)]).toEqual([
      422,
      'no_endpoint',
      ['path.agent_id'],
    ]);
    const url = `http://127.0.0.1:9/${endpointMark}`;
    hideHost(url);
    const dead = await join(owner.key, { endpoint_url: url });
    const failed = await ask('POST', payPath(dead.agentId), { body: {} });
    expect([failed.status, failed.body['code']]).toEqual([502, 'downstream_failed']);
    expect((await ask('HEAD', payPath())).status).toBe(405);
  });

  it('that never answer, break off, or send an endless demand are 502 in time', async () => {
    respond = () => {};
    expect((await ask('GET', payPath())).body['code']).toBe('downstream_failed');
    respond = (_request, response) => void response.destroy();
    expect((await ask('GET', payPath())).body['code']).toBe('downstream_failed');
    respond = (_request, response) => void response.socket?.end('HTTP/1.1 799 Beyond\r\ncontent-length: 0\r\n\r\n');
    expect((await ask('GET', payPath())).body['code']).toBe('downstream_failed');
    respond = (_request, response) => {
      response.writeHead(402, { 'content-type': 'text/plain' });
      response.end(Buffer.alloc(4 * 1024 * 1024 + 1, 0x61));
    };
    expect((await ask('GET', payPath())).body['code']).toBe('downstream_failed');
  });
});

describe('the request to the agent', () => {
  const marker = `registry-agent-sk-${'B'.repeat(43)}`;

  it("is the payer's own, without anything added by the registry or on the way", async () => {
    respond = respondJson(200, {});
    await pay(payPath(), {
      ...paying,
      authorization: 'Bearer of-the-agent',
      cookie: 'session=1',
      'x-api-key': `registry-org-sk-${'C'.repeat(43)}`,
      'x-admin-key': stack.adminKey,
      'x-note': `my key is ${marker}`,
      'x-forwarded-for': '10.1.2.3',
      forwarded: 'for=10.1.2.3',
      'signature-input': 'sig1=()',
      signature: 'sig1=:AA==:',
      te: 'trailers',
      'accept-encoding': 'gzip',
      'idempotency-key': 'kept',
      accept: 'text/csv',
      'content-language': 'de',
    });
    const { headers } = agent.last();
    expect(headers).toMatchObject({
      authorization: 'Bearer of-the-agent',
      'x-payment': payment,
      'idempotency-key': 'kept',
      accept: 'text/csv',
      'content-language': 'de',
      'accept-encoding': 'identity',
      host: new URL(agent.url).host,
    });
    const dropped = [
      'cookie',
      'x-api-key',
      'x-admin-key',
      'x-note',
      'x-forwarded-for',
      'forwarded',
      'signature',
      'signature-input',
      'te',
    ];
    for (const name of dropped) expect(headers).not.toHaveProperty(name);
  });

  it('never has a key in its query', async () => {
    const before = agent.received.length;
    for (const query of [`token=${marker}`, `token=${marker.replaceAll('-', '%2d')}`]) {
      expect((await get(`${payPath()}?${query}`)).status).toBe(422);
    }
    expect(agent.received).toHaveLength(before);
  });

  it("has the payer's query joined with the endpoint's, up to the maximum length of an address", async () => {
    respond = respondJson(200, {});
    const other = await join(owner.key, { endpoint_url: `${agent.url}?plan=a%20b` });
    await pay(`${payPath(other.agentId)}?x=1&call%5Fref=r&%63aller_agent_id=z&y=%zz&flag`);
    expect(agent.last().url.search).toBe('?plan=a%20b&x=1&y=%zz&flag');
    const long = await get(`${payPath()}?x=${'a'.repeat(9_000)}`);
    expect([long.status, faultLocations(long)]).toEqual([422, ['query']]);
  });

  it('has a body of at most 10 MiB, with or without a declared length', async () => {
    respond = respondJson(200, {});
    const large = Buffer.alloc(10 * 1024 * 1024 + 1);
    const whole = Buffer.alloc(10 * 1024 * 1024, 0x61);
    const sent = await pay(payPath(), {}, { method: 'POST', body: whole });
    expect([sent.status, agent.last().body.length]).toEqual([200, whole.length]);
    expect((await ask('POST', payPath(), { body: large })).body['code']).toBe('payload_too_large');
    const { origin, port } = new URL(gateways[0]);
    const status = await new Promise<number>((resolve, reject) => {
      const client = httpRequest(
        { host: new URL(origin).hostname, port, path: payPath(), method: 'POST' },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      client.on('error', reject);
      for (let index = 0; index < 11; index += 1) client.write(large.subarray(0, 1024 * 1024));
      client.end();
    });
    expect(status).toBe(413);
  });
});

describe('the answer to the payer', () => {
  it("has the agent's status, body and end-to-end headers, and no header that may disclose the agent's address", async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index & 255));
    respond = (_request, response) =>
      void response
        .writeHead(206, {
          'content-type': 'application/octet-stream',
          'content-length': bytes.length,
          'content-range': 'bytes 0-69999/100000',
          etag: '"7"',
          server: 'secret/1',
          'set-cookie': 'a=b',
          location: agent.url,
          'www-authenticate': `Bearer realm="${agent.url}"`,
          vary: 'accept',
        })
        .end(bytes);
    const answer = await pay(payPath());
    expect([answer.status, answer.bytes.equals(bytes)]).toEqual([206, true]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'content-range': 'bytes 0-69999/100000',
      etag: '"7"',
      vary: 'accept',
    });
    for (const name of ['server', 'set-cookie', 'location', 'www-authenticate'])
      expect(answer.headers.has(name)).toBe(false);
  });

  it.each<[string, number, HeaderMap, (url: string) => string]>([
    ['a redirect', 302, {}, (url) => `<a href="${url}">moved</a>`],
    ['an error page', 404, { 'content-type': 'text/html' }, (url) => `nothing at ${new URL(url).host}`],
    ['a demand as text', 402, { 'content-type': 'text/plain' }, (url) => `pay at ${url}`],
    [
      'a demand that contains it in escapes',
      402,
      { 'content-type': 'application/json' },
      (url) => JSON.stringify({ accepts: [{ resource: url }] }).replaceAll('127', '\\u003127'),
    ],
    ['a demand in a header', 402, {}, () => ''],
  ])('is %s without any trace of the endpoint', async (_what, status, headers, body) => {
    respond = (_request, response) =>
      void response
        .writeHead(status, {
          ...headers,
          location: agent.url,
          'payment-required': code({
            x402Version: 2,
            resource: { url: agent.url },
            [agent.url]: code(agent.url),
            accepts: [],
          }),
          'payment-response': code({ success: false, at: agent.url }),
        })
        .end(body(agent.url));
    // `pay` searches every byte for it.
    const answer = await pay(payPath());
    expect(answer.status).toBe(status);
    expect(answer.headers.get('payment-required')).not.toBe(null);
  });

  it('arrives complete even if the payer sends more than the agent reads', async () => {
    const early = await listen(
      (_request, response) => void response.writeHead(402).end('{"accepts":[]}'),
      `/${endpointMark}`,
    );
    hideHost(early.url);
    const other = await join(owner.key, { endpoint_url: early.url });
    for (let round = 0; round < 3; round += 1) {
      const body = Buffer.alloc(9 * 1024 * 1024);
      const answer = await pay(payPath(other.agentId), {}, { method: 'POST', body });
      expect([answer.status, answer.text]).toEqual([402, '{"accepts":[]}']);
    }
    await early.stop();
  });

  it('arrives while the request is still being sent', async () => {
    const echo = await listen((request, response) => void request.pipe(response), `/${endpointMark}`);
    hideHost(echo.url);
    const other = await join(owner.key, { endpoint_url: echo.url });
    const { hostname, port } = new URL(gateways[0]);
    const client = httpRequest({ host: hostname, port, path: payPath(other.agentId), method: 'POST' });
    client.write('first');
    const [response] = (await once(client, 'response')) as [IncomingMessage];
    const [chunk] = (await once(response, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('first');
    client.end('last');
    const [last] = (await once(response, 'data')) as [Buffer];
    expect(last.toString()).toBe('last');
    await echo.stop();
  });

  it('is streamed as the agent sends it', async () => {
    let release = (): void => {};
    respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
      release = () => void response.end('data: last\n\n');
    };
    const response = await fetch(`${gateways[0]}${payPath()}`);
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: first\n\n');
    release();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: last\n\n');
  });

  it("breaks off if the agent's does", async () => {
    respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('half');
      setImmediate(() => response.destroy());
    };
    const response = await fetch(`${gateways[0]}${payPath()}`);
    await expect(response.text()).rejects.toThrow(/terminated/u);
  });
});

describe('GET /ops/settlements', () => {
  it('is for operators alone', async () => {
    const others = [{}, owner.key, payer.auth, bearer('wrong'), { 'x-admin-key': stack.adminKey }];
    for (const headers of others) expect((await get('/ops/settlements', headers)).status).toBe(401);
    expect((await get('/ops/settlements', adminToken)).status).toBe(200);
  });

  it('has pages, and a filter by organisation', async () => {
    const query = `org_name=${encodeURIComponent(owner.name)}`;
    const all = await get(`/ops/settlements?${query}&limit=1000`, adminToken);
    expect(new Set(all.list.map(({ org_name: name }) => name))).toEqual(new Set([owner.name]));
    const second = await get(`/ops/settlements?${query}&limit=1&offset=1`, adminToken);
    expect(second.list).toEqual(all.list.slice(1, 2));
    expect(second.headers.get('x-total-count')).toBe(String(all.list.length));
    expect(second.headers.get('link')).toContain(`org_name=${encodeURIComponent(owner.name)}`);
    expect((await get('/ops/settlements?org_name=nobody-at-all', adminToken)).list).toEqual([]);
    for (const bad of ['limit=0', 'limit=1001', 'offset=-1', 'org_name=']) {
      expect((await get(`/ops/settlements?${bad}`, adminToken)).status).toBe(422);
    }
  });

  it('also shows settlements of agents without an organisation', async () => {
    const independent = await join({}, { endpoint_url: agent.url });
    respond = respondJson(200, {}, settled(newTransaction()));
    await pay(payPath(independent.agentId));
    // Other tests of this stack pay as well.
    const { list } = await get('/ops/settlements?limit=200', adminToken);
    const own = list.find((one) => one['receiver_agent_id'] === independent.agentId);
    expect(own).toMatchObject({ org_name: null, call_ref: null });
    expect((await post('/verify', { agent_id: independent.agentId })).body['transaction_count']).toBe(0);
  });
});
