import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The agent behind the calls: answers at once. GET /count returns the number of calls it received. */
let calls = 0;
const body = JSON.stringify({ quote: 42, currency: 'EUR' });
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(String(calls));
  calls += 1;
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
