import Fastify from 'fastify';

/** The ceiling of reads: a bare fastify route that returns the same bytes. Prints its address; ends with its standard input. */
const bytes = process.argv[2] ?? '{}';
const app = Fastify({ logger: false });
for (const method of ['GET', 'POST']) {
  app.route({
    method,
    url: '/',
    handler: async (_, reply) => reply.type('application/json; charset=utf-8').send(bytes),
  });
}
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.stdin.resume().on('end', () => process.exit(0));
