import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { startHelper } from './helper-process.ts';
import { withSection } from './report-section.ts';
import { type MeasuredSystem, startMeasuredSystem, type Turn } from './telemetry/measured-system.ts';
import { median } from './telemetry/paired.ts';
import { meetsAims, type Pair, subjects, telemetrySection, type TelemetryBench } from './telemetry/report.ts';
import { type Route, routes } from './telemetry/routes.ts';

/** Requests of a turn: less than a tenth of a second, in which the machine is the same for both turns of a pair. */
const requestsPerTurn: Readonly<Record<Route, number>> = { '/verify': 500, '/call': 64 };
/** All processes are started anew after so many pairs: each start has a speed of its own, by how its code was compiled. */
const pairsPerStart: Readonly<Record<Route, number>> = { '/verify': 400, '/call': 200 };
const warmUpPairs: Readonly<Record<Route, number>> = { '/verify': 40, '/call': 16 };
/** Spans are sent every two seconds in production; here after turns with telemetry that took as long, apart from these turns, which share what it cost. */
const sendSpansEveryMs = 2_000;
/** Turns in a row after which there must be no span. */
const turnsWithoutTelemetry = 5;
/** How often metrics are read before, as within a service's first ten minutes, and then to see what that costs. */
const readings = { warmUp: 40, measured: 20 };
/** How often it is done in production: by Prometheus as it is usually set, and by the exporter. */
const readEveryMs = 15_000;

type Collected = { metrics: number; spans: Record<string, number> };

/**
 * What telemetry adds to the processor time of the services. Both sides of a pair are turns of the same processes, with telemetry and without, in the
 * order ABBA: two starts of the same code differ by more than what is measured. Reading the metrics, which happens every 15 seconds, and
 * sending the spans are measured apart, and their share is added. Throws if a turn without telemetry left a trace or was counted, or one with it was not.
 * Renews its section of the report. Returns whether the added share is below the aim with confidence.
 */
export async function benchTelemetry(
  starts: number,
  reportFile: string,
  say: (line: string) => void,
): Promise<boolean> {
  const bench: TelemetryBench = {
    date: new Date().toISOString().slice(0, 10),
    load: loadavg()[0] ?? Number.NaN,
    processors: availableParallelism(),
    requestsPerTurn,
    pairs: { metrics: { '/verify': [], '/call': [] }, 'metrics and traces': { '/verify': [], '/call': [] } },
  };
  const agent = await startHelper('agent.ts');
  const collector = await startHelper('collector.ts');
  const busy = await Promise.all(Array.from({ length: availableParallelism() }, () => startHelper('busy.ts')));
  try {
    for (let start = 1; start <= starts; start += 1) {
      for (const subject of subjects) {
        say(`Start ${start} of ${starts}: a throw-away system with ${subject}…`);
        const collectorUrl = subject === 'metrics' ? null : collector.url;
        const system = await startMeasuredSystem(agent.url, collectorUrl);
        try {
          for (const route of routes) bench.pairs[subject][route].push(await measureRoute(system, route, collectorUrl));
        } finally {
          await system.stop();
        }
      }
    }
  } finally {
    await agent.stop();
    await collector.stop();
    await Promise.all(busy.map((one) => one.stop()));
  }
  const section = telemetrySection(bench);
  await writeFile(reportFile, withSection(await readFile(reportFile, 'utf8'), section));
  process.stdout.write(`${section}\n`);
  return meetsAims(bench);
}

const measureRoute = async (system: MeasuredSystem, route: Route, collectorUrl: string | null): Promise<Pair[]> => {
  const [requests, pairs, warmUp] = [requestsPerTurn[route], pairsPerStart[route], warmUpPairs[route]];
  const countedBefore = await system.counted(route);
  const spansBefore = await spansOf(collectorUrl, route);
  const turn = (hasTelemetry: boolean) => system.turn(route, requests, hasTelemetry);
  const pairOf = async (startsWithTelemetry: boolean) => {
    const first = await turn(startsWithTelemetry);
    const second = await turn(!startsWithTelemetry);
    return startsWithTelemetry ? { on: first, off: second } : { on: second, off: first };
  };
  // The first turn has telemetry: what keeps a series must not first ask for it while it is off.
  for (let pair = 0; pair < warmUp; pair += 1) {
    await pairOf(pair % 2 === 0);
    await system.sendSpans();
  }
  const spansBetween = await spansOf(collectorUrl, route);
  for (let left = turnsWithoutTelemetry; left > 0; left -= 1) await turn(false);
  await system.sendSpans();
  const spansWithout = (await spansOf(collectorUrl, route)) - spansBetween;
  for (let done = 0; done < readings.warmUp; done += 1) await system.readMetrics();
  const reading: number[] = [];
  for (let done = 0; done < readings.measured; done += 1) reading.push(await system.readMetrics());
  const readingShare = median(reading) / readEveryMs;
  const measured: Pair[] = [];
  while (measured.length < pairs) {
    const some: { on: Turn; off: Turn }[] = [];
    let onMs = 0;
    while (onMs < sendSpansEveryMs && measured.length + some.length < pairs) {
      const pair = await pairOf(some.length % 2 === 0);
      some.push(pair);
      onMs += pair.on.tookMs;
    }
    const sendingShare = (await system.sendSpans()) / onMs;
    for (const { on, off } of some)
      measured.push({
        withoutMs: off.processorMs / requests,
        withMs: on.processorMs / requests,
        exportMs: ((readingShare + sendingShare) * on.tookMs) / requests,
      });
  }
  const sentWith = (warmUp + pairs) * requests;
  const counted = (await system.counted(route)) - countedBefore;
  if (counted !== sentWith)
    throw new Error(`the metrics counted ${counted} requests of ${route}; ${sentWith} were sent with telemetry`);
  if (collectorUrl !== null) {
    const spans = (await spansOf(collectorUrl, route)) - spansBefore;
    if (spansWithout !== 0) throw new Error(`${spansWithout} spans of ${route} came from turns without telemetry`);
    if (spans === 0) throw new Error(`the collector received no span of ${route}`);
    if ((await countAt(collectorUrl)).metrics === 0) throw new Error('the collector received no metrics');
  }
  return measured;
};

/** How many requests of a route the collector has spans of. */
const spansOf = async (collectorUrl: string | null, route: Route): Promise<number> =>
  collectorUrl === null ? 0 : ((await countAt(collectorUrl)).spans[`POST ${route}`] ?? 0);

const countAt = async (collectorUrl: string): Promise<Collected> =>
  (await (await fetch(`${collectorUrl}/count`)).json()) as Collected;
