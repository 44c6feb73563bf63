import proxy from '@fastify/http-proxy';
import Fastify from 'fastify';

/** The ceiling of /call: a plain reverse proxy in front of the same agent. Prints its address; ends with its standard input. */
const upstream = process.argv[2] ?? '';
const app = Fastify({ logger: false });
await app.register(proxy, { upstream });
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.stdin.resume().on('end', () => process.exit(0));
