/**
 * Bug: a service whose NATS_URL says tls:// speaks without TLS to a server that does not ask for it, or to one with a certificate of anybody.
 * Method: real servers with and without TLS; a process of its own connects, because Node reads further authorities only at its start.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startNatsServer } from '@agent-trust/embedded-servers';
import { certificate, privateKey } from '@agent-trust/test-kit/loopback-certificate';
import { beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const program = `
  const { connectRpc } = await import(process.argv[1]);
  const logger = { info() {}, warn() {}, error() {}, debug() {} };
  const limits = { connectTimeoutMs: 8_000 };
  try {
    const rpc = await connectRpc({ natsUrl: process.argv[2], service: 'gateway', instanceId: 'one', logger, limits });
    await rpc.close();
    console.log('connected');
  } catch (error) {
    console.log(String(error.cause ?? error));
  }
  process.exit();
`;

let folder: string;
beforeAll(() => {
  // The server may run as another user.
  folder = mkdtempSync(join(tmpdir(), 'nats-tls-'));
  writeFileSync(join(folder, 'ca.crt'), certificate);
  return () => rmSync(folder, { recursive: true });
});

const connect = async (natsUrl: string, env: Record<string, string> = {}): Promise<string> => {
  const args = ['--input-type=module', '-e', program, join(import.meta.dirname, 'index.ts'), natsUrl];
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...env } });
  return stdout.trim();
};

it('speaks no word without TLS to a server that does not offer it', async () => {
  const server = await startNatsServer();
  try {
    expect(await connect(`nats://127.0.0.1:${server.port}`)).toBe('connected');
    expect(await connect(`tls://127.0.0.1:${server.port}`)).toMatch(/tls/iu);
  } finally {
    await server.stop();
  }
});

it('trusts the authorities of NODE_EXTRA_CA_CERTS, and nobody else', async () => {
  const storeDir = mkdtempSync(join(tmpdir(), 'nats-tls-server-'));
  const configFile = join(storeDir, 'tls.conf');
  const [cert, key] = [join(storeDir, 'tls.crt'), join(storeDir, 'tls.key')];
  writeFileSync(cert, certificate);
  writeFileSync(key, privateKey);
  writeFileSync(configFile, `tls { cert_file: '${cert}', key_file: '${key}' }\n`);
  const server = await startNatsServer({ configFile, storeDir });
  try {
    const url = `tls://127.0.0.1:${server.port}`;
    expect(await connect(url)).toMatch(/self-signed|self signed/iu);
    expect(await connect(url, { NODE_EXTRA_CA_CERTS: join(folder, 'ca.crt') })).toBe('connected');
  } finally {
    await server.stop();
    rmSync(storeDir, { recursive: true, force: true });
  }
});
