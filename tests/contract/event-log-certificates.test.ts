/** Bug: the certificates of an event log of one's own are not those of its names, are signed by nobody, or anybody can read the key of the authority. */
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const script = resolve(import.meta.dirname, '../../infra/eventstoredb/make-certificates.sh');
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

it.skipIf(!hasOpenssl)('makes an authority and a certificate for the nodes that are named, once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const copy = join(folder, 'make-certificates.sh');
  copyFileSync(script, copy);
  const made = (file: string): string => join(folder, 'certificates', file);
  const certificate = (file: string): X509Certificate => new X509Certificate(readFileSync(made(file)));

  execFileSync('sh', [copy, 'node-1.example', 'node-2.example'], { stdio: 'pipe' });
  const [authority, node] = [certificate('ca.crt'), certificate('node.crt')];
  expect(node.verify(authority.publicKey)).toBe(true);
  expect(node.checkIssued(authority)).toBe(true);
  for (const host of ['node-1.example', 'node-2.example', 'localhost']) expect(node.checkHost(host)).toBe(host);
  expect(node.checkHost('node-3.example')).toBeUndefined();
  expect(readFileSync(made('roots/ca.crt'))).toEqual(readFileSync(made('ca.crt')));
  expect(statSync(made('ca.key')).mode & 0o077).toBe(0);

  // A second authority in the place of the first would cut every client off.
  const again = spawnSync('sh', [copy], { encoding: 'utf8' });
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('There are certificates already')]);
  expect(certificate('ca.crt').fingerprint256).toBe(authority.fingerprint256);
});
