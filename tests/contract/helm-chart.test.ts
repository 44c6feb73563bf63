/**
 * Bugs: an object that Kubernetes refuses, or a misspelt field that it drops; a setting that a service does not have or lacks; a service that can
 * reach more than it may, or gets the secret of another; a wrong value that is noticed only when a pod does not start.
 * Method: the real helm renders the chart; Kubernetes' published schemas and types, and the settings of the services, are what it is compared with.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serviceKinds } from '@agent-trust/dev-stack';
import { parse } from 'yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { helm } from '../support/helm.ts';
import { checkSchemas, type KubernetesObject, objectsIn, unknownFields } from '../support/kubernetes-objects.ts';

const root = resolve(import.meta.dirname, '../..');
const chart = join(root, 'infra/kubernetes/agent-trust-registry');
const services = serviceKinds.map(({ name }) => name);
const setting = (values: readonly string[]): string[] => values.flatMap((value) => ['--set', value]);
const baseUrl = setting(['baseUrl=https://registry.example']);
/** Everything that is off by default. */
const everything = setting([
  'baseUrl=https://registry.example',
  'autoscaling.enabled=true',
  'serviceMonitor.enabled=true',
  'serviceMonitor.labels.release=prometheus',
  'prometheusRule.enabled=true',
  'prometheusRule.labels.release=prometheus',
  'ingress.enabled=true',
  'ingress.host=registry.example',
  'ingress.tlsSecret=registry-tls',
  'caCertificates.secret=authority',
  'priorityClassName=high',
  'nodeSelector.pool=a',
  'podAnnotations.a=b',
  'image.pullSecrets[0].name=pull',
  'networkPolicy.nats.to[0].podSelector.matchLabels.app=nats',
  'archive.enabled=true',
  'archive.existingClaim=segments',
]);

type EnvironmentVariable = {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } };
};
type Container = {
  args: string[];
  env: EnvironmentVariable[];
  image: string;
  securityContext: unknown;
  resources: { limits: { memory: string } };
};
type PodSpec = { containers: [Container]; terminationGracePeriodSeconds: number; securityContext: unknown };
type Peer = { ipBlock?: unknown };
type Egress = { to?: Peer[]; ports?: { port: number }[] };

let objects: KubernetesObject[];
beforeAll(async () => {
  objects = objectsIn(await helm('template', everything));
});

const find = (kind: string, name: string): KubernetesObject => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === `release-registry-${name}`);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
};
const podOf = (service: string): PodSpec =>
  (find('Deployment', service).spec as { template: { spec: PodSpec } }).template.spec;
const environmentOf = (service: string): EnvironmentVariable[] => podOf(service).containers[0].env;

/** The schema of a service's settings. */
const settingsOf = async (service: string): Promise<z.ZodObject> => {
  const module = (await import(join(root, 'services', service, 'src/settings.ts'))) as Record<string, unknown>;
  const [schema] = Object.values(module).filter((value) => value instanceof z.ZodObject);
  if (schema === undefined) throw new Error(`${service} has no settings`);
  return schema;
};

