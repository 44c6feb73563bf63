import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Domains whose key directories the tests serve. The registry caches answers for minutes, so each test uses a different domain. */
export const directoryDomains = ['named', 'sole', 'shared', 'rotten', 'absent', 'own-key', 'unproved'].map(
  (name) => `${name}.directory.test`,
);

/** A server that stores what was PUT to a path, counts the GET requests for it, and returns 404 elsewhere. */
export async function startKeyDirectories(): Promise<{ url: string; stop: () => void }> {
  const kept = new Map<string, string>();
  const requestCounts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (request.method === 'PUT') {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        kept.set(path, Buffer.concat(chunks).toString());
        response.end();
      });
    } else if (request.method === 'OPTIONS') {
      response.end(String(requestCounts.get(path) ?? 0));
    } else {
      requestCounts.set(path, (requestCounts.get(path) ?? 0) + 1);
      response
        .writeHead(kept.has(path) ? 200 : 404, { 'content-type': 'application/jwk-set+json' })
        .end(kept.get(path));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const pathOf = (domain: string): string => `/${domain}/.well-known/http-message-signatures-directory`;

/** Publishes the directory of a domain: a JWK set, or any text. */
export async function publish(directoriesUrl: string, domain: string, content: unknown): Promise<void> {
  const body = typeof content === 'string' ? content : JSON.stringify(content);
  await fetch(`${directoriesUrl}${pathOf(domain)}`, { method: 'PUT', body });
}

/** Number of requests for the directory of a domain. */
export async function requestCount(directoriesUrl: string, domain: string): Promise<number> {
  return Number(await (await fetch(`${directoriesUrl}${pathOf(domain)}`, { method: 'OPTIONS' })).text());
}
