// A service without function: healthy at once, reports its environment, ends as real services do. For tests of the stack itself.
import { createServer } from 'node:http';

const say = (entry) => process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
const behaviour = process.env.FIXTURE ?? 'good';
if (behaviour === 'wrong_settings') {
  process.stderr.write('gateway: wrong settings: BASE_URL must be a URL\n');
  process.exit(78);
}
if (behaviour === 'crashes') {
  say({ level: 'fatal', msg: 'cannot start: the moon is missing' });
  process.exit(1);
}

const end = () => {
  say({ level: 'info', msg: 'stopped' });
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, behaviour === 'stubborn' ? () => undefined : end);
process.stdin.on('end', end).on('close', end).resume();

const port = Number(process.env.PORT ?? process.env.HEALTH_PORT);
createServer((request, response) => {
  response.writeHead(request.url === '/unhealthy' ? 503 : 200);
  response.end(JSON.stringify({ env: process.env, pid: process.pid }));
}).listen(port, '127.0.0.1', () => say({ level: 'info', msg: 'started', environment: process.env }));
