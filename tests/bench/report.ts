import { cpus, totalmem } from 'node:os';
import { type Aim, aimLine, rate } from './aims.ts';
import type { CallCost } from './call-cost.ts';
import { callConnections, type CallBench } from './call.ts';
import { consoleSection } from './console-report.ts';
import type { ConsoleBench } from './console.ts';
import { warmUp } from './load.ts';
import { matchConnections, type MatchBench } from './match.ts';
import type { MemoryBench } from './memory.ts';
import { type ReadBench, readConnections } from './reads.ts';
import { type RegisterBench, registerWorkers } from './register.ts';
import { type MeasuredLog, replayAims } from './replay.ts';
import { reviewWorkers } from './review.ts';
import { slowStreams, type SlowStreamsBench } from './slow-streams.ts';

export type BenchResults = {
  verify: ReadBench;
  agent: ReadBench;
  register: RegisterBench;
  review: { perSecond: number };
  call: CallBench;
  /** Keyed by the number of proxies; `call` is the first entry. */
  scaled: CallBench[];
  cost: CallCost;
  streams: SlowStreamsBench;
  match: MatchBench;
  replay: { first: MeasuredLog; large: MeasuredLog[] };
  memory: MemoryBench;
  /** Null without a browser. */
  console: ConsoleBench | null;
  brokenInvariants: string[];
};

const ratio = (ours: number, ceiling: number): string => (ours / ceiling).toFixed(3);
/** The load generator counts whole milliseconds. */
const ms = (value: number): string => (value < 1 ? 'under 1 ms' : `${value.toFixed(0)} ms`);

const matchTable = ({ few, many, million }: MatchBench): string[] => {
  const markets = million === null ? [few, many] : [few, many, million];
  const last = million ?? many;
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['question', ...markets.map(({ agents }) => `${rate(agents)} agents: p50, p99`), 'ratio of the p99']),
    row(Array.from({ length: markets.length + 2 }, () => '---')),
    ...Object.entries(last.byQuestion).map(([question, figures]) => {
      const each = markets.map(({ byQuestion }) => byQuestion[question] ?? figures);
      const times = each.map(({ p50, p99 }) => `${ms(p50)}, ${ms(p99)}`);
      return row([question, ...times, ratio(figures.p99, (each[0] ?? figures).p99)]);
    }),
  ];
};

const finerMs = (value: number): string => `${value.toFixed(1)} ms`;
const addedMs = ({ alone }: CallBench): number => alone.ours.p50 - alone.direct.p50;

const callTable = (scaled: readonly CallBench[]): string[] => [
  '| proxies | calls/s | @fastify/http-proxy | ratio | nginx | ratio | one at a time: p50, p99 | the agent directly | added p50 |',
  '|---|---|---|---|---|---|---|---|---|',
  ...scaled.map((bench) => {
    const { ours, ceiling, nginx, alone } = bench;
    const cells = [
      bench.proxies,
      rate(ours.perSecond),
      `${rate(ceiling.perSecond)}/s`,
      ratio(ours.perSecond, ceiling.perSecond),
      nginx === null ? 'not there' : `${rate(nginx.perSecond)}/s`,
      nginx === null ? '' : ratio(ours.perSecond, nginx.perSecond),
      `${finerMs(alone.ours.p50)}, ${finerMs(alone.ours.p99)}`,
      finerMs(alone.direct.p50),
      finerMs(addedMs(bench)),
    ];
    return `| ${cells.join(' | ')} |`;
  }),
];

const costLines = (cost: CallCost): string[] => {
  const cpu = Object.entries(cost.cpuMs).filter(([, ms]) => ms >= 0.01);
  const total = cpu.reduce((sum, [, ms]) => sum + ms, 0);
  return [
    `- Processor time: ${total.toFixed(2)} ms (${cpu.map(([name, ms]) => `${name} ${ms.toFixed(2)}`).join(', ')})`,
    `- Message bus: ${rate(cost.busBytesIn)} bytes in, ${rate(cost.busBytesOut)} out`,
    `- Postgres: ${cost.commits.toFixed(1)} transactions (reads and batches that calls share among them), ${rate(cost.walBytes)} bytes of write-ahead log, ${rate(cost.storedBytes)} bytes kept`,
  ];
};

const streamsTable = (streams: SlowStreamsBench): string[] => [
  '| process | before | all windows full | later |',
  '|---|---|---|---|',
  ...Object.entries(streams).map(
    ([name, { before, filled, later }]) =>
      `| ${name} | ${rate(before)} MiB | ${rate(filled)} MiB | ${rate(later)} MiB |`,
  ),
];

const memoryTable = ({ idleMib, afterLoadMib, byProcess }: MemoryBench): string[] => {
  const mib = (value: number | null): string => (value === null ? 'unknown' : `${Math.round(value)} MiB`);
  return [
    '| process | idle | after the loads |',
    '|---|---|---|',
    ...byProcess.map((one) => `| ${one.name} | ${mib(one.idleMib)} | ${mib(one.afterLoadMib)} |`),
    `| all | ${mib(idleMib)} | ${mib(afterLoadMib)} |`,
  ];
};

