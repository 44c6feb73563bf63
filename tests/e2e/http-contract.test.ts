import { describe, expect, it } from 'vitest';
import { ask, gateways, get, join, post, wellHealth } from '../support/ask.ts';

describe('GET /health', () => {
  it('returns 200 ok with the state of every part, and forbids caching', async () => {
    for (const gateway of gateways) {
      const parts = {
        status: 'ok',
        database: { status: 'ok' },
        event_log: { status: 'ok' },
        message_bus: { status: 'ok' },
        projection: { status: 'ok', lag: expect.any(Number) as number },
      };
      // A part that a busy machine has answer late counts as down at that moment.
      await expect.poll(async () => (await wellHealth({}, gateway)).body).toMatchObject(parts);
      const { headers } = await wellHealth({}, gateway);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('needs no credential and ignores invalid ones', async () => {
    expect((await wellHealth({ authorization: 'Bearer nonsense', 'x-api-key': 'nonsense' })).status).toBe(200);
  });

  it('supports HEAD', async () => {
    await expect.poll(async () => (await ask('HEAD', '/health')).status).toBe(200);
  });
});

describe('GET /openapi.json', () => {
  it('lists every error code', async () => {
    const { body } = await get('/openapi.json');
    const { schemas } = body['components'] as {
      schemas: Record<string, { properties?: { code?: { enum?: string[] } } }>;
    };
    expect(schemas['Error']?.properties?.code?.enum).toEqual(
      expect.arrayContaining(['agent_not_found', 'caller_mismatch', 'validation_failed']),
    );
  });

  it('is sent again only if it has changed', async () => {
    const etag = (await get('/openapi.json')).headers.get('etag') ?? '';
    expect((await get('/openapi.json', { 'if-none-match': etag })).status).toBe(304);
    expect((await get('/openapi.json', { 'if-none-match': '"another"' })).status).toBe(200);
  });
});

describe('X-Request-Id', () => {
  it.each(['a', 'a'.repeat(128), 'My request: 42 ~!"'])('%j is returned, in successes and in errors', async (id) => {
    const headers = { 'x-request-id': id };
    expect((await get('/health', headers)).headers.get('x-request-id')).toBe(id);
    const refused = await get('/agent/nobody%20at%20all', headers);
    expect([refused.headers.get('x-request-id'), refused.body['request_id']]).toEqual([id, id]);
  });

  it.each(['', 'a'.repeat(129), 'é', 'a\tb'])('%j is replaced by a new one', async (id) => {
    const made = await Promise.all([0, 1].map(() => get('/health', { 'x-request-id': id })));
    const ids = made.map(({ headers }) => headers.get('x-request-id'));
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/u);
    expect(new Set(ids)).toHaveProperty('size', 2);
  });

  it('is in every refusal: unknown paths, wrong methods, broken JSON, too large bodies', async () => {
    // `ask` checks it on each answer.
    expect((await get('/nothing/here')).body['code']).toBe('route_not_found');
    expect((await ask('DELETE', '/verify')).body['code']).toBe('method_not_allowed');
    expect((await ask('POST', '/verify', { body: '{' })).body['code']).toBe('malformed_json');
    expect((await ask('POST', '/verify', { body: `"${'a'.repeat(1024 * 1024)}"` })).body['code']).toBe(
      'payload_too_large',
    );
  });
});

describe('paths and methods', () => {
  it.each([
    ['GET', '/verify', 'POST'],
    ['PUT', '/register', 'POST'],
    ['POST', '/health', 'GET, HEAD'],
    ['DELETE', '/rotate', 'POST, GET'],
    ['PATCH', '/agent/x', 'GET, HEAD'],
    ['OPTIONS', '/call', 'POST'],
    ['GET', '/org/sandbox-key', 'POST, DELETE'],
    ['GET', '/org/rotate-key', 'POST'],
    ['DELETE', '/org/agents/x', 'GET, HEAD'],
  ])('%s %s is 405 and lists the allowed methods', async (method, path, allow) => {
    const answer = await ask(method, path);
    expect([answer.status, answer.body['code']]).toEqual([405, 'method_not_allowed']);
    expect(new Set(answer.headers.get('allow')?.split(', '))).toEqual(new Set(allow.split(', ')));
  });

  it.each([
    '/Verify',
    '/verify/',
    '//verify',
    '/agent',
    '/.env',
    '/verify%2f',
    '/..%2fverify',
    '/agent/a/b',
    '/favicon.ico',
  ])('%s is 404', async (path) => {
    const answer = await ask('POST', path, { body: {} });
    expect(answer.status).toBe(404);
    expect(answer.body['code']).toBe('route_not_found');
  });
});

it('an id with unusual characters is the same in path, body and answer', async () => {
  for (const agent_id of ['a/b?c#d%2F', 'ümläut 😀', '"\\\'', 'constructor', '%']) {
    const id = `${agent_id} ${process.pid} ${Date.now()}`;
    await join({}, { agent_id: id });
    expect((await get(`/agent/${encodeURIComponent(id)}`)).body['agent_id']).toBe(id);
    expect((await post('/verify', { agent_id: id })).body['agent_id']).toBe(id);
  }
});
