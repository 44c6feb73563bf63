import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Traces = { resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[] };

/** Takes what services export over OTLP, as JSON, and keeps nothing. GET /count returns how many exports of metrics and how many spans by name it received. */
const received = { metrics: 0, spans: {} as Record<string, number> };
const countSpans = ({ resourceSpans }: Traces): void => {
  for (const { scopeSpans } of resourceSpans)
    for (const { spans } of scopeSpans)
      for (const { name } of spans) received.spans[name] = (received.spans[name] ?? 0) + 1;
};
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(received));
  const chunks: Buffer[] = [];
  request
    .on('data', (chunk: Buffer) => void chunks.push(chunk))
    .on('end', () => {
      if (request.url === '/v1/traces') countSpans(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Traces);
      if (request.url === '/v1/metrics') received.metrics += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