/** Growth of a process while its memory must stay constant. */
const flatMibMax = 24;
const growthMib = (streams: SlowStreamsBench): number =>
  Math.max(...Object.values(streams).map(({ filled, later }) => later - filled));

const sizeOf = ({ events, agentCount }: MeasuredLog): string => `${rate(events)} events of ${rate(agentCount)} agents`;

const replayRows = ({ first, large }: BenchResults['replay']): Aim[] => {
  const { eventsPerSecondMin, memoryMibMax, liveEventsPerSecondMin, liveChangeMax } = replayAims;
  const ofEach = [first, ...large].flatMap((each): Aim[] => [
    [`replay of ${sizeOf(each)}, events/s while building`, '≥', eventsPerSecondMin, each.eventsPerSecond],
    [`replay of ${sizeOf(each)}, MiB`, '≤', memoryMibMax, each.peakMib],
    [`live projection of ${sizeOf(each)}, events/s`, '≥', liveEventsPerSecondMin, each.liveEventsPerSecond],
  ]);
  const longer = large.filter(({ agentCount }) => agentCount === first.agentCount);
  const changes = longer.map((each): Aim => {
    const change = Math.abs(each.liveEventsPerSecond / first.liveEventsPerSecond - 1);
    return [
      `live projection of ${sizeOf(each)}: difference from ${rate(first.events)} events`,
      '≤',
      liveChangeMax,
      change,
    ];
  });
  return [...ofEach, ...changes];
};

const quotient = ({ ours, ceiling }: { ours: { perSecond: number }; ceiling: { perSecond: number } }): number =>
  ours.perSecond / ceiling.perSecond;
const cpuOf = (cost: CallCost): number => Object.values(cost.cpuMs).reduce((sum, ms) => sum + ms, 0);

const readRow = (path: string, { ours, ceiling }: ReadBench): string[] => [
  `${path}, ${readConnections} connections`,
  `${rate(ours.perSecond)}/s, p50 ${ms(ours.p50)}, p99 ${ms(ours.p99)}`,
  `bare fastify route, same bytes: ${rate(ceiling.perSecond)}/s`,
  ratio(ours.perSecond, ceiling.perSecond),
];

