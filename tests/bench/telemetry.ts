import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startHelper } from './helper-process.ts';
import { type MeasuredSystem, type Route, routes, startMeasuredSystem } from './telemetry/measured-system.ts';
import { type Interval, median, medianOfPairs } from './telemetry/paired.ts';

/** By how much telemetry may add to the processor time of a request. */
const addedMax = 0.05;
/** All processes are started anew after so many: each start has a speed of its own, by how its code was compiled. */
const roundsPerStart = 15;
/** A round of requests takes less than a second on a machine that has nothing else to do. Their number is fixed, so that all systems do the same work. */
const requestsPerRound: Readonly<Record<Route, number>> = { '/verify': 4_000, '/call': 200 };
const warmUpRounds = 8;
/** Spans are exported every two seconds. */
const settleMs = 4_000;
/** How long the systems are left alone, to see what they take without requests. */
const idleMs = 10_000;

const subjects = ['metrics', 'metrics and traces'] as const;
type Subject = (typeof subjects)[number];
/** What a request costs in one round, in milliseconds. */
type Costs = Record<'nothing' | Subject, number[]>;

/**
 * Requests to a system whose services do not measure, to one whose services measure and are scraped, which is the default, and to one whose services
 * also export to a collector, with the default sampling. They take short turns, and each cost is compared with that of the same turn. A
 * system's cost is its processor time from one turn to its next, so what is done after the answer counts, less what it takes in the meantime without
 * requests. Returns whether the added share is below the aim with confidence.
 * @param rounds of each route; 60 are enough where the machine has little else to do
 */
export async function benchTelemetry(rounds: number, say: (line: string) => void): Promise<boolean> {
  const agent = await startHelper('agent.ts');
  const collector = await startHelper('collector.ts');
  const costs: Record<Route, Costs[]> = { '/verify': [], '/call': [] };
  try {
    const starts = Math.ceil(rounds / roundsPerStart);
    for (let start = 1; start <= starts; start += 1) {
      say(`Start ${start} of ${starts}: three throw-away systems…`);
      const measured = await measureStart(agent.url, collector.url, Math.min(rounds, roundsPerStart));
      for (const route of routes) costs[route].push(measured[route]);
    }
    const exported = (await (await fetch(`${collector.url}/count`)).json()) as { traces: number; metrics: number };
    if (exported.traces === 0 || exported.metrics === 0) throw new Error('the collector received nothing');
  } finally {
    await agent.stop();
    await collector.stop();
  }
  const rows = routes.flatMap((route) => subjects.map((subject) => rowOf(route, subject, costs[route])));
  process.stdout.write(
    [
      '| route | processor time of the services a request, without telemetry | with | of | added, median | 95 % interval | below 5 % |',
      '|---|---|---|---|---|---|---|',
      ...rows.map(({ line }) => line),
      '',
    ].join('\n'),
  );
  return rows.every(({ isMet }) => isMet);
}

const measureStart = async (agentUrl: string, collectorUrl: string, rounds: number): Promise<Record<Route, Costs>> => {
  const systems: { name: keyof Costs; system: MeasuredSystem }[] = [];
  const costs: Record<Route, Costs> = { '/verify': noCosts(), '/call': noCosts() };
  const settings: Record<keyof Costs, NodeJS.ProcessEnv> = {
    nothing: { NODE_OPTIONS: `--import ${join(import.meta.dirname, 'without-metrics.ts')}` },
    metrics: {},
    'metrics and traces': { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl },
  };
  try {
    for (const name of ['nothing', ...subjects] as const)
      systems.push({ name, system: await startMeasuredSystem(agentUrl, settings[name]) });
    for (const route of routes) {
      const requests = requestsPerRound[route];
      const runs = systems.map(({ name, system }) => ({ name, system, startedAt: 0, tookMs: 0 }));
      for (let round = 0; round < warmUpRounds; round += 1)
        for (const { system } of runs) await system.send(route, requests);
      const idlePerMs = await measureIdle(systems.map(({ system }) => system));
      for (let round = 0; round <= rounds; round += 1) {
        for (const [index, run] of runs.entries()) {
          const now = performance.now();
          const spentMs = run.system.sinceLastMs();
          // From its last turn until now; after the turn, what it does without requests is not of these requests.
          const ofRequestsMs = spentMs - (idlePerMs[index] as number) * (now - run.startedAt - run.tookMs);
          if (round > 0) costs[route][run.name].push(ofRequestsMs / requests);
          await run.system.send(route, requests);
          run.startedAt = now;
          run.tookMs = performance.now() - now;
        }
      }
    }
  } finally {
    for (const { system } of systems) await system.stop();
  }
  return costs;
};

/** Processor time of each system in a millisecond without requests. */
const measureIdle = async (systems: readonly MeasuredSystem[]): Promise<number[]> => {
  // What the last requests left to do is done by then.
  await delay(settleMs);
  for (const system of systems) system.sinceLastMs();
  const startedAt = performance.now();
  await delay(idleMs);
  const tookMs = performance.now() - startedAt;
  return systems.map((system) => system.sinceLastMs() / tookMs);
};

const noCosts = (): Costs => ({ nothing: [], metrics: [], 'metrics and traces': [] });

const rowOf = (route: Route, subject: Subject, perStart: readonly Costs[]): { line: string; isMet: boolean } => {
  const ratios = perStart.map((costs) => costs[subject].map((cost, round) => cost / (costs.nothing[round] as number)));
  const added = medianOfPairs(ratios);
  const isMet = added.upper - 1 < addedMax;
  const micros = (name: keyof Costs): string =>
    `${(median(perStart.flatMap((costs) => costs[name])) * 1_000).toFixed(0)} µs`;
  return {
    line: `| ${route} | ${micros('nothing')} | ${micros(subject)} | ${subject} | ${percent(added.median - 1)} | ${interval(added)} | ${isMet ? 'yes' : 'no'} |`,
    isMet,
  };
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const interval = ({ lower, upper }: Interval): string => `${percent(lower - 1)} to ${percent(upper - 1)}`;
