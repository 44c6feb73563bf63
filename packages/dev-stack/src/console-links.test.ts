import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { agentPage, isConsoleServed, signInLink } from './console-links.ts';

it('links to an agent, whatever its id is', () => {
  const id = 'a/b?c#d é\u{1f916}%';
  const { pathname, search, hash } = new URL(agentPage('http://127.0.0.1:8080', id));
  const [, console, agents, last = '', ...more] = pathname.split('/');
  expect([console, agents, decodeURIComponent(last), more, search, hash]).toEqual([
    'console',
    'agents',
    id,
    [],
    '',
    '',
  ]);
});

it('puts the code into the fragment, which no server gets', () => {
  const { pathname, search, hash } = new URL(signInLink('http://127.0.0.1:8080', 'the-code'));
  expect([pathname, search, hash]).toEqual(['/console/', '', '#code=the-code']);
});

it('stays below the path of a proxy', () => {
  const baseUrl = 'https://shared.example/trust';
  expect(agentPage(baseUrl, 'a')).toBe('https://shared.example/trust/console/agents/a');
  expect(signInLink(baseUrl, 'c')).toBe('https://shared.example/trust/console/#code=c');
});

it('knows whether the console is served', async () => {
  let status = 200;
  const server = createServer((_, response) => response.writeHead(status).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await isConsoleServed(url)).toBe(true);
  status = 404;
  expect(await isConsoleServed(url)).toBe(false);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  expect(await isConsoleServed(url)).toBe(false);
});
