import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authority, certificate, privateKey } from './certificates.ts';
import { type NameServer, startNameServer } from './name-server.ts';

export { authority } from './certificates.ts';

export const proofPagePath = '/.well-known/agent-trust-registry.txt';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Domains below `proofs.test`, whose owners publish tokens in records and on pages. */
export type DomainWorld = {
  readonly nameServer: NameServer;
  /** Gives a domain an address, and a page with these lines, or whatever the handler does. */
  serve(domain: string, page: string | Handler): void;
  /** Gives a domain TXT records, and no page. */
  publish(domain: string, ...texts: string[]): void;
  /** The domain exists no longer. */
  forget(domain: string): void;
  /** Settings of a gateway that sees these domains; the authority's certificate is in `caFile`. */
  readonly settings: { DOMAIN_PROOF_DNS: string; DOMAIN_PROOF_CA_FILE: string; DOMAIN_PROOF_PORT: string };
  readonly authority: string;
  readonly port: number;
  stop(): Promise<void>;
};

export async function startDomainWorld(): Promise<DomainWorld> {
  const nameServer = await startNameServer();
  const pages = new Map<string, string | Handler>();
  const server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
    const page = pages.get((request.headers.host ?? '').replace(/:\d+$/u, ''));
    if (typeof page === 'function') page(request, response);
    else if (page === undefined || request.url !== proofPagePath) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), 'domain-world-'));
  const caFile = join(folder, 'authority.pem');
  await writeFile(caFile, authority);
  return {
    nameServer,
    serve: (domain, page) => {
      nameServer.names.set(domain, { addresses: ['127.0.0.1'] });
      pages.set(domain, page);
    },
    publish: (domain, ...texts) => {
      nameServer.names.set(`_agent-trust-registry.${domain}`, { texts });
    },
    forget: (domain) => {
      pages.delete(domain);
      nameServer.names.delete(domain);
      nameServer.names.delete(`_agent-trust-registry.${domain}`);
    },
    settings: {
      DOMAIN_PROOF_DNS: nameServer.address,
      DOMAIN_PROOF_CA_FILE: caFile,
      DOMAIN_PROOF_PORT: String(port),
    },
    authority,
    port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await nameServer.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
