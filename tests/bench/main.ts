import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startStack } from '@agent-trust/dev-stack';
import { runAttacks } from './attacks/run-attacks.ts';
import { benchCall, type CallBench } from './call.ts';
import { countCallCost } from './call-cost.ts';
import { benchEventLog } from './event-log.ts';
import { brokenInvariants } from './invariants.ts';
import { benchMemory } from './memory.ts';
import { benchMatch } from './match.ts';
import { benchRegister } from './register.ts';
import { benchReplay } from './replay.ts';
import { type ProfiledLoad, profiledLoads, profileLoad } from './profile.ts';
import { benchReads } from './reads.ts';
import { renderReport } from './report.ts';
import { benchReview } from './review.ts';
import { benchSlowStreams, slowStreams } from './slow-streams.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '10' },
    events: { type: 'string', default: '100000' },
    agents: { type: 'string', default: '100000' },
    large: { type: 'boolean', default: false },
    profile: { type: 'string' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md') },
  },
});
const seconds = Number(options.seconds);
const eventCount = Number(options.events);
const agentCount = Number(options.agents);
/** With `--large`: what a market has besides. Takes about an hour. */
const millionAgents = 1_000_000;
const moreProxies = [2, 4];
const say = (line: string): void => void process.stderr.write(`${line}\n`);

if (options.profile !== undefined) {
  const isProfiled = (name: string): name is ProfiledLoad => (profiledLoads as readonly string[]).includes(name);
  if (!isProfiled(options.profile)) {
    say(`--profile takes one of ${profiledLoads.join(', ')}.`);
    process.exit(2);
  }
  await profileLoad(options.profile, seconds, say);
  process.exit(0);
}

if (positionals[0] === 'attacks') process.exit((await runAttacks(options.only, seconds, say)) ? 0 : 1);

if (positionals[0] === 'event-log') process.exit((await benchEventLog(seconds, say)) ? 0 : 1);
// Each stack below needs an empty log, and counts in it with SQL.
if (process.env['EVENT_LOG_URL'] !== undefined) {
  say('The event log is the embedded Postgres; `npm run bench -- event-log` measures the one of EVENT_LOG_URL.');
  delete process.env['EVENT_LOG_URL'];
}

/** All benchmarks that share one stack. */
const benchStack = async () => {
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
    const replay = await benchReplay(databaseUrl, eventCount, options.large, say);
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
const benchProxies = async (proxies: number): Promise<CallBench> => {
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

say('Memory, idle and after a load, in a system of its own…');
const memory = await benchMemory(seconds);
const { broken, ...measured } = await benchStack();
const scaled = [measured.call];
for (const proxies of moreProxies) scaled.push(await benchProxies(proxies));
say(`Match among 1,000 agents and among ${agentCount.toLocaleString('en')}, in throw-away stacks of their own…`);
const match = await benchMatch(agentCount, seconds, options.large ? millionAgents : null);
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
const report = renderReport({ ...measured, memory, scaled, match, brokenInvariants: broken }, date, seconds);
await writeFile(options.out, report);
process.stdout.write(report);
process.exitCode = broken.length === 0 ? 0 : 1;
