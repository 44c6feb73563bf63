/** Bugs: a secret in a committed file; a container that is never restarted; a setting that is undocumented or has no effect. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { serviceKinds, serviceSecretNames } from './services.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface ComposeService {
  readonly command?: string[];
  readonly container_name?: string;
  readonly profiles?: string[];
  readonly environment?: Record<string, string>;
  readonly healthcheck?: { readonly test: string[] };
  readonly networks?: string[];
  readonly restart?: string;
  readonly ports?: string[];
  readonly read_only?: boolean;
  readonly deploy?: {
    readonly resources: {
      readonly limits: { readonly memory?: string; readonly cpus?: string; readonly pids?: number };
    };
  };
}
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, ComposeService> };
const services = Object.entries(compose.services);
const observers = services.filter(([, { profiles = [] }]) => profiles.includes('observability'));
/** What runs and ends, when somebody runs it. */
const tasks = services.filter(([, { profiles = [] }]) => profiles.includes('archive'));
/** Images with one program, which cannot check itself. */
const programless = ['tempo', 'otel-collector'];
const hostPorts: Record<string, string[]> = {
  nginx: ['127.0.0.1:${PORT:-8080}:8080'],
  grafana: ['127.0.0.1:${GRAFANA_PORT:-3000}:3000'],
  prometheus: ['127.0.0.1:${PROMETHEUS_PORT:-9090}:9090'],
};
/** The settings of a service: the keys of the schema in its settings.ts. */
const settingsOf = async (name: string): Promise<string[]> => {
  const module = (await import(join(root, 'services', name, 'src/settings.ts'))) as Record<string, unknown>;
  const schemas = Object.values(module).filter((value) => value instanceof z.ZodObject);
  expect(schemas).toHaveLength(1);
  return schemas.flatMap(({ shape }) => Object.keys(shape));
};
/** Settings that docker-compose.yml does not pass on, each with its reason. */
const notPassedOn: Record<string, string> = {
  INSTANCE_ID: 'names one process; two of a scaled service must not share it, and each makes its own',
  NODE_ENV: 'the image sets it',
};
const environmentOf = (name: string): Record<string, string> => compose.services[name]?.environment ?? {};

