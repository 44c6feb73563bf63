import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { Pool } from 'undici';
import { bearer, callBody, createOrganisation, httpTo, registerAgent } from '../../support/registry.ts';
import { controlOf } from './control.ts';
import { countIn } from './count-in.ts';
import { ProcessorTime } from './processor-time.ts';
import type { Route } from './routes.ts';

export type Turn = {
  /** Of the services, for all requests of the turn. */
  processorMs: number;
  /** Until the last answer. */
  tookMs: number;
};

export type MeasuredSystem = {
  /** Makes this many requests, 32 at a time, with or without telemetry. What they leave to do is of the turn; sending their spans is not. */
  turn: (route: Route, requests: number, hasTelemetry: boolean) => Promise<Turn>;
  /** Processor time of sending the spans that have ended since the last time. */
  sendSpans: () => Promise<number>;
  /** Processor time of reading all metrics once, in the ways that this system has. */
  readMetrics: () => Promise<number>;
  /** How many requests of a route the services' metrics have counted. */
  counted: (route: Route) => Promise<number>;
  stop: () => Promise<void>;
};

const connections = 32;
const servers = ['postgres', 'nats-server'];
/** What the last requests leave to do is done by then: of a call, both events are projected. */
const settleMs: Readonly<Record<Route, number>> = { '/verify': 5, '/call': 50 };

/** Whose metrics count each request of a route once. */
const countedIn: Readonly<Record<Route, { service: string; metric: string; label: string }>> = {
  '/verify': { service: 'gateway', metric: 'http_server_request_duration_seconds', label: 'http_route="/verify"' },
  // The last of several services that have a part in a call.
  '/call': {
    service: 'call-proxy',
    metric: 'rpc_server_call_duration_seconds',
    label: 'rpc_method="call-proxy/execute_call"',
  },
};

/** Starts a throw-away system whose services' telemetry can be switched. @param collectorUrl null: they have metrics that can be scraped, and no traces */
export async function startMeasuredSystem(agentUrl: string, collectorUrl: string | null): Promise<MeasuredSystem> {
  const controlFolder = await mkdtemp(join(tmpdir(), 'agent-trust-bench-telemetry-'));
  const preload = pathToFileURL(join(import.meta.dirname, 'preload.ts'));
  preload.searchParams.set('control', controlFolder);
  const stack = await startStack({
    ephemeral: true,
    env: {
      ...process.env,
      REGISTRATIONS_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: `--import ${preload.href}`,
      ...(collectorUrl !== null && { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl }),
    },
  });
  const http = httpTo(stack.url);
  const caller = await registerAgent(http, { key: (await createOrganisation(stack)).key });
  const receiver = await registerAgent(http, {
    key: (await createOrganisation(stack)).key,
    fields: { endpoint_url: agentUrl },
  });
  const json = { 'content-type': 'application/json' };
  const requests = {
    '/verify': { headers: json, body: JSON.stringify({ agent_id: receiver.agentId }) },
    '/call': { headers: { ...json, ...bearer(caller.key) }, body: JSON.stringify(callBody(caller, receiver.agentId)) },
  };
  const pids = stack.processes().flatMap(({ name, pid }) => (servers.includes(name) ? [] : (pid ?? [])));
  const control = controlOf(controlFolder, pids);
  const time = new ProcessorTime(pids);
  const pool = new Pool(stack.url, { connections });
  const sendOne = async (route: Route): Promise<void> => {
    const { statusCode, body } = await pool.request({ path: route, method: 'POST', ...requests[route] });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${route} returned ${statusCode}`);
  };
  return {
    turn: async (route, count, hasTelemetry) => {
      await control.send(hasTelemetry ? 'on' : 'off');
      time.sinceLastMs();
      const startedAt = performance.now();
      let left = count;
      const sendSome = async (): Promise<void> => {
        while (left-- > 0) await sendOne(route);
      };
      await Promise.all(Array.from({ length: connections }, sendSome));
      const tookMs = performance.now() - startedAt;
      await delay(settleMs[route]);
      return { processorMs: time.sinceLastMs(), tookMs };
    },
    sendSpans: async () => {
      time.sinceLastMs();
      await control.send('flush');
      return time.sinceLastMs();
    },
    readMetrics: async () => {
      await control.send('on');
      time.sinceLastMs();
      await Promise.all(stack.metrics().map(({ url }) => textAt(url)));
      await control.send('export');
      return time.sinceLastMs();
    },
    counted: async (route) => {
      const { service, metric, label } = countedIn[route];
      return countIn(await textAt(metricsUrlOf(stack, service)), metric, label);
    },
    stop: async () => {
      await pool.close();
      await control.close();
      await stack.stop();
      await rm(controlFolder, { recursive: true, force: true });
    },
  };
}

const metricsUrlOf = (stack: Stack, wanted: string): string => {
  const found = stack.metrics().find(({ service }) => service === wanted);
  if (found === undefined) throw new Error(`no ${wanted} serves metrics`);
  return found.url;
};

const textAt = async (url: string): Promise<string> => (await fetch(url)).text();
