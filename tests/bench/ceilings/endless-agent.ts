import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** An agent that streams events until its client disconnects. Prints its address; ends with its standard input. */
const event = Buffer.from(`data: ${'.'.repeat(16 * 1024 - 8)}\n\n`);
const server = createServer((request, response) => {
  request.resume();
  void (async () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    while (!response.destroyed) {
      const hasRoom = response.write(event);
      if (!hasRoom) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      // Yields, so that one stream does not keep the others from starting.
      await nextTurn();
    }
  })();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
