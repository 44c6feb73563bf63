/**
 * Health check of a container: `node packages/service-kit/src/main/healthcheck.ts [/livez|/readyz]` exits 0 if the service of HEALTH_PORT answers
 * 200, else 1.
 */
import { get } from 'node:http';

const answerTimeoutMs = 3_000;

const fail = (reason: string): never => {
  process.stderr.write(`unhealthy: ${reason}\n`);
  process.exit(1);
};

const port = process.env.HEALTH_PORT;
if (!port) fail('HEALTH_PORT is not set');

// A service that listens on all addresses is reached on loopback.
const configuredHost = process.env.HEALTH_HOST || '127.0.0.1';
const host = configuredHost === '0.0.0.0' ? '127.0.0.1' : configuredHost === '::' ? '::1' : configuredHost;
const path = process.argv[2] ?? '/readyz';

get({ host, port, path, signal: AbortSignal.timeout(answerTimeoutMs) }, (response) => {
  response.resume();
  if (response.statusCode === 200) process.exit(0);
  fail(`${path} answered ${response.statusCode}`);
}).on('error', (error) => fail(error.message));
