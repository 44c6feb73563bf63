/**
 * Bug: something that all gateways share fails, such as JetStream; every gateway is taken out of the load balancer, and what works without it ends,
 * too. Method: the addresses that the chart and Compose ask are asked of a gateway's own report.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { healthReport, type HealthServer, startHealthServer } from '@agent-trust/service-kit';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgeParts } from '../../services/gateway/src/features/health/edge-parts.ts';
import { helm } from '../support/helm.ts';
import { objectsIn } from '../support/kubernetes-objects.ts';

type Probe = { readinessProbe: { httpGet: { path: string } } };
type Compose = { services: Record<string, { healthcheck: { test: string[] } }> };

const probeOfChart = async (): Promise<string> => {
  const objects = objectsIn(await helm('template', ['--set', 'baseUrl=https://registry.example']));
  const gateway = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-gateway'));
  if (gateway === undefined) throw new Error('the chart has no gateway');
  const { template } = gateway.spec as { template: { spec: { containers: [Probe] } } };
  return template.spec.containers[0].readinessProbe.httpGet.path;
};
const probeOfCompose = (): Promise<string> => {
  const text = readFileSync(join(resolve(import.meta.dirname, '../..'), 'docker-compose.yml'), 'utf8');
  return Promise.resolve((parse(text, { merge: true }) as Compose).services['gateway']?.healthcheck.test.at(-1) ?? '');
};

let isConnected = true;
let isSharedUp = true;
let server: HealthServer;
beforeAll(async () => {
  server = await startHealthServer({
    host: '127.0.0.1',
    port: 0,
    readiness: async () => {
      const rpc = {
        status: () => ({ connected: isConnected, runningHandlers: 0 }),
        request: () => (isSharedUp ? Promise.resolve({}) : Promise.reject(new Error('no instance answers'))),
      };
      const jetstream = { answers: () => isSharedUp };
      const parts = await edgeParts({ rpc, jetstream } as unknown as Parameters<typeof edgeParts>[0]);
      return healthReport({ ...parts, log_state: { status: isSharedUp ? 'ok' : 'down' } });
    },
  });
});
afterAll(() => server.close());

const statusOf = async (path: string, state: { connected: boolean; shared: boolean }): Promise<number> => {
  [isConnected, isSharedUp] = [state.connected, state.shared];
  return (await fetch(`http://127.0.0.1:${server.port}${path}`)).status;
};

describe.each([
  ['the chart', probeOfChart],
  ['Compose', probeOfCompose],
])('the address at which %s asks a gateway', (_name, probe) => {
  it('is 503 for what is wrong with this gateway alone, and 200 for what is wrong with all', async () => {
    const path = await probe();
    expect(await statusOf(path, { connected: true, shared: true })).toBe(200);
    expect(await statusOf(path, { connected: true, shared: false })).toBe(200);
    expect(await statusOf(path, { connected: false, shared: true })).toBe(503);
  });
});

it('is no other for who asks without exceptions', async () => {
  expect(await statusOf('/readyz', { connected: true, shared: true })).toBe(200);
  expect(await statusOf('/readyz', { connected: true, shared: false })).toBe(503);
});
