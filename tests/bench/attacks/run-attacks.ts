import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
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
  /** MiB by process. */
  peaks: Readonly<Record<string, number>>;
  restarts: number;
};

/** Runs the attacks whose name contains `part` one after the other, each on a system of its own; prints what others notice of them. */
export async function runAttacks(part: string, seconds: number, say: (line: string) => void): Promise<boolean> {
  const chosen = attacks.filter(({ name }) => name.includes(part));
  let allMet = chosen.length > 0;
  if (!allMet) say(`No attack's name contains '${part}': ${attacks.map(({ name }) => name).join('; ')}.`);
  for (const attack of chosen) {
    say(`${attack.name}: ${seconds} s quiet, ${seconds} s under attack…`);
    const figures = await runAttack(attack, seconds);
    const isMet = meets(attack.aim, figures);
    allMet &&= isMet;
    process.stdout.write(`${reportOf(attack, figures, isMet).join('\n')}\n\n`);
  }
  return allMet;
}

const runAttack = async (attack: Attack, seconds: number): Promise<AttackFigures> => {
  const stack = await startStack({
    ephemeral: true,
    env: { ...process.env, REGISTRATIONS_PER_MINUTE: '0', NODE_OPTIONS: heapOptions, ...attack.env },
  });
  let prepared: PreparedAttack | undefined;
  try {
    prepared = await attack.prepare(stack);
    await probeFor(prepared, warmUpSeconds);
    const quiet = await probeFor(prepared, seconds);
    const stop = await prepared.begin();
    const attacked = await probeFor(prepared, seconds);
    const statuses = await stop();
    const peaks = await peaksOf(stack);
    const restarts = stack.processes().reduce((sum, process) => sum + process.restarts, 0);
    return { quiet, attacked, statuses, peaks, restarts };
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
  const { quiet, attacked, statuses, peaks, restarts } = figures;
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
    `- Peak memory: ${list(peaks, ' MiB')} (aim of our processes < ${memoryMibMax} MiB)`,
    `- Restarts: ${restarts}`,
    `- The attacker's answers, by status: ${list(statuses, '×')}`,
    ...(attacked.failure === null ? [] : [`- First failure: ${attacked.failure}`]),
  ];
};
