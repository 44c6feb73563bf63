/**
 * Bug: what somebody else has put where a package is downloaded, or a file that is not the one of the distribution's index, is unpacked and run.
 * Method: apt-get and dpkg are programs of the test, which note what they do; apt-get downloads what the test tells it to.
 */
import { hash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { unpackDistributionPackage } from './distribution-package.ts';
import { defaultCacheDir, provideNatsServer } from './nats-server-binary.ts';

const file = 'nats-server_2.9.10-1+b3_amd64.deb';
const right = 'the package of the distribution';

let folder: string;
let work: string;
let unpacked: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  work = mkdtempSync(join(folder, 'work-'));
  unpacked = join(folder, 'unpacked.log');
  vi.stubEnv('PATH', [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter));
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const program = (name: string, script: string): void => {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
};

/** A distribution whose index names `file` with the content `right`, and that sends `sent`. */
const distribution = (
  sent: string,
  indexed = `'http://x.test/a' ${file} ${right.length} SHA256:${hash('sha256', right)}`,
): void => {
  writeFileSync(join(folder, 'sent'), sent);
  program(
    'apt-get',
    `case "$*" in *--print-uris*) echo "${indexed}";; *download*) cp '${join(folder, 'sent')}' '${file}';; esac`,
  );
  program(
    'dpkg',
    `echo "$2" >> '${unpacked}'; mkdir -p "$3/usr/bin"
     printf '#!/bin/sh\\necho "nats-server: v2.9.10"' > "$3/usr/bin/nats-server"; chmod +x "$3/usr/bin/nats-server"`,
  );
};

it('unpacks the file that the index names, in a folder of its own', async () => {
  distribution(right);
  chmodSync(work, 0o777);
  writeFileSync(join(work, 'nats-server_0.0-0_amd64.deb'), 'of somebody else');
  expect(await unpackDistributionPackage('nats-server', work)).toBe(join(work, 'unpacked'));
  expect(readFileSync(unpacked, 'utf8')).toBe(`${file}\n`);
  expect(statSync(work).mode & 0o777).toBe(0o700);
});

it.each([
  [
    'a file with another content of the same size',
    right.replace('the', 'The'),
    undefined,
    /not the file of the package index/u,
  ],
  ['a longer file', `${right} and more`, undefined, /not the file of the package index/u],
  ['a file without a checksum', right, `'http://x.test/a' ${file} ${right.length} MD5Sum:00`, /does not say/u],
  ['a file of another package', right, `'http://x.test/a' other_1_amd64.deb 1 SHA256:00`, /does not say/u],
  ['a file of another folder', right, `'http://x.test/a' nats-server_/../../x.deb 1 SHA256:00`, /does not say/u],
])('does not unpack %s', async (_what, sent, indexed, error) => {
  distribution(sent, indexed);
  await expect(unpackDistributionPackage('nats-server', work)).rejects.toThrow(error);
  expect(existsSync(unpacked)).toBe(false);
});

it('does not unpack what apt-get has not written as a file of this user', async () => {
  distribution(right);
  program(
    'apt-get',
    `case "$*" in *--print-uris*) echo "'x' ${file} ${right.length} SHA256:${hash('sha256', right)}";; *download*) ln -s '${join(folder, 'sent')}' '${file}';; esac`,
  );
  await expect(unpackDistributionPackage('nats-server', work)).rejects.toThrow(/not a file of this user/u);
});

it('is kept where nobody else can put another program', async () => {
  distribution(right);
  const cacheDir = defaultCacheDir();
  expect(statSync(cacheDir).mode & 0o777).toBe(0o700);
  expect(await provideNatsServer({ cacheDir })).toBe(join(cacheDir, 'nats-server'));
  chmodSync(cacheDir, 0o777);
  expect(defaultCacheDir()).not.toBe(cacheDir);
});