/** The results as a self-contained page. */
export function renderReport(results: BenchResults, date: string, seconds: number): string {
  const { verify, agent, register, call, match, memory } = results;
  const replays = [results.replay.first, ...results.replay.large];
  const cores = cpus();
  const largest = match.million ?? match.many;
  const rows = [
    readRow('`POST /verify` of one agent', verify),
    readRow(`\`POST /verify\` of a random one of ${rate(match.many.agents)}, all asked for before`, match.randomVerify),
    readRow('`GET /agent/{id}`', agent),
    ...registerWorkers.map((workers) => {
      const { ours, ceiling } = register.at[workers];
      return [
        `\`POST /register\`, ${workers} at once`,
        `${rate(ours.perSecond)}/s`,
        `one durable INSERT through pg: ${rate(ceiling.perSecond)}/s`,
        ratio(ours.perSecond, ceiling.perSecond),
      ];
    }),
    [
      '`POST /register`, one at a time',
      `p50 ${finerMs(register.alone.p50)}, p99 ${finerMs(register.alone.p99)}`,
      '',
      '',
    ],
    [`\`POST /review\`, ${reviewWorkers} at once`, `${rate(results.review.perSecond)}/s`, '', ''],
    [
      '`POST /call`, 32 connections',
      `${rate(call.ours.perSecond)}/s, p50 ${ms(call.ours.p50)}, p99 ${ms(call.ours.p99)}`,
      `@fastify/http-proxy, same agent: ${rate(call.ceiling.perSecond)}/s`,
      ratio(call.ours.perSecond, call.ceiling.perSecond),
    ],
    [
      `\`POST /match\`, ${matchConnections} connections, ${rate(match.many.agents)} agents`,
      `${rate(match.many.mix.perSecond)}/s, p50 ${ms(match.many.mix.p50)}, p99 ${ms(match.many.mix.p99)}`,
      `bare fastify route, an answer of 50: ${rate(match.ceiling.perSecond)}/s`,
      ratio(match.many.mix.perSecond, match.ceiling.perSecond),
    ],
    ...replays.map((replay) => [
      `\`npm run replay\`, building, ${sizeOf(replay)}`,
      `${rate(replay.eventsPerSecond)} events/s, ${rate(replay.rows)} rows, ${rate(replay.peakMib)} MiB`,
      `COPY of the same rows: ${rate(replay.rows / replay.copySeconds)} rows/s, ${replay.copySeconds.toFixed(2)} s`,
      ratio(replay.copySeconds, replay.events / replay.eventsPerSecond),
    ]),
    ...replays.map((replay) => [
      `live projection, one projector, ${sizeOf(replay)}`,
      `${rate(replay.liveEventsPerSecond)} events/s`,
      `COPY of the same rows: ${rate(replay.rows / replay.copySeconds)} rows/s, ${replay.copySeconds.toFixed(2)} s`,
      ratio(replay.copySeconds, replay.events / replay.liveEventsPerSecond),
    ]),
  ];
  const table = [
    '| path | measured | ceiling in the same run | ratio |',
    '|---|---|---|---|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ];
  const aims: Aim[] = [
    ['verify of one agent ÷ the bare route', '≥', 0.7, quotient(verify)],
    [`verify of a random one of ${rate(match.many.agents)} ÷ the bare route`, '≥', 0.55, quotient(match.randomVerify)],
    ['`GET /agent/{id}` ÷ the bare route', '≥', 0.35, quotient(agent)],
    ['call ÷ @fastify/http-proxy', '≥', 0.22, quotient(call)],
    ['a lone call: ms added to the p50 of a direct call', '≤', 3.5, addedMs(call)],
    ['a call: ms of processor time', '≤', 1.1, cpuOf(results.cost)],
    ['register at 64 ÷ one durable INSERT', '≥', 0.2, quotient(register.at[64])],
    ['a lone register, ms at p50', '≤', 5, register.alone.p50],
    [`review, ${reviewWorkers} at once, a second`, '≥', 1_500, results.review.perSecond],
    [`match at ${matchConnections} connections, ms at p99`, '<', 15, match.many.mix.p99],
    [`match: p99 ÷ that among ${rate(match.few.agents)} agents`, '≤', 1.5, largest.mix.p99 / match.few.mix.p99],
    ...replayRows(results.replay),
    ['idle memory of all processes, MiB', '≤', 450, memory.idleMib ?? Infinity],
    ['memory of all processes after a load, MiB', '≤', 700, memory.afterLoadMib ?? Infinity],
    [`memory under ${slowStreams} slow streams: MiB of growth`, '<', flatMibMax, growthMib(results.streams)],
  ];
  return `${[
    '# Benchmarks',
    '',
    'Written by `npm run bench`. Everything ran on one machine at the same time: load generator, five services, NATS, Postgres with durable commits, and the',
    'agent. So the ratios say more than the figures: each path stands beside its ceiling, measured in the same run.',
    '',
    `- Date: ${date}`,
    `- Machine: ${cores.length} × ${cores[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, Node ${process.version}`,
    `- Each load ran ${seconds} s after a warm-up of ${rate(warmUp.requestsMin)} requests, or ${warmUp.secondsMax} s`,
    '',
    ...table,
    '',
    `Calling the agent directly answers in ${ms(call.direct.p50)} (p50) at 32 connections; the registry adds an authentication, two durable events and the wait for the read model.`,
    `The whole replay command (build, compare every row, switch) took ${results.replay.first.seconds.toFixed(1)} s with ${sizeOf(results.replay.first)}.`,
    '',
    'Memory of all processes (proportional set sizes): a system that has just started, and the same after loads of verifications and calls, each quiet for 20 s:',
    '',
    ...memoryTable(memory),
    '',
    '## Calls, by the number of call-proxies',
    '',
    `At ${callConnections} connections and one at a time, every exchange on record. Everything shares the same cores, so more proxies cannot carry more here than the cores allow.`,
    '',
    ...callTable(results.scaled),
    '',
    'What one call costs, on average of many at 32 connections (counted, not timed; [what follows from it](scaling.md)):',
    '',
    ...costLines(results.cost),
    '',
    `${slowStreams} callers that read a streamed answer a kibibyte a second, while its agent sends as fast as it may:`,
    '',
    ...streamsTable(results.streams),
    '',
    '## Match, question by question',
    '',
    `The mix asks these questions in turn. Among ${rate(match.few.agents)} agents it has p50 ${ms(match.few.mix.p50)} and p99 ${ms(match.few.mix.p99)}, among ${rate(match.many.agents)} ${ms(match.many.mix.p50)} and ${ms(match.many.mix.p99)}: a ratio of ${ratio(match.many.mix.p99, match.few.mix.p99)} at p99.`,
    'A small market has fewer agents for the less usual questions, and so shorter answers to send; a popular capability fills an answer in both.',
    '',
    ...matchTable(match),
    '',
    consoleSection(results.console),
    '',
    '## Aims',
    '',
    ...aims.map(aimLine),
    '',
    '## Checked afterwards',
    '',
    results.brokenInvariants.length === 0
      ? 'Nothing was lost: every acknowledged registration, review and call is in the log, every exchange has one start and one end, `transaction_count` equals the completed exchanges, no stream has a gap, and every match is the ranking that the formula gives over all agents.'
      : `**Broken:** ${results.brokenInvariants.join('; ')}.`,
  ].join('\n')}\n`;
}
