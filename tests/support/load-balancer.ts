import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '@agent-trust/embedded-servers';
import { waitFor } from '@agent-trust/test-kit';
import { certificate, privateKey } from '@agent-trust/test-kit/loopback-certificate';
import { findNginx } from './nginx-program.ts';

const shipped = resolve(import.meta.dirname, '../../infra/nginx');

export type LoadBalancer = {
  /** Without TLS. */
  httpUrl: string;
  httpsUrl: string;
  /** What nginx has written. */
  output: () => string;
  /** Ends the workers at once, and with them all connections. */
  stop: () => Promise<void>;
};

/** Why there is no nginx here; null if there is one. In CI there must be. */
export async function whyNoNginx(): Promise<string | null> {
  const work = mkdtempSync(join(tmpdir(), 'agent-trust-nginx-'));
  try {
    await findNginx(work);
    return null;
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    return `nginx is needed (apt-get install nginx): ${(error as Error).message.split('\n')[0]}`;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * nginx with a configuration of infra/nginx as it is, except for what belongs to a place: the ports that it listens on, the folder that it writes
 * to, the certificate, and the addresses of the gateways.
 * @param config `nginx.conf` (with TLS) or `compose.conf`
 */
export async function startLoadBalancer(config: string, gateways: readonly string[]): Promise<LoadBalancer> {
  const work = mkdtempSync(join(tmpdir(), 'agent-trust-nginx-'));
  // The workers may run as another user.
  chmodSync(work, 0o755);
  const folder = join(work, 'conf');
  const written = join(work, 'written');
  cpSync(shipped, folder, { recursive: true });
  for (const path of [written, join(folder, 'tls'), join(work, 'package')]) mkdirSync(path, { recursive: true });
  chmodSync(written, 0o777);
  writeFileSync(join(folder, 'tls', 'tls.crt'), certificate);
  writeFileSync(join(folder, 'tls', 'tls.key'), privateKey, { mode: 0o600 });
  const [http, https] = [await freePort(), await freePort()];
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.conf'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), inThisPlace(text, { written, http, https, gateways }));
  }
  const program = await findNginx(join(work, 'package'));
  const child = spawn(program, ['-p', folder, '-c', config, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (bytes: Buffer) => (errors += String(bytes)));
  const accessLog = join(written, 'access.log');
  const output = (): string => errors + (existsSync(accessLog) ? readFileSync(accessLog, 'utf8') : '');
  const balancer: LoadBalancer = {
    httpUrl: `http://127.0.0.1:${http}`,
    httpsUrl: `https://127.0.0.1:${https}`,
    output,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(work, { recursive: true, force: true });
    },
  };
  try {
    await waitFor(
      async () => {
        if (child.exitCode !== null) throw new Error(`nginx has ended: ${output()}`);
        return (await fetch(`${balancer.httpUrl}/nginx-health`, { redirect: 'manual' })).status < 400;
      },
      { description: 'nginx to answer' },
    );
    return balancer;
  } catch (error) {
    await balancer.stop();
    throw new Error(`nginx did not start: ${output()}`, { cause: error });
  }
}

type Place = { written: string; http: number; https: number; gateways: readonly string[] };

const inThisPlace = (text: string, { written, http, https, gateways }: Place): string =>
  text
    .replaceAll('/tmp/', `${written}/`)
    // A program of Node has a socket there, which cannot be opened.
    .replace('/dev/stdout', join(written, 'access.log'))
    // Clients of the test have addresses in 127.0.0.0/8.
    .replaceAll(/^ *listen \[::\]:.*\n/gmu, '')
    .replaceAll(/^( *listen )8080\b/gmu, `$1${http}`)
    .replaceAll(/^( *listen )8443\b/gmu, `$1${https}`)
    // Names that only Docker knows, and the parameter for them, which Debian's nginx does not have.
    .replace(/^ *resolver .*\n/mu, '')
    .replaceAll(
      /^ *server gateway(?:-(\d))?:8080(?: resolve)?(.*)$/gmu,
      (_line, index: string | undefined, rest: string) =>
        (index === undefined ? gateways : [gateways[Number(index) - 1] ?? ''])
          .map((url) => `  server ${new URL(url).host}${rest}`)
          .join('\n'),
    );
