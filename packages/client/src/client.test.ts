/** How the client handles a registry that is slow, broken, or another server: a server with scripted answers replaces it. */
import { inspect } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRegistryClient, type RegistryClient } from './client.ts';
import { NetworkError, RegistryError, TimeoutError, UnexpectedAnswerError } from './errors.ts';
import { answerInfo } from './http/read-json.ts';
import type { ClientOptions } from './options.ts';
import { generateKeyPair } from './signature/key-pair.ts';
import {
  breakOff,
  json,
  refuse,
  type RegistryServer,
  startRegistryServer,
  stayMute,
} from './testing/registry-server.ts';

let server: RegistryServer;
beforeEach(async () => {
  server = await startRegistryServer();
  return () => server.stop();
});

const quick = { retriesMax: 2, waitMs: 1, waitMsMax: 2 };
const client = (options: Partial<ClientOptions> = {}): RegistryClient =>
  createRegistryClient({ baseUrl: server.url, retry: quick, ...options });
const failureOf = (outcome: Promise<unknown>): Promise<unknown> =>
  outcome.then(
    (value) => expect.fail(`answered ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
const keysSent = (): unknown[] => server.received.map(({ headers }) => headers['idempotency-key']);
const called = { caller_agent_id: 'a', agent_id: 'b', message: { jsonrpc: '2.0', method: 'message/send' } };
const answered = { agent_id: 'b', transaction_id: 't', status_code: 200, body: {} };

describe('a request', () => {
  it('goes to the registry, below a path if it is served there, with ids percent-encoded', async () => {
    server.answers = [json(200, {})];
    const registry = createRegistryClient({ baseUrl: `${server.url}/trust/` });
    for (const agentId of ['a/b', 'é?#', '%2e', '...']) await registry.getAgent(agentId);
    expect(server.received.map(({ url }) => url)).toEqual([
      '/trust/agent/a%2Fb',
      '/trust/agent/%C3%A9%3F%23',
      '/trust/agent/%252e',
      '/trust/agent/...',
    ]);
  });

  it('calls fetch without an object, as browsers require', async () => {
    server.answers = [json(200, { agent_id: 'a' })];
    const own: typeof fetch = function (this: unknown, input, init) {
      return this === undefined ? fetch(input, init) : Promise.reject(new TypeError('Illegal invocation'));
    };
    expect(await client({ fetch: own }).verify({ agent_id: 'a' })).toEqual({ agent_id: 'a' });
  });

  it('is not made if no address can hold the id', async () => {
    for (const agentId of ['.', '..', '', '\ud800']) {
      await expect(client().getAgent(agentId)).rejects.toThrow(TypeError);
      await expect(client().org.agent(agentId)).rejects.toThrow(TypeError);
    }
    expect(server.received).toEqual([]);
  });

  it('has the field names of the interface, as its answer has, with metadata', async () => {
    server.answers = [
      json(200, [{ agent_id: 'a' }], { 'x-total-count': '7', link: '</registry?limit=1&offset=1>; rel="next"' }),
    ];
    const page = await client({ orgKey: 'org-key' }).listRegistry(
      { limit: 1, min_trust_score: 50 },
      { requestId: 'mine' },
    );
    expect(page).toEqual({
      agents: [{ agent_id: 'a' }],
      total: 7,
      next: { limit: 1, offset: 1, min_trust_score: 50 },
    });
    expect(answerInfo(page.agents)).toMatchObject({ status: 200, requestId: 'request-1', attempt: 1 });
    const [received] = server.received;
    expect(received).toMatchObject({ method: 'GET', url: '/registry?limit=1&min_trust_score=50', body: '' });
    expect(received?.headers).toMatchObject({ 'x-api-key': 'org-key', 'x-request-id': 'mine' });
  });

  it('carries one credential by default, and several only on request', async () => {
    server.answers = [json(200, { agent_id: 'a' })];
    const registry = client({ agentKey: 'agent-key', orgKey: 'org-key', adminToken: 'token' });
    await registry.update({ agent_id: 'a' });
    await registry.update({ agent_id: 'a' }, { as: ['agent', 'organisation'] });
    await registry.update({ agent_id: 'a' }, { as: 'nobody' });
    await registry.verify({ agent_id: 'a' }, { as: 'nobody' });
    expect(server.received.map(({ headers }) => [headers.authorization, headers['x-api-key']])).toEqual([
      [undefined, 'org-key'],
      ['Bearer agent-key', 'org-key'],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    await expect(client().verify({ agent_id: 'a' }, { as: 'organisation' })).rejects.toThrow('no orgKey');
    // One of the two would be dropped silently.
    await expect(registry.update({ agent_id: 'a' }, { as: ['agent', 'admin'] })).rejects.toThrow('together');
  });

  it('to pay has the agent’s own headers instead of the client’s', async () => {
    server.answers = [json(200, {}, { 'x-registry-attribution': 'none' })];
    const registry = client({ agentKey: 'agent-key' });
    await registry.pay('a', { headers: { Authorization: 'Basic x' }, callRef: 't', query: { call_ref: 'no' } });
    expect(server.received[0]?.headers.authorization).toBe('Basic x');
    expect(server.received[0]?.url).toBe('/pay/a?call_ref=t');
    const refused = await failureOf(registry.pay('a', { headers: { Authorization: 'secret\n' } }));
    expect(String(refused)).toMatch(/^TypeError: the header Authorization/u);
    expect(String(refused)).not.toContain('secret');
  });

  it('is signed only by the agent’s own signer', async () => {
    server.answers = [json(200, answered)];
    const { privateKey } = await generateKeyPair();
    const registry = client({ agentKey: 'agent-key', signer: { agentId: 'a', privateKey } });
    await registry.call(called);
    await registry.call({ ...called, caller_agent_id: 'other' });
    expect(server.received[0]?.headers).toMatchObject({ 'signature-input': expect.stringContaining('keyid="a"') });
    expect(server.received[0]?.headers.authorization).toBeUndefined();
    expect(server.received[1]?.headers.authorization).toBe('Bearer agent-key');
    expect(server.received[1]?.headers.signature).toBeUndefined();
  });
});

it('a signature covers the bytes that are sent, or none is made', async () => {
  server.answers = [json(200, {}, { 'x-registry-attribution': 'none' })];
  const { privateKey } = await generateKeyPair();
  const registry = client({ signer: { agentId: 'a', privateKey } });
  await registry.pay('b', { as: 'signature', body: new TextEncoder().encode('bytes') });
  // printf bytes | openssl dgst -sha256 -binary | base64
  expect(server.received[0]?.headers['content-digest']).toBe('sha-256=:J3CJ2RwL308uaGK6fkoHYFEZQx9dE/cm3TUrBvGyBqk=:');
  await expect(registry.pay('b', { as: 'signature', body: new URLSearchParams({ a: 'b' }) })).rejects.toThrow(
    TypeError,
  );
  expect(server.received).toHaveLength(1);
});

describe('a refusal', () => {
  it('is reported by its code, with all its fields', async () => {
    const items = [{ loc: ['body', 'score'], msg: 'too big', type: 'too_big' }];
    server.answers = [refuse(422, 'validation_failed', { detail: items, transaction_id: 't' }, { 'retry-after': '9' })];
    const refused = await failureOf(
      client().review({ caller_agent_id: 'a', receiver_agent_id: 'b', success: true, score: 9 }),
    );
    expect(refused).toBeInstanceOf(RegistryError);
    expect(refused).toMatchObject({
      name: 'RegistryError',
      status: 422,
      code: 'validation_failed',
      detail: 'body.score: too big',
      items,
      requestId: 'request-1',
      retryAfterSeconds: 9,
    });
    expect((refused as RegistryError).body['transaction_id']).toBe('t');
  });

  it('of another server is not mistaken for the registry’s', async () => {
    const page = (status: number) => (response: Parameters<typeof breakOff>[0]) =>
      void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>no</h1>');
    for (const status of [200, 404, 500]) {
      server.answers = [page(status)];
      expect(await failureOf(client({ retry: false }).org.whoami())).toMatchObject({
        name: 'UnexpectedAnswerError',
        status,
      });
    }
  });

  it('of another server in JSON is not either', async () => {
    for (const detail of [[null], [{ msg: 'no place' }], [{ loc: 'body', msg: 'no list' }], { a: 1 }, null]) {
      server.answers = [json(422, { code: 'validation_failed', detail })];
      expect(await failureOf(client({ retry: false }).org.whoami())).toBeInstanceOf(UnexpectedAnswerError);
    }
    for (const body of [null, 'no upstream', 503]) {
      server.answers = [json(503, body)];
      expect(await failureOf(client({ retry: false }).health())).toBeInstanceOf(UnexpectedAnswerError);
    }
  });

  it('of health is not an error if it lists the failed parts', async () => {
    const down = { status: 'down', database: { status: 'down' } };
    server.answers = [json(503, down)];
    expect(await client().health()).toEqual(down);
    server.answers = [refuse(503, 'overloaded')];
    expect(await failureOf(client().health())).toMatchObject({ code: 'overloaded', status: 503 });
  });
});

describe('a redirect', () => {
  it('is not followed, so no key is sent elsewhere', async () => {
    server.answers = [(response) => void response.writeHead(307, { location: `${server.url}/elsewhere` }).end()];
    const failure = await failureOf(client({ orgKey: 'org-key' }).org.whoami());
    expect(failure).toBeInstanceOf(UnexpectedAnswerError);
    expect(server.received).toHaveLength(1);
  });
});

describe('retries', () => {
  it('of a write are under one key, which the client makes', async () => {
    server.answers = [
      breakOff,
      refuse(503, 'read_model_behind', {}, { 'retry-after': '0' }),
      json(201, { status: 'registered' }),
    ];
    await client().register({ agent_id: 'a' });
    const [first, ...others] = keysSent();
    expect(first).toMatch(/^[\w-]{22}$/u);
    expect(others).toEqual([first, first]);
    await client().register({ agent_id: 'a' });
    expect(keysSent()[3]).not.toBe(first);
  });

  it('keep the caller’s key', async () => {
    server.answers = [refuse(409, 'idempotency_key_in_use', {}, { 'retry-after': '0' }), json(200, answered)];
    await client().call(called, { idempotencyKey: 'mine' });
    expect(keysSent()).toEqual(['mine', 'mine']);
  });

  it('of reads need no key', async () => {
    server.answers = [refuse(429, 'rate_limited', {}, { 'retry-after': '0' }), json(200, [])];
    expect(await client().match({ org_name: 'x' })).toEqual([]);
    expect(keysSent()).toEqual([undefined, undefined]);
  });

  it('send the body as it was given, even if it is changed later', async () => {
    const body = { agent_id: 'a', specialty: 'bolts' };
    server.answers = [
      (response, received) => {
        body.specialty = 'nuts';
        breakOff(response, received);
      },
      json(200, { agent_id: 'a' }),
    ];
    await client({ agentKey: 'k' }).update(body);
    expect(server.received.map((received) => JSON.parse(received.body) as unknown)).toEqual([
      { agent_id: 'a', specialty: 'bolts' },
      { agent_id: 'a', specialty: 'bolts' },
    ]);
  });

  it('sign anew, over the same body', async () => {
    server.answers = [breakOff, json(200, answered)];
    const { privateKey } = await generateKeyPair();
    await client({ signer: { agentId: 'a', privateKey } }).call(called);
    const [first, second] = server.received;
    expect(first?.body).toBe(second?.body);
    expect(first?.headers.signature).not.toBe(second?.headers.signature);
  });

  it('are not made of requests that cannot be undone', async () => {
    server.answers = [breakOff];
    const registry = client({ orgKey: 'k', adminKey: 'k', agentKey: 'k' });
    const once: (() => Promise<unknown>)[] = [
      () => registry.requestRotation({ agent_id: 'a' }),
      () => registry.redeemClaim('token'),
      () => registry.org.createKey({ org_name: 'o', contact_email: 'o@o.test' }),
      () => registry.org.issueSandboxKey(),
      () => registry.org.revokeSandboxKey(),
      () => registry.org.rotateKey(),
      () => registry.sandbox.publish({ agent_id: 'a' }),
      () => registry.sandbox.withdraw({ agent_id: 'a' }),
      () => registry.sandbox.promote({ sandbox_agent_id: 'a' }),
      () => registry.pay('a'),
      () => registry.call({ ...called, message: { jsonrpc: '2.0', method: 'initialize' } }),
    ];
    for (const send of once) {
      server.received.length = 0;
      expect(await failureOf(send())).toBeInstanceOf(NetworkError);
      expect(server.received).toHaveLength(1);
      expect(keysSent()).toEqual([undefined]);
    }
  });

  it('are not made if they are disabled, and no key is generated then', async () => {
    server.answers = [breakOff];
    expect(await failureOf(client({ retry: false }).register({ agent_id: 'a' }))).toBeInstanceOf(NetworkError);
    expect(keysSent()).toEqual([undefined]);
  });

  it('end, and report the last failure', async () => {
    server.answers = [breakOff, refuse(503, 'overloaded', {}, { 'retry-after': '0' })];
    expect(await failureOf(client().verify({ agent_id: 'a' }))).toMatchObject({ code: 'overloaded' });
    expect(server.received).toHaveLength(3);
  });
});

describe('time', () => {
  it('is bounded for every attempt, a trickling body included', async () => {
    const slow = { timeoutMs: 50, retry: false as const };
    server.answers = [stayMute];
    expect(await failureOf(client(slow).health())).toBeInstanceOf(TimeoutError);
    server.answers = [(response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('[')];
    expect(await failureOf(client(slow).match({ org_name: 'x' }))).toMatchObject({
      name: 'TimeoutError',
      timeoutMs: 50,
    });
  });

  it('is a number, and every number is accepted', async () => {
    server.answers = [json(200, { agent_id: 'a' })];
    for (const timeoutMs of [Number.NaN, '30s' as unknown as number, -1]) {
      expect(() => client({ timeoutMs })).toThrow(TypeError);
      await expect(client().verify({ agent_id: 'a' }, { timeoutMs })).rejects.toThrow(TypeError);
    }
    // Beyond a timer's limit, at which it would fire at once.
    for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31])
      expect(await client({ timeoutMs, retry: false }).verify({ agent_id: 'a' })).toEqual({ agent_id: 'a' });
  });

  it('is bounded for a fetch that ignores signals, also while its body is read', async () => {
    server.answers = [(response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('[')];
    const deaf: typeof fetch = (input, init) => fetch(input, { ...init, signal: null });
    const failure = await failureOf(client({ fetch: deaf, retry: false, timeoutMs: 50 }).match({ org_name: 'x' }));
    expect(failure).toBeInstanceOf(TimeoutError);
  });

  it('is bounded for a signer too', async () => {
    const never = { agentId: 'a', privateKey: (): Promise<Uint8Array> => new Promise(() => {}) };
    const failure = await failureOf(client({ signer: never, retry: false }).call(called, { timeoutMs: 20 }));
    expect(failure).toBeInstanceOf(TimeoutError);
  });

  it('is ended by the caller’s signal, with its reason, also between attempts', async () => {
    const reason = new Error('changed my mind');
    const controller = new AbortController();
    server.answers = [stayMute];
    const waiting = failureOf(client().health({ signal: controller.signal }));
    controller.abort(reason);
    expect(await waiting).toBe(reason);
    expect(await failureOf(client().health({ signal: controller.signal }))).toBe(reason);

    const second = new AbortController();
    server.answers = [
      (response, received) => {
        breakOff(response, received);
        setImmediate(() => second.abort(reason));
      },
    ];
    const patient = client({ retry: { ...quick, waitMs: 60_000, waitMsMax: 60_000 } });
    expect(await failureOf(patient.verify({ agent_id: 'a' }, { signal: second.signal }))).toBe(reason);
  });
});

describe('an answer', () => {
  it('is read only up to its limit', async () => {
    server.answers = [json(200, { status: 'x'.repeat(5_000) })];
    const failure = await failureOf(client({ answerBytesMax: 1_000 }).verify({ agent_id: 'a' }));
    expect(failure).toMatchObject({ name: 'UnexpectedAnswerError', message: expect.stringContaining('1000 bytes') });
  });

  it('that breaks off is a network error', async () => {
    server.answers = [
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{');
        setImmediate(() => response.destroy());
      },
    ];
    expect(await failureOf(client({ retry: false }).verify({ agent_id: 'a' }))).toBeInstanceOf(NetworkError);
  });
});

describe('secrets', () => {
  const secret = 'registry-agent-sk-very-secret';
  const shown = (value: unknown): string =>
    [String(value), inspect(value, { depth: 10, showHidden: true }), JSON.stringify(value) ?? ''].join('\n');

  it('are in no text of the client', async () => {
    const { privateKey } = await generateKeyPair();
    const registry = client({
      agentKey: secret,
      orgKey: secret,
      adminToken: secret,
      adminKey: secret,
      signer: { agentId: 'a', privateKey },
    });
    expect(shown(registry)).not.toContain('secret');
    expect(shown(registry.org)).not.toContain('secret');
  });

  it('are in no error', async () => {
    const registry = client({ agentKey: secret, orgKey: secret, retry: false });
    const failures: unknown[] = [];
    server.answers = [breakOff];
    failures.push(
      await failureOf(registry.call(called, { as: 'agent' })),
      await failureOf(registry.redeemClaim('very-secret')),
    );
    server.answers = [refuse(503, 'read_model_behind', { api_key: secret })];
    failures.push(await failureOf(registry.org.rotateKey()));
    server.answers = [(response) => void response.end(`{"agent_key":"${secret}`)];
    failures.push(await failureOf(registry.redeemClaim(`${server.url}/rotate?token=very-secret`)));
    for (const bad of [{ agentKey: `${secret}\n` }, { orgKey: `${secret}é` }, { adminKey: '' }])
      failures.push(await failureOf(Promise.resolve().then(() => client(bad))));
    failures.push(await failureOf(registry.redeemClaim('https://x.test/rotate?nothing=very-secret')));
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(Error);
      expect(shown(failure)).not.toContain('secret');
    }
  });

  it('are sent only to http addresses, and are part of no address', () => {
    for (const baseUrl of [
      '',
      'registry',
      'ftp://x.test',
      'http://user:very-secret@x.test',
      'http://x.test/?key=very-secret',
    ]) {
      expect(() => client({ baseUrl })).toThrow(TypeError);
      expect(() => client({ baseUrl })).not.toThrow('secret');
    }
  });
});

