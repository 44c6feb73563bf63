import { cpus, totalmem } from 'node:os';
import type { CallCost } from './call-cost.ts';
import { callConnections, type CallBench } from './call.ts';
import { type LoadFigures, warmUp } from './load.ts';
import { matchConnections, type MatchBench } from './match.ts';
import type { MemoryBench } from './memory.ts';
import { type RegisterBench, registerWorkers } from './register.ts';
import type { ReplayBench } from './replay.ts';
import { reviewWorkers } from './review.ts';
import { slowStreams, type SlowStreamsBench } from './slow-streams.ts';

export type BenchResults = {
  verify: { ours: LoadFigures; ceiling: LoadFigures };
  register: RegisterBench;
  review: { perSecond: number };
  call: CallBench;
  /** Keyed by the number of proxies; `call` is the first entry. */
  scaled: CallBench[];
  cost: CallCost;
  streams: SlowStreamsBench;
  match: MatchBench;
  replay: ReplayBench;
  memory: MemoryBench;
  brokenInvariants: string[];
};

const rate = (value: number): string => Math.round(value).toLocaleString('en');
const ratio = (ours: number, ceiling: number): string => (ours / ceiling).toFixed(3);
/** The load generator counts whole milliseconds. */
const ms = (value: number): string => (value < 1 ? 'under 1 ms' : `${value.toFixed(0)} ms`);

const matchTable = ({ few, many }: MatchBench): string[] => [
  `| question | ${rate(few.agents)} agents: p50, p99 | ${rate(many.agents)} agents: p50, p99 | ratio of the p99 |`,
  '|---|---|---|---|',
  ...Object.entries(many.byQuestion).map(([question, figures]) => {
    const before = few.byQuestion[question] ?? figures;
    const cells = [
      question,
      `${ms(before.p50)}, ${ms(before.p99)}`,
      `${ms(figures.p50)}, ${ms(figures.p99)}`,
      ratio(figures.p99, before.p99),
    ];
    return `| ${cells.join(' | ')} |`;
  }),
];

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
const isFlat = (streams: SlowStreamsBench): boolean =>
  Object.values(streams).every(({ filled, later }) => later - filled < flatMibMax);

/** The results as a self-contained page. */
export function renderReport(results: BenchResults, date: string, seconds: number): string {
  const { verify, register, call, match, memory, replay } = results;
  const cores = cpus();
  const rows = [
    [
      '`POST /verify`, 32 connections',
      `${rate(verify.ours.perSecond)}/s, p50 ${ms(verify.ours.p50)}, p99 ${ms(verify.ours.p99)}`,
      `bare fastify route, same bytes: ${rate(verify.ceiling.perSecond)}/s`,
      ratio(verify.ours.perSecond, verify.ceiling.perSecond),
    ],
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
    [
      '`npm run replay`, building',
      `${rate(replay.eventsPerSecond)} events/s (${rate(replay.events)} events → ${rate(replay.rows)} rows)`,
      `COPY of the same rows: ${rate(replay.copiedRowsPerSecond)} rows/s, ${replay.copySeconds.toFixed(2)} s`,
      ratio(replay.copySeconds, replay.events / replay.eventsPerSecond),
    ],
  ];
  const table = [
    '| path | measured | ceiling in the same run | ratio |',
    '|---|---|---|---|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ];
  const aims = [
    ['verify ≥ 0.10 of the bare route', verify.ours.perSecond / verify.ceiling.perSecond >= 0.1],
    ['verify p99 under 10 ms at 32 connections', verify.ours.p99 < 10],
    [
      'register at 64 ≥ 0.20 of one durable INSERT',
      register.at[64].ours.perSecond / register.at[64].ceiling.perSecond >= 0.2,
    ],
    ['register p50 at most 5 ms, one at a time', register.alone.p50 <= 5],
    [`review ≥ 1,500/s, ${reviewWorkers} at once`, results.review.perSecond >= 1_500],
    [`match p99 under 25 ms at ${matchConnections} connections`, match.many.mix.p99 < 25],
    [
      `match p99 at most 1.5 times that among ${rate(match.few.agents)} agents`,
      match.many.mix.p99 <= 1.5 * match.few.mix.p99,
    ],
    ['call adds at most 3 ms to the p50 of a direct call, one at a time', addedMs(call) <= 3],
    ['call ≥ 0.25 of @fastify/http-proxy', call.ours.perSecond / call.ceiling.perSecond >= 0.25],
    [`memory flat under ${slowStreams} slow streams`, isFlat(results.streams)],
    ['replay ≥ 30,000 events/s', replay.eventsPerSecond >= 30_000],
    ['idle memory of all processes ≤ 450 MiB', (memory.idleMib ?? Infinity) <= 450],
    ['memory of all processes after a load ≤ 700 MiB', (memory.afterLoadMib ?? Infinity) <= 700],
  ] as const;
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
    `The whole replay command (build, compare every row, switch) took ${replay.commandSeconds.toFixed(1)} s; the live projection followed the same events at ${rate(replay.liveEventsPerSecond)}/s while they were written.`,
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
    'What one call costs, on average of many at 16 connections (counted, not timed; [what follows from it](scaling.md)):',
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
    '## Aims',
    '',
    ...aims.map(([aim, met]) => `- ${met ? 'met' : '**not met**'}: ${aim}`),
    '',
    '## Checked afterwards',
    '',
    results.brokenInvariants.length === 0
      ? 'Nothing was lost: every acknowledged registration, review and call is in the log, every exchange has one start and one end, `transaction_count` equals the completed exchanges, no stream has a gap, and every match is the ranking that the formula gives over all agents.'
      : `**Broken:** ${results.brokenInvariants.join('; ')}.`,
  ].join('\n')}\n`;
}
