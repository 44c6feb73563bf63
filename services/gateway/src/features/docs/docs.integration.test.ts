import { request } from 'node:http';
import { docsFileNames, homeWire, routes } from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
afterAll(() => under.stop());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${under.url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });

describe('GET /', () => {
  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json, text/html;q=0.5', 'application/json; charset=utf-8'],
    ['image/png', 'application/json; charset=utf-8'],
  ])('for %s is %s', async (accept, type) => {
    const response = await get('/', { accept });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(response.headers.get('vary')).toBe('Accept');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/u);
  });

  it('links to what is there', async () => {
    const { links } = homeWire.parse(await (await get('/', { accept: 'application/json' })).json());
    expect(links.openapi).toBe(`${under.url}/openapi.json`);
    const page = await (await get('/', { accept: 'text/html' })).text();
    const named = [...page.matchAll(/href="([^"]+)"/gu)].map(([, address]) => String(address));
    const paths = [...named, ...Object.values(links)].filter((address) => !address.startsWith('data:'));
    const known = new Set(routes.map(({ path }) => path));
    const missing = paths
      .map((address) => new URL(address, under.url).pathname)
      .filter((path) => !known.has(path) && !/^\/docs\/|^\/mcp-http\/mcp$/u.test(path));
    expect(missing).toEqual([]);
    // The console is off here.
    expect(named).not.toContain('console');
  });
});

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
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, `W/${etag}`, '']);
    expect((await get('/docs/swagger-ui.css', { 'if-none-match': '"x"' })).status).toBe(200);
    expect((await fetch(`${under.url}/docs`, { method: 'HEAD' })).headers.get('etag')).toMatch(/^"/u);
  });

  it.each([
    ['gzip', 'gzip'],
    ['br, gzip;q=0.5', 'br'],
    ['br;q=0.1, gzip', 'gzip'],
    ['*', 'br'],
    ['gzip;q=0', null],
    ['gzip; q=0.0', null],
    ['identity', null],
    ['xgzip', null],
  ])('is compressed for %j by %s', async (accepted, coding) => {
    const response = await get('/docs/swagger-ui-bundle.js', { 'accept-encoding': accepted });
    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
      coding,
      'Accept-Encoding',
    ]);
    // fetch has decompressed it.
    expect(await response.text()).toContain('SwaggerUIBundle');
  });

  it('has a tag in compressed form, too, by which a client keeps its copy', async () => {
    const etag = (await get('/openapi.json', { 'accept-encoding': 'br' })).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/u);
    const again = await get('/openapi.json', { 'accept-encoding': 'br', 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is sent in full where HEAD asks for it, and short answers are sent as they are', async () => {
    const head = await fetch(`${under.url}/openapi.json`, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect(head.headers.get('content-encoding')).toBeNull();
    expect((await get('/', { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBeNull();
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