describe('an invalid argument in plain JavaScript', () => {
  it('is reported at once if no request can be made of it', async () => {
    const nothing = undefined as unknown as string;
    await expect(client().getAgent(nothing)).rejects.toThrow('an agent_id is a text');
    await expect(client().redeemClaim(nothing)).rejects.toThrow('a claim link or its token is a text');
    const king = { as: 'king' } as unknown as { as: 'agent' };
    await expect(async () => client().call(called, king)).rejects.toThrow(
      'as must be nobody or one or several of agent, signature,',
    );
    expect(server.received).toEqual([]);
  });

  it.each([{ agentId: 'a' }, { agentId: 'a', privateKey: '-----BEGIN PRIVATE KEY-----' }, { privateKey: () => [] }])(
    'is a signer without an id or a key: %o',
    (signer) => {
      const given = { signer } as unknown as Partial<ClientOptions>;
      expect(() => client(given)).toThrow(/^signer\./u);
    },
  );

  it('is refused by the registry if it is a field of the body', async () => {
    server.answers = [refuse(422, 'validation_failed')];
    const { message: _, ...rest } = called;
    const lacking = rest as typeof called;
    for (const outcome of [client().call(lacking), client().callStream(lacking)])
      expect(await failureOf(outcome)).toMatchObject({ code: 'validation_failed' });
  });
});

describe('JSON that no registry answers', () => {
  it.each([null, 'a text', 5, true])('is unexpected: %j', async (body) => {
    server.answers = [json(200, body)];
    for (const outcome of [client().verify({ agent_id: 'a' }), client().call(called), client().callStream(called)])
      expect(await failureOf(outcome)).toBeInstanceOf(UnexpectedAnswerError);
  });

  it('is unexpected instead of a list or an exchange', async () => {
    server.answers = [json(200, {})];
    const all = async (): Promise<void> => {
      for await (const agent of client().eachAgent()) expect.fail(agent.agent_id);
    };
    for (const outcome of [client().listRegistry(), all(), client().callStream(called)])
      expect(await failureOf(outcome)).toBeInstanceOf(UnexpectedAnswerError);
  });
});
