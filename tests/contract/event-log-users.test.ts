/**
 * Bugs: a user of the event log has a right that its service must not have; a second run changes rights or records the format again; a log is
 * prepared with a format that the services refuse.
 * Method: the script runs against a server of the test that answers as EventStoreDB's HTTP interface is documented, and notes what it is asked.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { serviceKinds } from '@agent-trust/dev-stack';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const script = join(root, 'infra/eventstoredb/set-up-users.mjs');
const { logFormat, rights, users } = (await import(script)) as {
  logFormat: number;
  users: Record<string, string[]>;
  rights: Record<'$userStreamAcl' | '$systemStreamAcl', Record<string, string | string[]>>;
};
const names = ['admin', ...Object.keys(users)];
const passwords = Object.fromEntries(
  names.map((name) => [`EVENTSTOREDB_${name.replaceAll('-', '_').toUpperCase()}_PASSWORD`, `pw-of-${name}`]),
);

it('lets writers append, the projection read, and retention alone truncate', () => {
  const may = (user: string, right: string): boolean =>
    [rights.$userStreamAcl[right] ?? []].flat().some((group) => users[user]?.includes(group) === true);
  for (const { name, eventLog } of serviceKinds.filter((kind) => kind.eventLog !== 'none')) {
    const allowed = ['$r', '$w', '$d', '$mr', '$mw'].filter((right) => may(name, right));
    expect([name, allowed]).toEqual([name, eventLog === 'writer' ? ['$r', '$w', '$mr'] : ['$r', '$mr']]);
  }
  expect(['$r', '$w', '$d', '$mw'].map((right) => may('retention', right))).toEqual([true, false, false, true]);
  expect(rights.$systemStreamAcl).toMatchObject({ $w: '$admins', $d: '$admins', $mw: '$admins' });
  const written = /export const logFormat = (\d+);/u.exec(
    readFileSync(join(root, 'packages/event-log/src/log-format.ts'), 'utf8'),
  );
  expect(written?.[1]).toBe(String(logFormat));
});

it('makes the users, the format and the rights, and changes passwords alone when it is repeated', async () => {
  const asked: string[] = [];
  const made = new Map<string, unknown>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const path = decodeURIComponent(request.url ?? '');
      asked.push(`${request.method ?? ''} ${path}`);
      const isAdmin = request.headers.authorization === `Basic ${Buffer.from('admin:pw-of-admin').toString('base64')}`;
      if (!isAdmin) return response.writeHead(401).end();
      if (request.method === 'GET') {
        const found = made.get(path);
        return response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found ?? {}));
      }
      const sent = JSON.parse(body) as { loginName?: string };
      if (path === '/users/') made.set(`/users/${sent.loginName ?? ''}`, sent);
      if (path === '/streams/$$agent-trust-log') made.set('/streams/agent-trust-log/metadata', sent);
      if (path === '/streams/$settings') made.set('rights', sent);
      return response.writeHead(201).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const setUp = (given: Record<string, string>): Promise<{ stdout: string }> =>
    run(process.execPath, [script], { env: { EVENTSTOREDB_ADDRESS: address, ...given } });
  try {
    await expect(setUp({})).rejects.toThrow('EVENTSTOREDB_REGISTRY_WRITE_PASSWORD');
    await expect(setUp({ ...passwords, EVENTSTOREDB_ADMIN_PASSWORD: 'wrong' })).rejects.toThrow(
      'ADMIN_PASSWORD right?',
    );
    asked.length = 0;
    const { stdout } = await setUp(passwords);
    expect(stdout).not.toContain('pw-of-');
    expect([...made.keys()].filter((path) => path.startsWith('/users/'))).toEqual(
      Object.keys(users).map((user) => `/users/${user}`),
    );
    expect(made.get('/users/call-proxy')).toMatchObject({ groups: users['call-proxy'], password: 'pw-of-call-proxy' });
    expect(made.get('/streams/agent-trust-log/metadata')).toEqual({ agentTrustLogFormat: logFormat });
    expect(made.get('rights')).toEqual(rights);
    // With the rights, services can start, and would look for the format.
    expect(asked.indexOf('POST /streams/$$agent-trust-log')).toBeLessThan(asked.indexOf('POST /streams/$settings'));
    asked.length = 0;
    await setUp(passwords);
    expect(asked).not.toContain('POST /users/');
    expect(asked).not.toContain('POST /streams/$$agent-trust-log');
    expect(asked.filter((line) => line.endsWith('/command/reset-password'))).toHaveLength(Object.keys(users).length);
  } finally {
    server.close();
  }
});
