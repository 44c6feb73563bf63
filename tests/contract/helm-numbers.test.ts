/** Bugs: a number that the chart writes in a form which no service takes; another room in memory than where the maximum was measured. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { expect, it } from 'vitest';
import { helm } from '../support/helm.ts';
import { objectsIn } from '../support/kubernetes-objects.ts';

type Environment = { name: string; value?: string }[];
type Compose = { services: Record<string, { environment: Record<string, string> }> };

/** The environment of a service, with values that a file has. */
const environmentOf = async (service: string, valuesFile: string): Promise<Map<string, string | undefined>> => {
  const folder = mkdtempSync(join(tmpdir(), 'helm-values-'));
  try {
    const path = join(folder, 'values.yaml');
    writeFileSync(path, `baseUrl: https://registry.example\n${valuesFile}`);
    const objects = objectsIn(await helm('template', ['--values', path]));
    const found = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith(`-${service}`));
    if (found === undefined) throw new Error(`the chart has no ${service}`);
    const { template } = found.spec as { template: { spec: { containers: [{ env: Environment }] } } };
    return new Map(template.spec.containers[0].env.map(({ name, value }) => [name, value]));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

// With --set it is another kind of number, which is written as it is.
it('writes settings of a values file as they are there: not 3.6e+06, with which no pod starts', async () => {
  const settings = {
    OTEL_TRACES_SAMPLER_ARG: 0.25,
    PUBLIC_READS: false,
    READ_MODEL_WAIT_MS: '5s',
    CALL_TIMEOUT_MS: 90_000,
  };
  const environment = await environmentOf(
    'gateway',
    `settings: { START_TIMEOUT_MS: 3600000 }\nservices: { gateway: { settings: ${JSON.stringify(settings)} } }\n`,
  );
  for (const [name, value] of Object.entries({ ...settings, START_TIMEOUT_MS: 3_600_000 }))
    expect([name, environment.get(name)]).toEqual([name, String(value)]);
});

it.each(['gateway', 'call-proxy', 'pay-proxy'])(
  'gives answers from memory of %s the room that Compose does',
  async (service) => {
    const text = readFileSync(resolve(import.meta.dirname, '../../docker-compose.yml'), 'utf8');
    const compose = parse(text, { merge: true }) as Compose;
    const [, bytes] = /:-(\d+)\}$/u.exec(compose.services[service]?.environment['REPLICA_BYTES'] ?? '') ?? [];
    expect(bytes).toBeDefined();
    expect((await environmentOf(service, '')).get('REPLICA_BYTES')).toBe(bytes);
  },
);
