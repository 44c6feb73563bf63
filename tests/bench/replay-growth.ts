/**
 * `npm run bench:replay`: how the cost of a replay and of the live projection grows with the log. Makes logs of the given lengths in a
 * temporary Postgres, lets the live projection build its read models, then runs the replay command, which compares every row of both, and
 * samples its memory.
 */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@agent-trust/embedded-servers';
import { type MeasuredLog, measureLog, replayAims } from './replay.ts';

const { values: options } = parseArgs({
  options: {
    // Events and agents of each log; without `--large`, only the first.
    logs: { type: 'string', default: '100000:1000,1000000:10000,1000000:1000' },
    large: { type: 'boolean', default: false },
    out: { type: 'string', default: join(import.meta.dirname, '..', '..', 'docs', 'benchmarks-replay.md') },
  },
});
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const count = (n: number): string => Math.round(n).toLocaleString('en');

const row = (measured: MeasuredLog): string =>
  [
    count(measured.events),
    count(measured.agentCount),
    `${count(measured.eventsPerSecond)}/s`,
    `${measured.seconds.toFixed(1)} s`,
    count(measured.rows),
    `${measured.copySeconds.toFixed(1)} s`,
    (measured.copySeconds / (measured.events / measured.eventsPerSecond)).toFixed(2),
    `${count(measured.halfWayMib)} MiB`,
    `${count(measured.peakMib)} MiB`,
    `${count(measured.liveEventsPerSecond)}/s`,
  ].join(' | ');

const verdict = (isMet: boolean): string => (isMet ? 'met' : '**not met**');
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const sizeOf = ({ events, agentCount }: MeasuredLog): string =>
  `${count(events)} events of ${count(agentCount)} agents`;

const { eventsPerSecondMin, memoryMibMax, liveEventsPerSecondMin, liveChangeMax } = replayAims;

const verdictsOf = (measured: MeasuredLog, first: MeasuredLog): string[] => {
  const { eventsPerSecond, peakMib, liveEventsPerSecond, agentCount } = measured;
  const size = sizeOf(measured);
  const lines = [
    `- ${verdict(eventsPerSecond >= eventsPerSecondMin)}: ${count(eventsPerSecondMin)} events a second while building, with ${size} (${count(eventsPerSecond)})`,
    `- ${verdict(peakMib <= memoryMibMax)}: ${count(memoryMibMax)} MiB for the replay, with ${size} (${count(peakMib)})`,
    `- ${verdict(liveEventsPerSecond >= liveEventsPerSecondMin)}: ${count(liveEventsPerSecondMin)} events a second by the live projection, with ${size} (${count(liveEventsPerSecond)})`,
  ];
  if (measured === first || agentCount !== first.agentCount) return lines;
  const change = liveEventsPerSecond / first.liveEventsPerSecond - 1;
  const flat = `the live projection as fast as with ${count(first.events)} events, within ${percent(liveChangeMax)}, with ${size} (${percent(change)})`;
  return [...lines, `- ${verdict(Math.abs(change) <= liveChangeMax)}: ${flat}`];
};

const report = (
  all: readonly [MeasuredLog, ...MeasuredLog[]],
): string => `# How a replay and the live projection grow with the log

Made by \`npm run bench:replay -- --large\` on ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, Node ${process.version}: agents, and between them exchanges and reviews.
The live projection is one projector that catches up with the log, nothing else running. The replay command builds every read model from event 0 beside
the one that the live projection made, compares every row of both, and switches.
Two thirds of the agents have an \`org_domain\` of their own, so that an agent has nearly as many roots behind it as reviews.

| events | agents | building | whole command | rows | COPY of the same rows | COPY ÷ building | memory to half-way | memory at its highest | the live projection |
|---|---|---|---|---|---|---|---|---|---|
${all.map((measured) => `| ${row(measured)} |`).join('\n')}

${all.flatMap((measured) => verdictsOf(measured, all[0])).join('\n')}
`;

const server = await startEmbeddedPostgres({ ephemeral: true });
try {
  const measureNext = async (log = ''): Promise<MeasuredLog> => {
    const [eventCount, agentCount] = log.split(':').map(Number);
    if (!eventCount || !agentCount) throw new Error(`--logs must be a list of <events>:<agents>, not ${options.logs}`);
    return measureLog(server.url, { eventCount, agentCount }, say);
  };
  const [first, ...others] = options.logs.split(',');
  const all: [MeasuredLog, ...MeasuredLog[]] = [await measureNext(first)];
  for (const log of options.large ? others : []) all.push(await measureNext(log));
  const text = report(all);
  await writeFile(options.out, text);
  process.stdout.write(text);
} finally {
  await server.stop();
}
