import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ArgumentsError } from '@agent-trust/command-line';
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { quantile } from '../load.ts';
import type { Attack, AttackAim, PreparedAttack, Statuses } from './attack.ts';
import { attacks } from './list.ts';

/** The heap that Node takes in a container of docker-compose.yml: half of its memory, 384 MiB. */
export const heapOptions = '--max-old-space-size=192';
/** One request each. They do not wait for one another, so a system that stands still delays all that begin meanwhile. */
const probeEveryMs = 50;
const warmUpSeconds = 5;

export type ProbeFigures = { p50: number; p99: number; failed: number; failure: string | null };
export type AttackFigures = {
  quiet: ProbeFigures;
  attacked: ProbeFigures;
  statuses: Statuses;
  /** Milliseconds of processor time a second, by process, while it is quiet and under attack. */
  quietLoad: Readonly<Record<string, number>>;
  attackedLoad: Readonly<Record<string, number>>;
  /** MiB by process. */
  peaks: Readonly<Record<string, number>>;
  restarts: number;
};

/** Runs the attacks whose name contains `part` one after the other, each on a system of its own; prints what others notice of them. @throws ArgumentsError */
export async function runAttacks(part: string, seconds: number, say: (line: string) => void): Promise<boolean> {
  const chosen = attacks.filter(({ name }) => name.includes(part));
  if (chosen.length === 0) {
    const names = attacks.map(({ name }) => name).join('; ');
    throw new ArgumentsError(`no attack's name contains '${part}': ${names}.`);
  }
  let allMet = true;
  for (const attack of chosen) {
    say(`${attack.name}: ${seconds} s quiet, ${seconds} s under attack…`);
    const figures = await runAttack(attack, seconds);
    const isMet = meets(attack.aim, figures);
    allMet &&= isMet;
    process.stdout.write(`${reportOf(attack, figures, isMet).join('\n')}\n\n`);
  }
  return allMet;
}

const runAttack = async (chosen: Attack, seconds: number): Promise<AttackFigures> => {
  const stack = await startStack({
    ephemeral: true,
    env: {
      ...process.env,
      REGISTRATIONS_PER_MINUTE: '0',
      NODE_OPTIONS: heapOptions,
      ...chosen.env,
    },
  });
  let prepared: PreparedAttack | undefined;
  try {
    const probed = await chosen.prepare(stack);
    prepared = probed;
    await probeFor(probed, warmUpSeconds);
    const probe = (): Promise<ProbeFigures> => probeFor(probed, seconds);
    const { figures: quiet, load: quietLoad } = await withLoad(stack, {}, probe);
    const attack = await probed.begin();
    const attacker = attack.pid === undefined ? {} : { attacker: attack.pid };
    const { figures: attacked, load: attackedLoad } = await withLoad(stack, attacker, probe);
    const statuses = await attack.stop();
    const peaks = await peaksOf(stack);
    const restarts = stack.processes().reduce((sum, process) => sum + process.restarts, 0);
    return { quiet, attacked, quietLoad, attackedLoad, statuses, peaks, restarts };
  } finally {
    await prepared?.end();
    await stack.stop();
  }
};

const probeFor = async (prepared: PreparedAttack, seconds: number): Promise<ProbeFigures> => {
  const took: number[] = [];
  const failures: unknown[] = [];
  const probes: Promise<void>[] = [];
  const timeOne = async (): Promise<void> => {
    const startedAt = performance.now();
    await prepared.probe().catch((error: unknown) => failures.push(error));
    took.push(performance.now() - startedAt);
  };
  const count = (seconds * 1_000) / probeEveryMs;
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, startedAt + index * probeEveryMs - performance.now()));
    probes.push(timeOne());
  }
  await Promise.all(probes);
  const failure = failures.length === 0 ? null : String(failures[0]);
  return { p50: quantile(took, 0.5), p99: quantile(took, 0.99), failed: failures.length, failure };
};

/** What runs, and the processor time that each process of the system, the bench itself and others take meanwhile, as the kernel counts it (Linux only; 0 elsewhere). */
const withLoad = async (stack: Stack, others: Readonly<Record<string, number>>, run: () => Promise<ProbeFigures>) => {
  const pids = Object.entries({
    ...Object.fromEntries(stack.processes().map(({ name, pid }) => [name, pid])),
    ...others,
    bench: process.pid,
  });
  const before = await Promise.all(pids.map(([, pid]) => processorMs(pid)));
  const startedAt = performance.now();
  const figures = await run();
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await Promise.all(pids.map(([, pid]) => processorMs(pid)));
  const perSecond = pids.map(
    ([name], index) => [name, ((after[index] ?? 0) - (before[index] ?? 0)) / seconds] as const,
  );
  return { figures, load: Object.fromEntries(perSecond) };
};

const tickMs = 10;
const processorMs = async (pid: number | undefined): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in parentheses, may contain spaces. Then user and system time are the 12th and 13th field.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user ?? 0) + Number(system ?? 0)) * tickMs;
};

/** The largest resident memory of each process of a system since its start, MiB, as the kernel keeps it (Linux only; 0 elsewhere). */
const peaksOf = async (stack: Stack): Promise<Record<string, number>> => {
  const peaks: Record<string, number> = {};
  for (const { name, pid } of stack.processes()) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    peaks[name] = Number(/^VmHWM:\s+(\d+) kB/mu.exec(status)?.[1] ?? 0) / 1024;
  }
  return peaks;
};

const boundOf = (aim: AttackAim, { quiet }: AttackFigures): number =>
  'p99MsMax' in aim ? aim.p99MsMax : aim.p99TimesQuietMax * quiet.p99;
/** Processes of this project must stay below what docker-compose.yml gives them. */
const memoryMibMax = 381;
const isOurs = (name: string): boolean => !/^(?:postgres|nats-server)/u.test(name);
const meets = (aim: AttackAim, figures: AttackFigures): boolean =>
  figures.attacked.p99 < boundOf(aim, figures) &&
  figures.attacked.failed === 0 &&
  figures.restarts === 0 &&
  Object.entries(figures.peaks).every(([name, mib]) => !isOurs(name) || mib < memoryMibMax);

const ms = (value: number): string => `${value.toFixed(0)} ms`;
const reportOf = ({ name, aim }: Attack, figures: AttackFigures, isMet: boolean): string[] => {
  const { quiet, attacked, quietLoad, attackedLoad, statuses, peaks, restarts } = figures;
  const list = (values: Readonly<Record<string, number>>, unit: string): string =>
    Object.entries(values)
      .map(([key, value]) => `${key} ${Math.round(value)}${unit}`)
      .join(', ');
  return [
    `## ${name}: ${isMet ? 'met' : '**not met**'}`,
    '',
    '| others’ requests | p50 | p99 | failed |',
    '|---|---|---|---|',
    `| quiet | ${ms(quiet.p50)} | ${ms(quiet.p99)} | ${quiet.failed} |`,
    `| under attack | ${ms(attacked.p50)} | ${ms(attacked.p99)} (aim < ${ms(boundOf(aim, figures))}) | ${attacked.failed} |`,
    '',
    `- Processor time a second, quiet: ${list(quietLoad, ' ms')}`,
    `- Processor time a second, under attack: ${list(attackedLoad, ' ms')}`,
    `- Peak memory: ${list(peaks, ' MiB')} (aim of our processes < ${memoryMibMax} MiB)`,
    `- Restarts: ${restarts}`,
    `- The attacker's answers, by status: ${list(statuses, '×')}`,
    ...(attacked.failure === null ? [] : [`- First failure: ${attacked.failure}`]),
  ];
};
