import { type Stack, startStack } from '@agent-trust/dev-stack';
import { Pool } from 'undici';
import { bearer, callBody, createOrganisation, httpTo, registerAgent } from '../../support/registry.ts';
import { processTree } from '../memory.ts';
import { ProcessorTime } from './processor-time.ts';

export const routes = ['/verify', '/call'] as const;
export type Route = (typeof routes)[number];

export type MeasuredSystem = {
  /** Makes this many requests, 32 at a time. */
  send: (route: Route, requests: number) => Promise<void>;
  /** Processor time of the services since the last call. */
  sinceLastMs: () => number;
  stop: () => Promise<void>;
};

const connections = 32;
const servers = ['postgres', 'nats-server'];
/** As Prometheus is usually set. */
const scrapeEveryMs = 15_000;

/** Starts a throw-away system with more settings, whose metrics are read as Prometheus does: also if there are none, so that all answer as many requests. */
export async function startMeasuredSystem(agentUrl: string, more: NodeJS.ProcessEnv): Promise<MeasuredSystem> {
  const stack = await startStack({
    ephemeral: true,
    env: { ...process.env, REGISTRATIONS_PER_MINUTE: '0', LOG_LEVEL: 'warn', ...more },
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
  const services = stack.processes().filter(({ name }) => !servers.includes(name));
  const time = new ProcessorTime(await processTree(services.flatMap(({ pid }) => pid ?? [])));
  const scraping = scrape(stack);
  const pool = new Pool(stack.url, { connections });
  const sendOne = async (route: Route): Promise<void> => {
    const { statusCode, body } = await pool.request({ path: route, method: 'POST', ...requests[route] });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${route} returned ${statusCode}`);
  };
  return {
    send: async (route, count) => {
      let left = count;
      const sendSome = async (): Promise<void> => {
        while (left-- > 0) await sendOne(route);
      };
      await Promise.all(Array.from({ length: connections }, sendSome));
    },
    sinceLastMs: () => time.sinceLastMs(),
    stop: async () => {
      await scraping.stop();
      await pool.close();
      await stack.stop();
    },
  };
}

const scrape = (stack: Stack): { stop: () => Promise<void> } => {
  const once = async (): Promise<void> => {
    await Promise.all(stack.metrics().map(async ({ url }) => (await fetch(url)).arrayBuffer()));
  };
  let last = once();
  const timer = setInterval(() => (last = last.then(once)), scrapeEveryMs);
  return {
    stop: () => {
      clearInterval(timer);
      return last;
    },
  };
};