describe('rendered', () => {
  it('passes helm lint', async () => {
    expect(await helm('lint', everything)).toContain('0 chart(s) failed');
  });

  it.each([
    ['with the defaults', baseUrl],
    ['with everything on', everything],
  ])('is what Kubernetes has schemas for, %s', async (_case, args) => {
    const rendered = objectsIn(await helm('template', args));
    expect(rendered.length).toBeGreaterThan(20);
    await checkSchemas(rendered);
    expect(await unknownFields(rendered)).toBe('');
  });

  it('would be refused with a wrong type, a missing or a misspelt field', async () => {
    const broken = structuredClone(find('Deployment', 'gateway'));
    broken.spec['minReadySeconds'] = 'five';
    await expect(checkSchemas([broken])).rejects.toThrow('minReadySeconds');
    delete broken.spec['minReadySeconds'];
    delete broken.spec['template'];
    await expect(checkSchemas([broken])).rejects.toThrow('template');
    const misspelt = structuredClone(find('Deployment', 'gateway'));
    misspelt.spec['minReadySecond'] = 5;
    expect(await unknownFields([misspelt])).toContain('minReadySecond');
  });

  it.each(services)('%s runs without rights, and stops in less time than it is given', (service) => {
    const { containers, securityContext, terminationGracePeriodSeconds } = podOf(service);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const stop = environmentOf(service).find(({ name }) => name === 'STOP_TIMEOUT_MS')?.value ?? '';
    expect(stop).toMatch(/^\d+s$/u);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(Number.parseInt(stop, 10));
  });

  it('scales call-proxy by its calls under way, and leaves the number of its pods to that', () => {
    const { spec } = find('HorizontalPodAutoscaler', 'call-proxy');
    expect(spec).toMatchObject({
      scaleTargetRef: { name: 'release-registry-call-proxy' },
      metrics: [{ pods: { metric: { name: 'registry_calls_active' }, target: { averageValue: '128' } } }],
    });
    expect(readFileSync(join(root, 'docs/metrics.md'), 'utf8')).toContain('| `registry_calls_active` |');
    expect(find('Deployment', 'call-proxy').spec['replicas']).toBeUndefined();
    expect(find('Deployment', 'gateway').spec['replicas']).toBe(2);
  });
});

describe('alerts', () => {
  type Groups = { groups: { rules: { annotations?: { runbook_url?: string } }[] }[] };
  const folder = join(root, 'infra/observability/prometheus/rules');
  const files = readdirSync(folder).toSorted();
  const original = files.flatMap((file) => (parse(readFileSync(join(folder, file), 'utf8')) as Groups).groups);
  const rulesIn = (given: KubernetesObject[]): KubernetesObject[] =>
    given.filter(({ kind }) => kind === 'PrometheusRule');

  it.each(files)(
    'of %s are in the chart as they are: cp infra/observability/prometheus/rules/* to its files/rules',
    (file) => {
      expect(readdirSync(join(chart, 'files/rules')).toSorted()).toEqual(files);
      const [copy, given] = [join(chart, 'files/rules'), folder].map((from) => readFileSync(join(from, file), 'utf8'));
      expect(copy).toBe(given);
    },
  );

  it('and the recording rules are those of Prometheus, and link to where people read the runbook', async () => {
    const [rule] = rulesIn(objects);
    expect(rule?.metadata.labels).toMatchObject({ release: 'prometheus' });
    expect(rule?.spec).toEqual({ groups: original });
    const runbook = 'https://git.example/docs/runbook.md';
    const elsewhere = await helm('template', [...everything, ...setting([`prometheusRule.runbookUrl=${runbook}`])]);
    const linked = rulesIn(objectsIn(elsewhere));
    const urls = linked
      .flatMap(({ spec }) => (spec as Groups).groups)
      .flatMap(({ rules }) => rules.flatMap(({ annotations }) => annotations?.runbook_url ?? []));
    expect(urls.length).toBeGreaterThan(20);
    for (const url of urls) expect(url).toContain(`{{ or $externalLabels.runbook "${runbook}" }}#registry`);
  });

  it('are not there unless they are asked for', async () => {
    expect(rulesIn(objectsIn(await helm('template', baseUrl)))).toEqual([]);
  });
});

