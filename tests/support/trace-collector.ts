import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A stand-in for an OTLP collector that appends each export to a file, as one line, as soon as it arrives. */
export type TraceCollector = { readonly url: string; file: string | undefined; stop(): void };

export async function startTraceCollector(): Promise<TraceCollector> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (collector.file !== undefined) appendFileSync(collector.file, `${body.replaceAll('\n', ' ')}\n`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector: TraceCollector = {
    file: undefined,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return collector;
}
