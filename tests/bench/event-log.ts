import { type Stack, startStack } from '@agent-trust/dev-stack';
import { startServerProcess } from '@agent-trust/event-log/test-server';
import { benchCall } from './call.ts';
import { countCallCost } from './call-cost.ts';
import { benchRegister } from './register.ts';

/** By how much a call may cost more processor time of the services than on Postgres. */
const addedMax = 0.25;
/** Rounds alternate, so that both logs meet the same machine. */
const rounds = 2;
const servers = ['postgres', 'nats-server'];

type Figures = { cpuMs: number; callsPerSecond: number; aloneMs: number };
type MeasuredLog = { url: string | null; stop: () => Promise<void> };

/**
 * Calls and registrations on the embedded Postgres, and on the event log of EVENT_LOG_URL, which has to be empty, or else on the stand-in for
 * EventStoreDB in a process of its own. Returns whether a call costs little enough more there.
 */
export async function benchEventLog(seconds: number, say: (line: string) => void): Promise<boolean> {
  const { EVENT_LOG_URL: given, ...environment } = process.env;
  const isGiven = given !== undefined && given !== '';
  const other = isGiven ? 'the event log of EVENT_LOG_URL' : 'the stand-in for EventStoreDB (EVENT_LOG_URL is not set)';
  const measured: { postgres: Figures[]; other: Figures[] } = { postgres: [], other: [] };
  // A log that was given has the agents of the first round: their stack is gone.
  for (let round = 0; round < (isGiven ? 1 : rounds); round += 1) {
    for (const kind of ['postgres', 'other'] as const) {
      say(`${kind === 'postgres' ? 'Postgres' : other}, ${seconds} s each of eleven…`);
      const log = kind === 'postgres' ? embedded : isGiven ? { ...embedded, url: given } : await standIn();
      const stack = await startStack({
        ephemeral: true,
        env: { ...environment, REGISTRATIONS_PER_MINUTE: '0', ...(log.url === null ? {} : { EVENT_LOG_URL: log.url }) },
      });
      try {
        measured[kind].push(await measure(stack, seconds, say));
      } finally {
        await stack.stop();
        await log.stop();
      }
    }
  }
  const [postgres, ours] = [mean(measured.postgres), mean(measured.other)];
  const added = ours.cpuMs / postgres.cpuMs - 1;
  const row = (name: string, { cpuMs, callsPerSecond, aloneMs }: Figures): string =>
    `| ${name} | ${cpuMs.toFixed(2)} ms | ${callsPerSecond.toFixed(0)} | ${aloneMs.toFixed(1)} ms |`;
  process.stdout.write(
    [
      '| event log | processor time of the services a call | calls/s | one registration at a time, p50 |',
      '|---|---|---|---|',
      row('Postgres', postgres),
      row(other, ours),
      '',
      `Added to a call: ${(added * 100).toFixed(0)} % (at most ${addedMax * 100} %). Calls/s: ${(ours.callsPerSecond / postgres.callsPerSecond).toFixed(2)} of Postgres's.`,
      '',
    ].join('\n'),
  );
  return added <= addedMax;
}

const embedded: MeasuredLog = { url: null, stop: () => Promise.resolve() };

const standIn = async (): Promise<MeasuredLog> => {
  const server = await startServerProcess();
  return { url: server.url, stop: () => server.close() };
};

const measure = async (stack: Stack, seconds: number, say: (line: string) => void): Promise<Figures> => {
  const databaseUrl = stack.postgresUrl;
  if (databaseUrl === undefined) throw new Error('The benchmark needs the embedded database: unset DATABASE_URL.');
  const { alone } = await benchRegister(stack, databaseUrl, seconds);
  const { ours } = await benchCall(stack, seconds, say);
  if (ours.failed > 0) throw new Error(`${ours.failed} calls failed under load`);
  const cost = Object.entries((await countCallCost(stack, databaseUrl)).cpuMs);
  const cpuMs = cost.reduce((sum, [name, ms]) => sum + (servers.includes(name) ? 0 : ms), 0);
  return { cpuMs, callsPerSecond: ours.perSecond, aloneMs: alone.p50 };
};

const mean = (all: readonly Figures[]): Figures => {
  const of = (figure: (one: Figures) => number): number => all.reduce((sum, one) => sum + figure(one), 0) / all.length;
  return {
    cpuMs: of((one) => one.cpuMs),
    callsPerSecond: of((one) => one.callsPerSecond),
    aloneMs: of((one) => one.aloneMs),
  };
};
