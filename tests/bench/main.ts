import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startStack } from '@agent-trust/dev-stack';
import { benchCall } from './call.ts';
import { brokenInvariants } from './invariants.ts';
import { memoryOf, processTree } from './memory.ts';
import { benchMatch } from './match.ts';
import { benchRegister } from './register.ts';
import { benchReplay } from './replay.ts';
import { renderReport } from './report.ts';
import { benchVerify } from './verify.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    events: { type: 'string', default: '100000' },
    agents: { type: 'string', default: '100000' },
    out: { type: 'string', default: join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md') },
  },
});
const seconds = Number(options.seconds);
const eventCount = Number(options.events);
const agentCount = Number(options.agents);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** All that one stack is asked to do. */
const benchStack = async () => {
  say('Starting a throw-away stack with durable commits…');
  const stack = await startStack({ ephemeral: true, onProgress: (line) => say(`  ${line}`) });
  try {
    const databaseUrl = stack.postgresUrl;
    if (databaseUrl === undefined) throw new Error('The benchmark needs the embedded database: unset DATABASE_URL.');
    const pids = stack.processes().flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
    const idleMib = await memoryOf([...new Set([...(await processTree(pids)), process.pid])]);
    say(`Verify, ${seconds} s each side…`);
    const verify = await benchVerify(stack, seconds);
    say(`Register, ${seconds} s each side…`);
    const register = await benchRegister(stack, databaseUrl, seconds);
    say(`Call, ${seconds} s each of three…`);
    const call = await benchCall(stack, seconds);
    say('Checking that nothing was lost…');
    const broken = await brokenInvariants(stack, databaseUrl, {
      registered: register.ours.done,
      calls: { answered: call.ours.ok, carried: call.carried, receiverAgentId: call.receiverAgentId },
    });
    say(`Replay of ${eventCount.toLocaleString('en')} events…`);
    const replay = await benchReplay(stack, databaseUrl, eventCount);
    return { verify, register, call, replay, idleMib, broken };
  } finally {
    await stack.stop();
  }
};

const { broken, ...measured } = await benchStack();
say(`Match among 1,000 agents and among ${agentCount.toLocaleString('en')}, in throw-away stacks of their own…`);
const match = await benchMatch(agentCount, seconds);
const markets = [match.few, match.many];
const loads = [
  measured.verify.ours,
  measured.call.ours,
  ...markets.flatMap(({ mix, byQuestion }) => [mix, ...Object.values(byQuestion)]),
];
const failures = loads.reduce((sum, { failed }) => sum + failed, 0);
broken.push(...markets.flatMap((market) => market.broken));
if (failures > 0) broken.push(`requests that failed under load: ${failures}`);
const date = new Date().toISOString().slice(0, 10);
const report = renderReport({ ...measured, match, brokenInvariants: broken }, date, seconds);
await writeFile(options.out, report);
process.stdout.write(report);
process.exitCode = broken.length === 0 ? 0 : 1;
