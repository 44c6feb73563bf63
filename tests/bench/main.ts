/** `npm run bench`: see `usage`. */
import { join } from 'node:path';
import { ArgumentsError, runCommand } from '@agent-trust/command-line';
import { attacks } from './attacks/list.ts';
import { runAttacks } from './attacks/run-attacks.ts';
import { benchArchive } from './archive.ts';
import { benchAll } from './bench-all.ts';
import { benchConsoleAlone } from './console-alone.ts';
import { benchEventLog } from './event-log.ts';
import { benchPolicy } from './policy.ts';
import { benchTelemetry } from './telemetry.ts';
import { beginsWithV1 } from '../support/first-policy.ts';
import { type ProfiledLoad, profiledLoads, profileLoad } from './profile.ts';

const reportFile = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md');

// The published figures are those of registries that began with v1; another value of the environment measures v2.
process.env['TRUST_POLICY_AT_FIRST_START'] ??= beginsWithV1.TRUST_POLICY_AT_FIRST_START;

const usage = `Usage: npm run bench -- [archive | attacks | console | event-log | policy | telemetry] [options]

Measures each path of a throw-away system against its upper bound and writes docs/benchmarks.md. Takes about half an hour.

  attacks             what others notice of attacks instead: latency beside a quiet run, memory, processor time, restarts
  archive             a log of --events events before and after nine tenths of them are archived instead: disk, replay, proofs
  console             its pages instead: what they load, until they show their data, contrast, and what it adds to the start; renews
                      that section of docs/benchmarks.md
  event-log           calls on Postgres and on the EventStoreDB of EVENT_LOG_URL, or a stand-in, instead
  policy              what trust policy v2 costs instead: replays beside those of v1, a record that changes the score of 10,000 agents, and
                      the switch from v1 of a registry of --agents with ten reviews each (100,000: three quarters of an hour)
  telemetry           what metrics and traces add to /verify and /call instead, in --starts; renews that section of docs/benchmarks.md

  --seconds <n>       of each load, 10 by default
  --starts <n>        of each of two systems, 4 by default; with telemetry
  --only <words>      the attacks whose name contains them; with attacks
  --events <n>        of a replay or the archive, 100000 by default
  --agents <n>        of the match or the switch of policies, 100000 by default
  --large             a million agents and events besides; takes about an hour
  --out <file>        where the report goes, docs/benchmarks.md by default
  --profile <load>    writes processor profiles under one load instead: ${profiledLoads.join(', ')}

Attacks: ${attacks.map(({ name }) => name).join('; ')}.

Exit codes: 0 all aims met; 1 not all; 2 wrong arguments.`;

const options = {
  seconds: { type: 'string', default: '10' },
  events: { type: 'string', default: '100000' },
  agents: { type: 'string', default: '100000' },
  starts: { type: 'string', default: '4' },
  large: { type: 'boolean', default: false },
  profile: { type: 'string' },
  only: { type: 'string' },
  out: { type: 'string', default: reportFile },
} as const;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const countOf = (name: string, text: string): number => {
  if (!/^[1-9]\d{0,8}$/u.test(text)) throw new ArgumentsError(`--${name} takes a whole number, not '${text}'.`);
  return Number(text);
};
const isProfiled = (name: string): name is ProfiledLoad => (profiledLoads as readonly string[]).includes(name);

const subjects = ['archive', 'attacks', 'console', 'event-log', 'policy', 'telemetry'] as const;
const isSubject = (word: string | undefined): word is (typeof subjects)[number] =>
  (subjects as readonly (string | undefined)[]).includes(word);
const [word] = process.argv.slice(2).filter((argument) => argument !== '--');
const subject = isSubject(word) ? word : null;
// The rest are options.
if (subject !== null) process.argv.splice(process.argv.indexOf(subject), 1);

await runCommand({
  usage,
  options,
  run: async ({ profile, only, large, out, ...given }) => {
    const seconds = countOf('seconds', given.seconds);
    const [events, agents] = [countOf('events', given.events), countOf('agents', given.agents)];
    if (only !== undefined && subject !== 'attacks') throw new ArgumentsError('--only goes with attacks.');
    if (profile !== undefined) {
      if (!isProfiled(profile)) throw new ArgumentsError(`--profile takes one of ${profiledLoads.join(', ')}.`);
      await profileLoad(profile, seconds, say);
      return 0;
    }
    const measure = async (): Promise<boolean> => {
      if (subject === 'archive') return benchArchive(events, say);
      if (subject === 'attacks') return runAttacks(only ?? '', seconds, say);
      if (subject === 'console') return benchConsoleAlone(out, say);
      if (subject === 'event-log') return benchEventLog(seconds, say);
      if (subject === 'policy') return benchPolicy({ events, agents }, say);
      if (subject === 'telemetry') return benchTelemetry(countOf('starts', given.starts), out, say);
      return benchAll({ seconds, events, agents, isLarge: large, outFile: out }, say);
    };
    return (await measure()) ? 0 : 1;
  },
});
process.exit();