describe.each(services)('settings of %s', (service) => {
  it('are settings that it has, and all that it needs', async () => {
    const schema = await settingsOf(service);
    const names = environmentOf(service).map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    const ofNode = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
    expect(names.filter((name) => !Object.hasOwn(schema.shape, name) && !ofNode.includes(name))).toEqual([]);
    const needed = Object.entries(schema.shape).filter(
      ([, setting]) => !(setting as z.ZodType).safeParse(undefined).success,
    );
    expect(needed.map(([name]) => name).filter((name) => !names.includes(name))).toEqual([]);
    const values = environmentOf(service).flatMap(({ name, value }) =>
      value === undefined ? [] : ([[name, value]] as const),
    );
    for (const [name, value] of values.filter(([name]) => Object.hasOwn(schema.shape, name))) {
      expect([name, (schema.shape[name] as z.ZodType).safeParse(value).success]).toEqual([name, true]);
    }
  });

  it('are the ones that values.schema.json lets an installation set: add a new setting there', async () => {
    const schema = await settingsOf(service);
    const values = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as {
      properties: {
        services: { properties: Record<string, { properties: { settings: { propertyNames: { enum: string[] } } } }> };
      };
    };
    const ofChart = [
      'HEALTH_PORT',
      'HEALTH_HOST',
      'BASE_URL',
      'HOST',
      'PORT',
      'STOP_TIMEOUT_MS',
      'INSTANCE_ID',
      'NODE_ENV',
    ];
    const secret = environmentOf(service).flatMap(({ name, valueFrom }) => (valueFrom === undefined ? [] : [name]));
    const allowed = Object.keys(schema.shape).filter((name) => !ofChart.includes(name) && !secret.includes(name));
    expect(values.properties.services.properties[service]?.properties.settings.propertyNames.enum.toSorted()).toEqual(
      allowed.toSorted(),
    );
  });

  // Bug: who makes the Secrets by hand does not learn of a setting, such as the second value while a secret is replaced.
  it('are in the page of the chart where they are secret', () => {
    const secret = environmentOf(service).flatMap(({ name, valueFrom }) => (valueFrom === undefined ? [] : [name]));
    const page = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8').split('\n');
    const row = page.find((line) => line.startsWith('| `agent-trust-') && line.includes(`\`agent-trust-${service}\``));
    const listed = [...(row ?? '').matchAll(/`([A-Z_]+)`/gu)].map(([, name = '']) => name);
    expect(listed.toSorted()).toEqual(secret.toSorted());
  });

  it('come from its own Secret where they are secret', () => {
    const kind = serviceKinds.find(({ name }) => name === service);
    const secret = environmentOf(service).filter(({ valueFrom }) => valueFrom !== undefined);
    for (const { name, valueFrom } of secret) {
      expect(valueFrom?.secretKeyRef).toMatchObject({ name: `agent-trust-${service}`, key: name });
    }
    const names = secret.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['NATS_URL', ...(kind?.secrets ?? [])]));
    expect(names.includes('EVENT_LOG_URL')).toBe(kind?.eventLog !== 'none');
    expect(names.includes('DATABASE_URL')).toBe(kind?.readModels);
    const open = environmentOf(service)
      .filter(({ value }) => value !== undefined)
      .map(({ name }) => name);
    expect(
      open.filter((name) => /KEY$|SECRET|TOKEN|PASSWORD|HEADERS|DATABASE_URL|NATS_URL|EVENT_LOG_URL/u.test(name)),
    ).toEqual([]);
  });
});

