import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Domains whose key directories the tests play; answers of the registry's are kept for minutes, so that each test has one of its own. */
export const directoryDomains = ['named', 'sole', 'shared', 'rotten', 'absent', 'own-key'].map(
  (name) => `${name}.directory.test`,
);

/** A server that keeps what was PUT to a path, counts how often it was asked for, and is 404 elsewhere. */
export async function startKeyDirectories(): Promise<{ url: string; stop: () => void }> {
  const kept = new Map<string, string>();
  const asked = new Map<string, number>();
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
      response.end(String(asked.get(path) ?? 0));
    } else {
      asked.set(path, (asked.get(path) ?? 0) + 1);
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

/** Publishes a directory of a domain: a JWK set, or any text. */
export async function publish(directoriesUrl: string, domain: string, content: unknown): Promise<void> {
  const body = typeof content === 'string' ? content : JSON.stringify(content);
  await fetch(`${directoriesUrl}${pathOf(domain)}`, { method: 'PUT', body });
}

/** How often the directory of a domain was asked for. */
export async function timesAsked(directoriesUrl: string, domain: string): Promise<number> {
  return Number(await (await fetch(`${directoriesUrl}${pathOf(domain)}`, { method: 'OPTIONS' })).text());
}
