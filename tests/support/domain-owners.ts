import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type DomainWorld, startDomainWorld } from '@agent-trust/test-kit/domain-world';

/** The owners of domains below `proofs.test`, told over HTTP what to publish: PUT `/records/<domain>`, `/pages/<domain>`, DELETE `/<domain>`. */
export async function startDomainOwners(): Promise<{
  url: string;
  settings: DomainWorld['settings'];
  stop: () => Promise<void>;
}> {
  const world = await startDomainWorld();
  const server = createServer(async (request, response) => {
    const [kind = '', domain = ''] = (request.url ?? '').slice(1).split('/');
    if (request.method === 'DELETE') world.forget(kind);
    else if (kind === 'records') world.publish(domain, await text(request));
    else world.serve(domain, await text(request));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings: world.settings,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await world.stop();
    },
  };
}
