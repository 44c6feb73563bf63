import { readFile, writeFile } from 'node:fs/promises';
import { startStack } from '@agent-trust/dev-stack';
import { benchCall, type CallBench } from './call.ts';
import { countCallCost } from './call-cost.ts';
import { benchConsole } from './console.ts';
import { brokenInvariants } from './invariants.ts';
import { benchMemory } from './memory.ts';
import { benchMatch } from './match.ts';
import { benchRegister } from './register.ts';
import { benchReplay } from './replay.ts';
import { benchReads } from './reads.ts';
import { renderReport } from './report.ts';
import { sectionOf, withSection } from './report-section.ts';
import { benchReview } from './review.ts';
import { benchSlowStreams, slowStreams } from './slow-streams.ts';
import { telemetryHeading } from './telemetry/report.ts';

type Say = (line: string) => void;

export type BenchOptions = {
  /** Of each load. */
  seconds: number;
  /** Of the replay, and agents of the match. */
  events: number;
  agents: number;
  /** What a market has besides. Takes about an hour. */
  isLarge: boolean;
  /** Where the report goes. */
  outFile: string;
};

const millionAgents = 1_000_000;
const moreProxies = [2, 4];

/** Measures each path against its upper bound and writes the report. False if something was lost or refused under load. */
export async function benchAll(options: BenchOptions, say: Say): Promise<boolean> {
  const { seconds, agents, isLarge } = options;
  // Each stack below needs an empty log, and counts in it with SQL.
  if (process.env['EVENT_LOG_URL'] !== undefined) {
    say('The event log is the embedded Postgres; `npm run bench -- event-log` measures the one of EVENT_LOG_URL.');
    delete process.env['EVENT_LOG_URL'];
  }
  say('Memory, idle and after a load, in a system of its own…');
  const memory = await benchMemory(seconds);
  const { broken, ...measured } = await benchStack(options, say);
  const scaled = [measured.call];
  for (const proxies of moreProxies) scaled.push(await benchProxies(proxies, seconds, say));
  say(`Match among 1,000 agents and among ${agents.toLocaleString('en')}, in throw-away stacks of their own…`);
  const match = await benchMatch(agents, seconds, isLarge ? millionAgents : null);
  const measuredConsole = await benchConsole(say);
  const markets = [match.few, match.many, ...(match.million === null ? [] : [match.million])];
  const loads = [
    measured.verify.ours,
    measured.agent.ours,
    match.randomVerify.ours,
    ...scaled.map(({ ours }) => ours),
    ...markets.flatMap(({ mix, byQuestion }) => [mix, ...Object.values(byQuestion)]),
  ];
  const failures = loads.reduce((sum, { failed }) => sum + failed, 0);
  broken.push(...markets.flatMap((market) => market.broken));
  if (failures > 0) broken.push(`requests that failed under load: ${failures}`);
  const date = new Date().toISOString().slice(0, 10);
  const rendered = renderReport(
    { ...measured, memory, scaled, match, console: measuredConsole, brokenInvariants: broken },
    date,
    seconds,
  );
  // Measured by a run of its own.
  const telemetry = sectionOf(await readFile(options.outFile, 'utf8').catch(() => ''), telemetryHeading);
  const report = telemetry === undefined ? rendered : withSection(rendered, telemetry);
  await writeFile(options.outFile, report);
  process.stdout.write(report);
  return broken.length === 0;
}

/** All benchmarks that share one stack. */
const benchStack = async ({ seconds, events, isLarge }: BenchOptions, say: Say) => {
  say('Starting a throw-away stack with durable commits…');
  const stack = await startStack({
    ephemeral: true,
    env: { ...process.env, REGISTRATIONS_PER_MINUTE: '0' },
    onProgress: (line) => say(`  ${line}`),
  });
  try {
    const databaseUrl = stack.postgresUrl;
    if (databaseUrl === undefined) throw new Error('The benchmark needs the embedded database: unset DATABASE_URL.');
    say(`Verify and an agent, ${seconds} s each side…`);
    const reads = await benchReads(stack, seconds);
    say(`Register, ${seconds} s each of five…`);
    const register = await benchRegister(stack, databaseUrl, seconds);
    say(`Review, ${seconds} s…`);
    const review = await benchReview(stack, databaseUrl, seconds);
    say(`Call, ${seconds} s each of six…`);
    const call = await benchCall(stack, seconds, say);
    say('Checking that nothing was lost…');
    const broken = await brokenInvariants(stack, databaseUrl, {
      registered: register.done,
      calls: { answered: call.ours.ok, carried: call.carried, receiverAgentId: call.receiverAgentId },
    });
    broken.push(...review.broken);
    const replay = await benchReplay(databaseUrl, events, isLarge, say);
    say('Counting what a call costs…');
    const cost = await countCallCost(stack, databaseUrl);
    say(`${slowStreams} slow streams…`);
    const streams = await benchSlowStreams(stack, seconds);
    return { ...reads, register, review, call, cost, replay, streams, broken };
  } finally {
    await stack.stop();
  }
};

/** Calls with more proxies; each number of proxies has its own stack. */
const benchProxies = async (proxies: number, seconds: number, say: Say): Promise<CallBench> => {
  say(`Call through ${proxies} proxies, ${seconds} s each of six…`);
  const stack = await startStack({
    ephemeral: true,
    env: { ...process.env, REGISTRATIONS_PER_MINUTE: '0', CALL_PROXIES: String(proxies) },
  });
  try {
    return await benchCall(stack, seconds, say);
  } finally {
    await stack.stop();
  }
};
