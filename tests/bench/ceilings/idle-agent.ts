import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An agent that streams a few bytes a second until its client disconnects. Prints its address; ends with its standard input. */
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const beat = setInterval(() => response.write('data: .\n\n'), 1_000);
  response.once('close', () => clearInterval(beat));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
