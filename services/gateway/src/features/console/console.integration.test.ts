import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureConsole } from '@agent-trust/console/build';
import { consolePageRoutes } from '@agent-trust/contracts';
import { createLogger } from '@agent-trust/service-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';
import { consoleFilesOf } from './console-files.ts';

const links = {
  TRACE_URL: `https://traces.example/explore?left={"id":"{trace_id}"}&note=it's`,
  CHAIN_EXPLORER_URL: 'base=https://scan.example/tx/{transaction},base=https://scan.example/address/{address}',
};
let under: GatewayUnderTest;
let without: GatewayUnderTest;
beforeAll(async () => {
  await ensureConsole();
  under = await startGatewayUnderTest({ CONSOLE: 'on', BASE_URL: 'https://shared.example/trust/', ...links });
  without = await startGatewayUnderTest();
});
afterAll(async () => {
  await under.stop();
  await without.stop();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${under.url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });
const filesOf = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/gu)].map(([, address]) => String(address));

describe('the console', () => {
  it.each([
    '/console',
    '/console/',
    '/console/agents/a%2Fb',
    '/console/audit',
    '/console/x/y/z',
    '/console/index.html',
    '/console/a/b/c/d',
    '/console/a/b/c/?x=y',
    '/console/agents/%',
    '/console/agents/%ff?as_of=1',
  ])('%s is the page, which a cache asks for each time', async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('cache-control')).toBe('public, no-cache');
    const again = await get(path, { 'if-none-match': response.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is for readers: what is sent to an address that it does not have is refused as anywhere', async () => {
    const send = (path: string, init?: RequestInit) => fetch(`${under.url}${path}`, init);
    expect((await send('/console/a/b/c/d', { method: 'HEAD' })).status).toBe(200);
    expect((await send('/console/a/b/c/d', { method: 'POST' })).status).toBe(404);
    expect((await send('/consoles/a/b/c/d')).status).toBe(404);
    expect((await fetch(`${without.url}/console/a/b/c/d`)).status).toBe(404);
    expect((await fetch(`${without.url}/console/agents/%`)).status).toBe(422);
  });

  it('loads files below the path of BASE_URL, which never change', async () => {
    const files = filesOf(await (await get('/console/agents/x')).text());
    expect(files.length).toBeGreaterThanOrEqual(2);
    for (const address of files) {
      expect(address).toMatch(/^\/trust\/console\/assets\//u);
      const response = await get(address.replace('/trust', ''), { 'accept-encoding': 'br' });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-type')).toMatch(/^text\/(?:javascript|css); charset=utf-8$/u);
    }
    const script = files.find((address) => address.endsWith('.js')) ?? '';
    const compressed = await get(script.replace('/trust', ''), { 'accept-encoding': 'br' });
    expect(compressed.headers.get('content-encoding')).toBe('br');
  });

  it('names the scripts of the page at each address, so that a browser loads them at once', async () => {
    const scriptsAt = async (path: string): Promise<string[]> => filesOf(await (await get(path)).text());
    const everywhere = await scriptsAt('/console/nothing');
    const [agent, other, home] = await Promise.all(
      ['/agents/a', '/agents/b', ''].map((at) => scriptsAt(`/console${at}`)),
    );
    expect(agent).toEqual(other);
    expect(agent).toEqual(expect.arrayContaining(everywhere));
    expect(agent?.length).toBeGreaterThan(everywhere.length);
    expect(home).not.toEqual(agent);
    for (const address of agent ?? []) expect((await get(address.replace('/trust', ''))).status).toBe(200);
  });

  it('is linked from the page at /, and only where it is served', async () => {
    for (const [url, isLinked] of [
      [under.url, true],
      [without.url, false],
    ] as const) {
      const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
      expect(page.includes('<a href="console">')).toBe(isLinked);
    }
  });

  it('tells its script where it may link to, and nothing else of the settings', async () => {
    const page = await (await get('/console')).text();
    const [, content = ''] = /<meta name="console-settings" content="([^"]*)">/u.exec(page) ?? [];
    const scan = {
      transaction: 'https://scan.example/tx/{transaction}',
      address: 'https://scan.example/address/{address}',
    };
    expect(JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toEqual({
      traceUrl: links.TRACE_URL,
      // A payment names the network by either.
      chainExplorers: { base: scan, 'eip155:8453': scan },
    });
  });

  it.each(['/console', '/console/audit'])(
    '%s allows nothing from elsewhere, and no text to become markup',
    async (path) => {
      const { headers } = await get(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none';/u);
      expect(policy).not.toMatch(/unsafe|\*|https?:|nonce/u);
      for (const rule of [
        "require-trusted-types-for 'script'",
        "frame-ancestors 'none'",
        "form-action 'none'",
        "base-uri 'none'",
      ])
        expect(policy).toContain(rule);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it.each([
    '/console/assets/none.js',
    '/console/assets/..%2findex.html',
    '/console/assets/fingerprint',
    '/console/assets/constructor',
  ])('%s is 404', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'route_not_found' });
  });

  it('is 404 in the form of every error where it is off, and so is each of its files', async () => {
    const [file = ''] = filesOf(await (await get('/console')).text());
    for (const path of [...consolePageRoutes.map((route) => route.path), file.replace('/trust', '')]) {
      const response = await fetch(`${without.url}${path}`);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'route_not_found']);
    }
  });

  it('is not served where it is not built, which the log says once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'no-console-'));
    const lines: string[] = [];
    const logger = createLogger({
      service: 'gateway',
      instanceId: 'test',
      level: 'info',
      destination: { write: (line) => void lines.push(line) },
    });
    try {
      expect(consoleFilesOf({ CONSOLE: 'on', CHAIN_EXPLORER_URL: [] }, logger, folder)).toBeNull();
      expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
        'CONSOLE is on, and the console is not built: nothing is served at /console',
      ]);
      expect(consoleFilesOf({ CONSOLE: 'off', CHAIN_EXPLORER_URL: [] }, logger, folder)).toBeNull();
      expect(lines).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
