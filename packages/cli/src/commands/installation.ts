import { setTimeout as delay } from 'node:timers/promises';
import type { Replay } from '@agent-trust/client';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { timeText } from '../output/agent-view.ts';
import { isReplayOver, replayLine, showReplay, showStatus } from '../output/operations-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { ask, type Command, command, type Context, type RegistryAccess } from '../program/command.ts';
import { flag, integer } from '../program/option.ts';
import { UsageError } from '../errors.ts';

const operator = ['admin'] as const;

const status = command({
  path: ['ops', 'status'],
  summary: 'Instances and versions, the lag of the read models, backlogs, and a running replay.',
  description:
    'Exits with 10 when the registry is down, no instance of a service answers, or an event cannot be applied.',
  examples: { 'Is all well?': 'agent-trust ops status --admin-token-file .data/secrets.json' },
  run: async ({ context }) => {
    const found = await ask(context, operator, (client, asked) => client.ops.status(asked), showStatus);
    const isBad = found.health.status === 'down' || found.services_missing.length > 0 || found.poison_event !== null;
    return isBad ? exitCodes.registryFailed : exitCodes.ok;
  },
});

const lag = command({
  path: ['ops', 'lag'],
  summary: 'How far the read models are behind the log, in events and seconds.',
  description: 'Exits with 26 when they are further behind than --max-events or --max-seconds, or it cannot be told.',
  options: {
    maxEvents: integer('--max-events <number>', 'most events that they may be behind', 0, Number.MAX_SAFE_INTEGER),
    maxSeconds: integer('--max-seconds <number>', 'longest time that an event may wait', 0, 86_400),
  },
  examples: {
    'In a script': 'agent-trust ops lag --max-events 10000 --max-seconds 60 --admin-token-file .data/secrets.json',
  },
  run: async ({
    options: { maxEvents = Number.POSITIVE_INFINITY, maxSeconds = Number.POSITIVE_INFINITY },
    context,
  }) => {
    const { client, options: asked } = await context.registry(operator);
    const { health, lag_seconds: seconds } = await client.ops.status(asked);
    const { position, head_position: head, lag: events } = health.projection;
    const { out } = context;
    if (out.json) out.document(JSON.stringify({ events, seconds, position, head_position: head }));
    else
      out.fields([
        ['events', events === null ? 'unknown' : String(events)],
        ['seconds', seconds === null ? 'unknown' : String(seconds)],
        ['read models at', position ?? 'nothing'],
        ['log ends at', head ?? 'nothing'],
      ]);
    const isBehind = (events ?? Number.MAX_VALUE) > maxEvents || (seconds ?? Number.MAX_VALUE) > maxSeconds;
    return isBehind ? exitCodes.tooFarBehind : exitCodes.ok;
  },
});

const watchEveryMs = 1_000;

/** Shows a replay until it is over: on one line of a terminal, else a line when something changed. */
export async function watchedReplay(
  first: Replay,
  { client, options }: RegistryAccess,
  context: Context,
): Promise<Replay> {
  const { stderr } = context.io;
  let shown = '';
  for (let replay = first; ; replay = await client.ops.replay(replay.replay_id, options)) {
    const line = replayLine(replay);
    if (!context.out.json && line !== shown) stderr.write(stderr.isTTY === true ? `\r\u001b[2K${line}` : `${line}\n`);
    shown = line;
    if (isReplayOver(replay)) {
      if (!context.out.json && stderr.isTTY === true) stderr.write('\r\u001b[2K');
      return replay;
    }
    await delay(watchEveryMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}

/** The exit code that says how a replay ended. */
export function exitOfReplay({ state }: Replay): ExitCode {
  if (state === 'rows_differ') return exitCodes.rowsDiffer;
  return state === 'failed' || state === 'interrupted' || state === 'stopped' ? exitCodes.registryFailed : exitCodes.ok;
}

const replay = command({
  path: ['ops', 'replay'],
  summary: 'Build the read models again from the first event, compare every row, and switch.',
  description: [
    'It runs beside one instance of trust-projection while the live read models serve. One runs at a time: else exit code 6.',
    'With --watch the exit code says how it ended: 0 switched, 25 rows differ, 10 failed, stopped or interrupted. Ctrl-C ends the',
    'watching, not the replay: "agent-trust ops cancel-replay" does that.',
  ].join('\n'),
  options: {
    watch: flag('--watch', 'show how it goes, until it is over'),
    acceptDifferences: flag(
      '--accept-differences',
      'switch even if rows differ: the projections were changed on purpose',
    ),
  },
  examples: { 'And see how it goes': 'agent-trust ops replay --watch --admin-token-file .data/secrets.json' },
  run: async ({ options, context }) => {
    const registry = await context.registry(operator);
    const accept = options.acceptDifferences === true;
    const begun = await registry.client.ops.startReplay({ accept_differences: accept }, registry.options);
    const last = options.watch === true ? await watchedReplay(begun, registry, context) : begun;
    context.answer(last, () => {
      if (isReplayOver(last)) showReplay(last, context.out);
      else context.out.line(safeLine(`Replay ${last.replay_id} has begun: agent-trust ops replays ${last.replay_id}`));
    });
    return exitOfReplay(last);
  },
});

const replays = command({
  path: ['ops', 'replays'],
  summary: 'The newest replays, or one of them, with its progress and result.',
  arguments: [{ name: 'replay_id', description: 'which one', optional: true }],
  options: { watch: flag('--watch', 'show how the named one goes, until it is over') },
  examples: { 'Which were there?': 'agent-trust ops replays --admin-token-file .data/secrets.json' },
  run: async ({ args: [replayId = ''], options, context }) => {
    if (replayId === '') {
      if (options.watch === true) throw new UsageError('name the replay to watch');
      await ask(
        context,
        operator,
        (client, asked) => client.ops.replays(asked),
        (found, out) => {
          if (found.length === 0) return out.note('No replays.');
          return out.table(
            ['REPLAY', 'STATE', 'REQUESTED', 'BY', 'HOW FAR'],
            found.map((one) => [
              one.replay_id,
              one.state,
              timeText(one.requested_at),
              one.requested_by ?? 'command line',
              replayLine(one),
            ]),
          );
        },
      );
      return exitCodes.ok;
    }
    const registry = await context.registry(operator);
    const found = await registry.client.ops.replay(replayId, registry.options);
    const last = options.watch === true ? await watchedReplay(found, registry, context) : found;
    context.answer(last, () => showReplay(last, context.out));
    return options.watch === true ? exitOfReplay(last) : exitCodes.ok;
  },
});

const cancel = command({
  path: ['ops', 'cancel-replay'],
  summary: 'Ask a running replay to stop; the live read models stay as they are.',
  arguments: [{ name: 'replay_id', description: 'which one' }],
  examples: {
    'It takes too much':
      'agent-trust ops cancel-replay 5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [replayId = ''], context }) => {
    await ask(
      context,
      operator,
      (client, asked) => client.ops.cancelReplay(replayId, asked),
      (asked, out) => out.line(safeLine(`Replay ${asked.replay_id} was asked to stop.`)),
    );
  },
});

export const installationCommands: readonly Command[] = [status, lag, replay, replays, cancel];
