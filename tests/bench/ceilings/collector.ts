import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes what services export over OTLP and keeps nothing. GET /count returns the number of exports of traces and of metrics that it received. */
const received = { traces: 0, metrics: 0 };
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(received));
  if (request.url === '/v1/traces') received.traces += 1;
  if (request.url === '/v1/metrics') received.metrics += 1;
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