describe('NetworkPolicies', () => {
  const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { networks: string[] }>;
  };
  const egressOf = (service: string): Egress[] => (find('NetworkPolicy', service).spec as { egress: Egress[] }).egress;
  const reaches = (service: string, port: number): boolean =>
    egressOf(service).some(({ ports }) => ports?.some((one) => one.port === port) === true);

  it('forbid what no other policy allows', () => {
    expect(find('NetworkPolicy', 'nothing').spec).toEqual({
      podSelector: {
        matchLabels: { 'app.kubernetes.io/name': 'agent-trust-registry', 'app.kubernetes.io/instance': 'release' },
      },
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it.each(serviceKinds)('let $name reach what its permissions and its networks are for', (kind) => {
    const { name, eventLog, readModels, personalData } = kind;
    const users = [...readFileSync(join(root, 'infra/nats/nats.conf'), 'utf8').matchAll(/^ *user: (\S+)$/gmu)];
    expect(reaches(name, 4222)).toBe(users.some(([, user]) => user === name));
    expect(reaches(name, 2113)).toBe(eventLog !== 'none');
    expect(reaches(name, 5432)).toBe(readModels || personalData === 'writer');
    const outside = egressOf(name).filter(({ to }) => to?.some(({ ipBlock }) => ipBlock !== undefined) === true);
    expect(outside.length > 0).toBe(compose.services[name]?.networks.includes('outside'));
    for (const { to } of outside) {
      expect(to?.[0]).toMatchObject({
        ipBlock: { except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) as unknown },
      });
    }
  });

  it('let every service ask name servers, at port 53 or wherever they listen', async () => {
    for (const service of services) expect(reaches(service, 53)).toBe(true);
    const elsewhere = await helm('template', [
      ...everything,
      ...setting([
        'networkPolicy.dns.ports={5353}',
        'networkPolicy.dns.to[0].namespaceSelector.matchLabels.kubernetes\\.io/metadata\\.name=openshift-dns',
      ]),
    ]);
    const policies = objectsIn(elsewhere).filter(({ kind }) => kind === 'NetworkPolicy');
    const egress = policies.flatMap(({ spec }) => (spec as { egress?: Egress[] }).egress ?? []);
    const asks = egress.filter(({ ports }) => ports?.some(({ port }) => port === 5353) === true);
    expect(asks).toHaveLength(services.length + 1);
    expect(asks[0]).toEqual({
      ports: [
        { protocol: 'UDP', port: 5353 },
        { protocol: 'TCP', port: 5353 },
      ],
      to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'openshift-dns' } } }],
    });
    expect(JSON.stringify(egress)).not.toContain('"port":53}');
  });

  it('let clients reach the gateway alone', () => {
    const ingressOf = (service: string): unknown[] =>
      (find('NetworkPolicy', service).spec as { ingress: unknown[] }).ingress;
    for (const service of services) {
      const ports = ingressOf(service).flatMap((rule) => (rule as { ports: { port: string }[] }).ports);
      expect(ports.map(({ port }) => port)).toEqual(service === 'gateway' ? ['http', 'health'] : ['health']);
    }
  });
});

// Bug: in a cluster without IPv4 a pod listens where nobody can reach it.
describe('addresses', () => {
  type ServiceSpec = { ipFamilies?: string[]; ipFamilyPolicy?: string };
  const rendered = async (families: string) => {
    const all = objectsIn(await helm('template', [...baseUrl, ...setting([`ipFamilies=${families}`])]));
    const hosts = all
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ spec }) => (spec as { template: { spec: PodSpec } }).template.spec.containers[0].env)
      .filter(({ name }) => name === 'HOST' || name === 'HEALTH_HOST');
    const specs = all.filter(({ kind }) => kind === 'Service').map(({ spec }) => spec as ServiceSpec);
    expect([hosts.length, specs.length]).toEqual([services.length + 1, services.length + 1]);
    return {
      all,
      hosts: [...new Set(hosts.map(({ value }) => value))],
      families: [...new Set(specs.map((spec) => `${spec.ipFamilyPolicy} ${String(spec.ipFamilies)}`))],
    };
  };

  it.each([
    ['null', '0.0.0.0', 'undefined undefined'],
    ['{IPv4}', '0.0.0.0', 'SingleStack IPv4'],
    ['{IPv6}', '::', 'SingleStack IPv6'],
    ['{IPv6,IPv4}', '::', 'RequireDualStack IPv6,IPv4'],
  ])('of the families %s', async (given, host, families) => {
    const { all, ...found } = await rendered(given);
    expect(found).toEqual({ hosts: [host], families: [families] });
    await checkSchemas(all);
  });

  it.each(['{IPv5}', '{IPv6,IPv6}'])('are refused for the families %s', async (given) => {
    await expect(helm('template', [...baseUrl, ...setting([`ipFamilies=${given}`])])).rejects.toThrow('ipFamilies');
  });
});

