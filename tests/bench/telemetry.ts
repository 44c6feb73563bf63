import { join } from 'node:path';
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { Pool } from 'undici';
import { bearer, callBody, createOrganisation, httpTo, registerAgent } from '../support/registry.ts';
import { ticksOf, tickMs } from './call-cost.ts';
import { startHelper } from './helper-process.ts';
import { loop, quantile } from './load.ts';
import { processTree } from './memory.ts';

/** By how much telemetry may add to the processor time of a request. */
const addedMax = 0.05;
/** Rounds alternate between the systems, so that both meet the same machine. The first of each only warms up. */
const rounds = 7;
const workers = 32;
/** As Prometheus is usually set. */
const scrapeEveryMs = 15_000;
const servers = ['postgres', 'nats-server'];

const routes = ['/verify', '/call'] as const;
type Route = (typeof routes)[number];
type Figures = { cpuMs: number; perSecond: number };
type Measured = {
  /** One load of a route. */
  run: (route: Route, seconds: number) => Promise<Figures>;
  stop: () => Promise<void>;
};

/**
 * Requests to a system whose services measure and are scraped, and to one whose services do not measure. Judged by processor time, which other
 * work of the machine hardly changes. Returns whether metrics cost little enough.
 */
export async function benchTelemetry(seconds: number, say: (line: string) => void): Promise<boolean> {
  say('Starting two throw-away stacks…');
  const agent = await startHelper('agent.ts');
  const without = join(import.meta.dirname, 'without-metrics.ts');
  const systems: Partial<Record<'off' | 'on', Measured>> = {};
  try {
    const off = (systems.off = await startMeasured(agent.url, { NODE_OPTIONS: `--import ${without}` }));
    const on = (systems.on = await startMeasured(agent.url, {}));
    const results: Record<Route, { off: Figures[]; on: Figures[] }> = {
      '/verify': { off: [], on: [] },
      '/call': { off: [], on: [] },
    };
    for (const route of routes) {
      say(`${route}, ${rounds} rounds of ${seconds} s with and without metrics…`);
      for (let round = 0; round < rounds; round += 1) {
        // In turns: whoever comes second may find the machine busier.
        const order = round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const);
        for (const which of order) {
          const figures = await { off, on }[which].run(route, seconds);
          if (round > 0) results[route][which].push(figures);
        }
      }
    }
    const added = routes.map((route) => ({ route, ...compare(results[route]) }));
    process.stdout.write(
      [
        '| route | processor time of the services a request, without metrics | with | added | requests/s |',
        '|---|---|---|---|---|',
        ...added.map(
          ({ route, offMs, onMs, share, rate }) =>
            `| ${route} | ${(offMs * 1_000).toFixed(0)} µs | ${(onMs * 1_000).toFixed(0)} µs | ${(share * 100).toFixed(1)} % | ${rate.toFixed(2)} of those without |`,
        ),
        '',
        `At most ${addedMax * 100} % may be added.`,
        '',
      ].join('\n'),
    );
    return added.every(({ share }) => share <= addedMax);
  } finally {
    await systems.off?.stop();
    await systems.on?.stop();
    await agent.stop();
  }
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

const compare = ({ off, on }: { off: Figures[]; on: Figures[] }) => {
  const medianOf = (all: Figures[]): number => median(all.map(({ cpuMs }) => cpuMs));
  // Of two loads in a row, which met the same machine.
  const ratios = (figure: keyof Figures): number[] =>
    on.map((one, round) => one[figure] / (off[round] as Figures)[figure]);
  return {
    offMs: medianOf(off),
    onMs: medianOf(on),
    share: median(ratios('cpuMs')) - 1,
    rate: median(ratios('perSecond')),
  };
};

const startMeasured = async (agentUrl: string, more: NodeJS.ProcessEnv): Promise<Measured> => {
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
  const scraping = scrape(stack);
  const pool = new Pool(stack.url, { connections: workers });
  return {
    run: async (route, seconds) => {
      const before = await cpuMsOf(stack);
      const { done, perSecond } = await loop(workers, seconds, async () => {
        const { statusCode, body } = await pool.request({ path: route, method: 'POST', ...requests[route] });
        await body.dump();
        if (statusCode !== 200) throw new Error(`${route} returned ${statusCode}`);
      });
      return { cpuMs: ((await cpuMsOf(stack)) - before) / done, perSecond };
    },
    stop: async () => {
      await scraping.stop();
      await pool.close();
      await stack.stop();
    },
  };
};

/** Reads the metrics of every service from now on, also where there are none: both systems answer as many requests. */
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

const cpuMsOf = async (stack: Stack): Promise<number> => {
  const services = stack.processes().filter(({ name }) => !servers.includes(name));
  const pids = await processTree(services.flatMap(({ pid }) => pid ?? []));
  return tickMs * pids.reduce((sum, pid) => sum + ticksOf(pid), 0);
};