describe('docker-compose.yml', () => {
  it('runs every service and what they need', () => {
    const expected = [...serviceKinds.map(({ name }) => name), 'nginx', 'nats', 'postgres', 'eventstoredb'];
    expect(observers.map(([name]) => name)).toEqual([
      'prometheus',
      'grafana',
      'tempo',
      'otel-collector',
      'node-exporter',
    ]);
    expect(
      services
        .filter((one) => !observers.includes(one) && !tasks.includes(one))
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(expected.toSorted());
    for (const { name } of serviceKinds) {
      expect(compose.services[name]?.command).toEqual([name]);
      expect(compose.services[name]?.read_only).toBe(true);
    }
  });

  it('archives when somebody runs it, as users that no service has', () => {
    expect(tasks.map(([name]) => name)).toEqual(['archive']);
    expect(environmentOf('archive')['DATABASE_URL']).toMatch(/^postgres:\/\/retention:/u);
    for (const { name } of serviceKinds)
      expect(JSON.stringify(environmentOf(name))).not.toMatch(/retention:|RETENTION_URL/u);
    const production = parse(
      read('docker-compose.production.yml').replaceAll('!override', '').replaceAll('!reset', ''),
      {
        merge: true,
      },
    ) as typeof compose;
    for (const name of ['EVENT_LOG_URL', 'EVENT_LOG_RETENTION_URL'])
      expect(production.services['archive']?.environment?.[name]).toMatch(/^esdb:\/\/retention:/u);
  });

  it.each(services)('%s has a health check, a restart policy and limits', (name, service) => {
    const isTask = tasks.some(([task]) => task === name);
    expect(programless.includes(name) || isTask || (service.healthcheck?.test.length ?? 0) > 1).toBe(true);
    expect(service.restart).toBe(isTask ? 'no' : 'unless-stopped');
    expect(service.deploy?.resources.limits).toMatchObject({
      memory: expect.any(String),
      cpus: expect.any(String),
      pids: expect.any(Number),
    });
  });

  it.each(services)(
    '%s has no fixed container name, and no host port but those for people, on loopback',
    (name, service) => {
      expect(service.container_name).toBeUndefined();
      expect(service.ports ?? []).toEqual(hostPorts[name] ?? []);
    },
  );

  it.each(serviceKinds)('$name reaches a collector, and nothing outside if it need not', ({ name }) => {
    const networks = compose.services[name]?.networks ?? [];
    expect(networks).toEqual(expect.arrayContaining(['inside', 'telemetry']));
    expect(networks.includes('outside')).toBe(name !== 'registry-write');
    expect(environmentOf(name)['OTEL_EXPORTER_OTLP_ENDPOINT']).toBeDefined();
    // The production file adds nothing that would replace them.
    const overlay = parse(read('docker-compose.production.yml'), { merge: true, logLevel: 'silent' }) as typeof compose;
    const together = [...networks, ...(overlay.services[name]?.networks ?? [])];
    const ofCollector = compose.services['otel-collector']?.networks ?? [];
    expect(together.filter((network) => ofCollector.includes(network))).toEqual(['telemetry']);
  });

  it.each(serviceKinds)('passes every setting of $name on, under the same name', async ({ name }) => {
    const environment = environmentOf(name);
    const settings = await settingsOf(name);
    const absent = settings.filter((key) => environment[key] === undefined);
    const expected = Object.keys(notPassedOn).filter((key) => settings.includes(key));
    expect(absent.toSorted()).toEqual(expected.toSorted());
    const optional = Object.entries(environment).filter(([, value]) => /^\$\{[A-Z_]+:-/.test(value));
    expect(optional.filter(([key, value]) => !value.startsWith(`\${${key}:-`))).toEqual([]);
  });

  it('holds no secret: each one comes from .env, which must have it', () => {
    const given = services.flatMap(([, { environment }]) => Object.entries(environment ?? {}));
    const secrets = given
      .filter(([name]) => /PASSWORD|SECRET|ADMIN|PERSONAL_DATA_KEY|LOG_SIGNING_KEY/.test(name))
      .map(([, value]) => value);
    expect(secrets.filter((value) => !/^\$\{(?:[A-Z_]+:\?.+|[A-Z_]+_PREVIOUS:-)\}$/.test(value))).toEqual([]);
    const builtIn = given.map(([, value]) => value.replaceAll(/\$\{[A-Z_]+:[?-][^}]*\}/g, ''));
    expect(builtIn.filter((value) => /:\/\/[^:/]+:[^@]+@/.test(value))).toEqual([]);
    const made = execFileSync(process.execPath, [join(root, 'infra/docker/make-env.mjs')], { encoding: 'utf8' });
    const asked = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name ?? '');
    for (const name of asked) expect(made).toMatch(new RegExp(`^${name}=(?:pw)?[\\w-]{43}$`, 'm'));
  });

  it.skipIf(process.platform === 'win32')('makes a .env that only its owner can read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
    try {
      const script = join(root, 'infra/docker/make-env.mjs');
      execFileSync('sh', ['-c', 'umask 022; "$0" "$1" > .env', process.execPath, script], { cwd: folder });
      const { mode, size } = statSync(join(folder, '.env'));
      expect([mode & 0o777, size > 0]).toEqual([0o600, true]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.skipIf(process.platform === 'win32')(
    'prepares an older database by hand if only Compose sets the variables',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
      try {
        // Replaces the program of that name in the container, and reports its arguments.
        writeFileSync(join(folder, 'psql'), '#!/bin/sh\necho "$@"\ncat\n', { mode: 0o755 });
        const given = Object.keys(environmentOf('postgres')).map((name) => [name, 'pw']);
        const env = { ...Object.fromEntries(given), PATH: `${folder}:/usr/bin:/bin` } as NodeJS.ProcessEnv;
        const script = join(root, 'infra/postgres/20-personal-data.sh');
        const reported = execFileSync('sh', [script], { encoding: 'utf8', env });
        expect(reported).toMatch(/--username postgres --dbname agent_trust\n[^]*GRANT SELECT, INSERT, DELETE/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('gives each service its own credentials only', () => {
    for (const { name, eventLog, readModels, personalData, secrets } of serviceKinds) {
      const text = JSON.stringify(environmentOf(name));
      expect(environmentOf(name)['NATS_URL']).toMatch(
        new RegExp(`^nats://${name}:\\$\\{NATS_${name.replaceAll('-', '_').toUpperCase()}_PASSWORD:`),
      );
      expect(text.match(/NATS_[A-Z_]+_PASSWORD/g)).toHaveLength(1);
      expect([text.includes('EVENT_LOG_URL'), text.includes('"DATABASE_URL"'), text.includes('ADMIN_KEY')]).toEqual([
        eventLog !== 'none',
        readModels,
        name === 'gateway',
      ]);
      expect(text.includes('PERSONAL_DATA_DATABASE_URL')).toBe(personalData === 'writer');
      expect(secrets.includes('PERSONAL_DATA_KEY')).toBe(personalData !== 'none');
      expect(serviceSecretNames.filter((secret) => text.includes(secret)).toSorted()).toEqual(secrets.toSorted());
    }
  });
});

describe('docker-compose.production.yml', () => {
  const text = read('docker-compose.production.yml');
  const production = parse(text, { merge: true, logLevel: 'silent' }) as {
    services: Record<string, { environment?: Record<string, string>; volumes?: string[] }>;
  };

  it.each(serviceKinds)('gives $name a user of its own over TLS if it has the event log', ({ name, eventLog }) => {
    const { environment = {}, volumes = [] } = production.services[name] ?? {};
    const user = new RegExp(
      `^esdb://${name}:\\$\\{EVENTSTOREDB_${name.replaceAll('-', '_').toUpperCase()}_PASSWORD:\\?`,
    );
    const url = environment['EVENT_LOG_URL'] ?? '';
    expect([user.test(url), url.includes('@eventstoredb:2113?tls=true&tlsCAFile=/certificates/ca.crt')]).toEqual(
      eventLog === 'none' ? [false, false] : [true, true],
    );
    expect(volumes.some((volume) => volume.endsWith(':/certificates/ca.crt:ro'))).toBe(eventLog !== 'none');
  });

  it('runs the server with TLS, and asks for secrets that make-env.mjs makes', () => {
    const { environment = {} } = production.services['eventstoredb'] ?? {};
    expect(Object.keys(environment).filter((name) => /INSECURE|MEM_DB/.test(name))).toEqual([]);
    expect(text).toContain('environment: !override');
    const made = execFileSync(process.execPath, [join(root, 'infra/docker/make-env.mjs')], { encoding: 'utf8' });
    for (const [, name] of text.matchAll(/\$\{([A-Z_]+):\?/g)) expect(made).toMatch(new RegExp(`^${name}=`, 'm'));
  });
});

describe('Dockerfile', () => {
  const lines = read('infra/docker/Dockerfile').split('\n');

  it('runs without root privileges, with a health check', () => {
    expect(lines.findLast((line) => line.startsWith('USER '))).toBe('USER 65532:65532');
    expect(lines.some((line) => line.startsWith('HEALTHCHECK'))).toBe(true);
    expect(existsSync(join(root, 'packages/service-kit/src/main/healthcheck.ts'))).toBe(true);
  });

  it('runs the Node version that the workspace pins', () => {
    const catalog = (parse(read('pnpm-workspace.yaml')) as { catalog: Record<string, string> }).catalog;
    const [build = ''] = lines.filter((text) => text.startsWith('FROM '));
    expect(build).toContain(`node:${catalog['node']}-`);
  });
});

describe('.env.example', () => {
  it.skipIf(process.platform === 'win32')('can be sourced by a shell with every line in use', () => {
    const given = read('.env.example').replaceAll(/^#(?=[A-Z][A-Z0-9_]*=)/gm, '');
    const names = [...given.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name ?? '');
    const show = 'set -eua; eval "$1"; exec "$0" -p "JSON.stringify(process.env)"';
    const shell = ['-c', show, process.execPath, given];
    const output = execFileSync('bash', shell, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: {} });
    const sourced = JSON.parse(output) as Record<string, string>;
    expect(names.filter((name) => sourced[name] === undefined)).toEqual([]);
    expect(sourced).toMatchObject({
      SMTP_FROM: 'Agent Trust Registry <registry@example.org>',
      EVENT_LOG_URL: 'esdb://127.0.0.1:2113?tls=false',
      KEY_DIRECTORY_BASE: 'acme.test=http://127.0.0.1:9000',
    });
  });

  it('lists every setting that a service or the stack reads', async () => {
    const ofStack = [...read('packages/dev-stack/src/settings.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)];
    const names = ofStack.map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(2);
    for (const { name } of serviceKinds) names.push(...(await settingsOf(name)));
    const example = read('.env.example');
    expect([...new Set(names)].filter((name) => !new RegExp(`^#${name}=`, 'm').test(example))).toEqual([]);
  });
});
