import { request } from 'node:http';
import { docsFileNames } from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
afterAll(() => under.stop());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${under.url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });

describe('GET /docs', () => {
  it('is a page whose parts are all served here', async () => {
    const response = await get('/docs');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const page = await response.text();
    const named = [...page.matchAll(/(?:src|href)="([^"]+)"/gu)].map(([, address]) => String(address));
    const files = named.filter((address) => address.startsWith('docs/'));
    expect(named.filter((address) => !files.includes(address))).toEqual(['data:,', 'openapi.json', 'openapi.json']);
    expect(files.map((address) => /^docs\/(.*)\?v=[\w-]{12}$/u.exec(address)?.[1] ?? '').toSorted()).toEqual(
      [...docsFileNames].toSorted(),
    );
    for (const address of files) expect((await get(`/${address}`)).status).toBe(200);
  });

  it.each(['/docs', ...docsFileNames.map((name) => `/docs/${name}`)])(
    '%s loads nothing from another origin',
    async (path) => {
      const { headers } = await get(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none';/u);
      expect(policy).not.toMatch(/unsafe|\*|https?:/u);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it('is cached, and sent again only if it has changed', async () => {
    const etag = (await get('/docs/swagger-ui.css')).headers.get('etag') ?? '';
    const again = await get('/docs/swagger-ui.css', { 'if-none-match': `"x", W/${etag}` });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    expect((await get('/docs/swagger-ui.css', { 'if-none-match': '"x"' })).status).toBe(200);
    expect((await fetch(`${under.url}/docs`, { method: 'HEAD' })).headers.get('etag')).toMatch(/^"/u);
  });

  it.each([
    ['gzip', true],
    ['br, gzip;q=0.5', true],
    ['gzip;q=0', false],
    ['gzip; q=0.0', false],
    ['identity', false],
    ['xgzip', false],
  ])('is compressed for %j: %s', async (accepted, isCompressed) => {
    const response = await get('/docs/start.js', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(isCompressed ? 'gzip' : null);
    // fetch has decompressed it.
    expect(await response.text()).toContain('SwaggerUIBundle');
  });

  it.each([
    '/docs/',
    '/docs/index.html',
    '/docs/package.json',
    '/docs/..',
    '/docs/%2e%2e%2fpackage.json',
    '/docs/..%2fpage.ts',
    '/docs/start.js%00',
    '/docs/constructor',
    '/docs/swagger-ui.css.map',
  ])('%s is 404', async (path) => {
    // fetch would normalise the path.
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(under.url);
      const asked = request({ hostname, port, path }, (response) => resolve(response.resume().statusCode));
      asked.on('error', reject).end();
    });
    expect(status).toBe(404);
  });
});
