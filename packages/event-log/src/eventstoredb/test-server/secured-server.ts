import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const run = promisify(execFile);
const infra = resolve(import.meta.dirname, '../../../../../infra/eventstoredb');
const adminPassword = 'pw-of-admin';

export type SecuredServer = {
  server: ServerProcess;
  /** The file with the certificate of the authority. */
  caFile: string;
  /** `https://` address of the same port. */
  address: string;
  /** The `esdb://` address as an operator writes it, for one of the users of set-up-users.mjs; null: without a user. */
  urlFor(user: string | null, password?: string): string;
  /** Runs set-up-users.mjs, with the password `pw-of-<user>` for each, or with these variables instead. */
  setUpUsers(env?: Record<string, string>): Promise<{ stdout: string }>;
  /** A request of the HTTP interface, as the administrator. */
  asAdmin(method: string, path: string, body: object, headers?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
};

const usersOfScript = ['admin', 'registry-write', 'call-proxy', 'pay-proxy', 'trust-projection', 'retention'];

/** The variables of set-up-users.mjs. */
export const passwordsOfScript: Record<string, string> = Object.fromEntries(
  usersOfScript.map((user) => [`EVENTSTOREDB_${user.replaceAll('-', '_').toUpperCase()}_PASSWORD`, `pw-of-${user}`]),
);

/** A stand-in with TLS and users, with certificates of make-certificates.sh. Needs openssl, as that script does. */
export async function startSecuredServer(): Promise<SecuredServer> {
  const folder = await mkdtemp(join(tmpdir(), 'event-log-tls-'));
  await copyFile(join(infra, 'make-certificates.sh'), join(folder, 'make-certificates.sh'));
  await run('sh', [join(folder, 'make-certificates.sh')]);
  const certificates = join(folder, 'certificates');
  const [certificate, key] = await Promise.all(
    ['node.crt', 'node.key'].map((name) => readFile(join(certificates, name), 'utf8')),
  );
  const security = { certificate: certificate ?? '', key: key ?? '', adminPassword };
  const server = await startServerProcess({ port: 0, cluster: null, security });
  const caFile = join(certificates, 'ca.crt');
  const address = `https://127.0.0.1:${server.port}`;
  const authority = { PATH: process.env['PATH'] ?? '', NODE_EXTRA_CA_CERTS: caFile };
  const script = (program: readonly string[], env: Record<string, string>): Promise<{ stdout: string }> =>
    run(process.execPath, [...program], { env: { ...authority, ...env } });
  return {
    server,
    caFile,
    address,
    urlFor: (user, password = `pw-of-${user}`) => {
      const credentials = user === null ? '' : `${user}:${password}@`;
      return `esdb://${credentials}localhost:${server.port}?tls=true&tlsCAFile=${caFile}`;
    },
    setUpUsers: (env = passwordsOfScript) =>
      script([join(infra, 'set-up-users.mjs')], { EVENTSTOREDB_ADDRESS: address, ...env }),
    asAdmin: async (method, path, body, headers = {}) => {
      // In a process of its own, because Node reads the authority at its start.
      const request = `
        const [url, init] = JSON.parse(process.argv[1]);
        const { status } = await fetch(url, init);
        if (status >= 300) throw new Error(String(status));`;
      const authorization = `Basic ${Buffer.from(`admin:${adminPassword}`).toString('base64')}`;
      const init = {
        method,
        body: JSON.stringify(body),
        headers: { authorization, 'content-type': 'application/json', ...headers },
      };
      await script(['--input-type=module', '--eval', request, JSON.stringify([`${address}${path}`, init])], {});
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