// Bug: exchanges leave the log of who has not asked for it; two runs at a time; segments in a folder that is gone with the pod; a service that may
// remove events, or a job that reaches more than it needs.
describe('the archive', () => {
  type CronJob = {
    schedule: string;
    concurrencyPolicy: string;
    jobTemplate: { spec: { template: { spec: PodSpec & { volumes: unknown[] } } } };
  };
  const cronJob = (): CronJob => find('CronJob', 'archive').spec as unknown as CronJob;

  it('is off by default', async () => {
    const rendered = objectsIn(await helm('template', baseUrl));
    expect(rendered.filter(({ metadata }) => metadata.name.endsWith('-archive'))).toEqual([]);
  });

  it('runs one at a time, and writes to the volume that it is given', () => {
    const { schedule, concurrencyPolicy, jobTemplate } = cronJob();
    expect([schedule, concurrencyPolicy]).toEqual(['0 3 * * 0', 'Forbid']);
    const { containers, securityContext, volumes } = jobTemplate.spec.template.spec;
    expect(containers[0].args).toEqual(['archive', '--older-than', '90d', '--to', '/segments']);
    expect(containers[0]).toMatchObject({
      securityContext: { readOnlyRootFilesystem: true },
      volumeMounts: expect.arrayContaining([{ name: 'segments', mountPath: '/segments' }]) as unknown,
    });
    expect(volumes).toContainEqual({ name: 'segments', persistentVolumeClaim: { claimName: 'segments' } });
    expect(securityContext).toMatchObject({ fsGroup: 65532, runAsNonRoot: true });
  });

  it('has users of its own, which no service has, and reaches their servers alone', () => {
    const secrets = cronJob().jobTemplate.spec.template.spec.containers[0].env.flatMap(({ name, valueFrom }) =>
      valueFrom === undefined ? [] : [[name, valueFrom.secretKeyRef.name, valueFrom.secretKeyRef.key]],
    );
    expect(secrets).toEqual([
      ['DATABASE_URL', 'agent-trust-retention', 'DATABASE_URL'],
      ['EVENT_LOG_URL', 'agent-trust-retention', 'EVENT_LOG_RETENTION_URL'],
    ]);
    for (const service of services) expect(JSON.stringify(environmentOf(service))).not.toContain('retention');
    const { egress, ingress, policyTypes } = find('NetworkPolicy', 'archive').spec as Record<string, unknown>;
    expect([policyTypes, ingress]).toEqual([['Ingress', 'Egress'], undefined]);
    expect((egress as Egress[]).flatMap(({ ports }) => ports?.map(({ port }) => port))).toEqual([53, 53, 5432, 2113]);
  });
});

// Bug: a typing error in the values has no effect, or is noticed by a pod that does not start.
describe('values', () => {
  it.each([
    ['no address', [], 'baseUrl'],
    ['an address without a scheme', ['baseUrl=registry.example'], 'baseUrl'],
    ['a service that does not exist', ['services.call-proxi.replicas=2'], 'call-proxi'],
    ['a setting that does not exist', ['services.gateway.settings.CALLS_MAX=2'], 'CALLS_MAX'],
    ['a secret among the settings', ['services.gateway.settings.ADMIN_TOKEN=secret-of-sixteen'], 'ADMIN_TOKEN'],
    [
      'what a collector is sent as a credential',
      ['settings.OTEL_EXPORTER_OTLP_HEADERS=key'],
      'OTEL_EXPORTER_OTLP_HEADERS',
    ],
    ['no replica', ['services.gateway.replicas=0'], 'replicas'],
    ['a limit of memory in no unit that exists', ['services.gateway.resources.limits.memory=1Gigabyte'], 'memory'],
    ['all memory for the heap', ['services.gateway.heapPercent=100'], 'heapPercent'],
    ['an ingress without a certificate', ['ingress.enabled=true', 'ingress.host=registry.example'], 'tlsSecret'],
    ['an address that is none', ['prometheusRule.runbookUrl=runbook'], 'runbookUrl'],
    ['an archive without a volume for its segments', ['archive.enabled=true'], 'existingClaim'],
    ['an age of exchanges without a unit', ['archive.olderThan=90'], 'olderThan'],
    ['a digest that is none', ['image.digest=latest'], 'digest'],
  ])('are refused: %s', async (_case, given, named) => {
    const address = given.some((item) => item.startsWith('baseUrl')) || named === 'baseUrl' ? [] : baseUrl;
    const args = [...address, ...setting(given)];
    await expect(helm('template', args)).rejects.toThrow(named);
  });
});
