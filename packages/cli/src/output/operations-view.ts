import type { OperationsStatus, Replay } from '@agent-trust/client';
import { timeText } from './agent-view.ts';
import type { Output, Style } from './output.ts';
import { safeLine } from './safe-text.ts';
import type { Cell } from './table.ts';

export function isReplayOver({ state }: Pick<Replay, 'state'>): boolean {
  return state !== 'starting' && state !== 'running';
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** How a replay goes, or went, on one line. */
export function replayLine({ state, progress, result, error }: Replay): string {
  if (state === 'running' && progress !== null) {
    if (progress.phase === 'compare') return 'comparing every row';
    if (progress.phase === 'switch') return 'switching';
    const left = progress.remaining_seconds === null ? '' : `, ${whole(progress.remaining_seconds)} s left`;
    const share = `${whole(progress.events)} of ${whole(progress.events_total)} events (${Math.floor(progress.fraction * 100)} %)`;
    return `building: ${share}, ${whole(progress.events_per_second)} a second${left}`;
  }
  if (result !== null) {
    const differing = result.comparison?.rows_differing ?? 0;
    const compared = result.comparison === null ? 'nothing compared' : `${whole(differing)} rows differ`;
    return safeLine(`${state.replaceAll('_', ' ')}: ${whole(result.events)} events, ${compared}`);
  }
  return safeLine(error === null ? state : `${state}: ${error}`);
}

const ageText = (time: string, now: string): string => {
  const seconds = Math.max(0, Math.round((Date.parse(now) - Date.parse(time)) / 1_000));
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
};

const styles: Record<string, Style> = { ok: 'green', degraded: 'yellow', down: 'red' };

export function showReplay(replay: Replay, out: Output): void {
  const { result } = replay;
  out.fields([
    ['replay', replay.replay_id],
    ['state', replayLine(replay)],
    ['requested', `${timeText(replay.requested_at)} by ${replay.requested_by ?? 'the command line'}`],
    ['instance', replay.instance_id ?? 'none'],
    ['began', timeText(replay.started_at)],
    ['ended', replay.ended_at === null ? 'not yet' : timeText(replay.ended_at)],
    ...(result === null
      ? []
      : ([
          ['took', `${(result.duration_ms / 1_000).toFixed(1)} s, ${whole(result.events_per_second)} events a second`],
        ] as const)),
    ...(result?.comparison?.tables ?? []).map(
      ({ table, rows_differing: count }) => [`  ${table}`, `${whole(count)} rows differ`] as const,
    ),
  ]);
}

export function showStatus(status: OperationsStatus, out: Output): void {
  const { health, checkpoint, webhooks, replay, poison_event: poison, checked_at: now } = status;
  const cell = (part: { status: string; detail?: string | undefined }): Cell => {
    const style = styles[part.status];
    return {
      text: part.detail === undefined ? part.status : `${part.status}: ${part.detail}`,
      ...(style === undefined ? {} : { paint: (plain: string) => out.paint(style, plain) }),
    };
  };
  const { lag, position, head_position: head } = health.projection;
  const seconds = status.lag_seconds;
  const behind = lag === null ? 'unknown' : `${whole(lag)} events${seconds === null ? '' : `, ${seconds} s`}`;
  out.fields([
    ['registry', cell(health)],
    ['database', cell(health.database)],
    ['event log', cell(health.event_log)],
    ['message bus', cell(health.message_bus)],
    ['jetstream', cell(health.jetstream)],
    ['commands', cell(health.registry_write)],
    ['projection', cell(health.projection)],
    ['behind by', `${behind} (at ${position ?? 'nothing'} of ${head ?? 'nothing'})`],
    ...(poison === null
      ? []
      : ([['cannot apply', { text: poison.message, paint: (plain: string) => out.paint('red', plain) }]] as const)),
    [
      'checkpoint',
      checkpoint === null
        ? 'none'
        : `${whole(checkpoint.size)} events, ${ageText(checkpoint.signed_at, now)} old${checkpoint.fault === null ? '' : `; ${checkpoint.fault}`}`,
    ],
    ['witnessed', status.witnesses === null ? 'unknown' : witnessedText(status.witnesses, now)],
    ['webhooks', webhooks === null ? 'unknown' : webhooksText(webhooks, now)],
    ['replay', replay === null ? 'none' : `${replay.replay_id} ${replayLine(replay)}`],
  ]);
  out.line();
  out.table(
    ['SERVICE', 'INSTANCE', 'VERSION', 'RUNS FOR', 'ROLE', 'FAULT'],
    status.instances.map((one) => [
      one.service,
      one.instance_id,
      one.version,
      ageText(one.started_at, now),
      one.role ?? '',
      one.fault ?? '',
    ]),
  );
  if (status.services_missing.length > 0) out.warn(`no instance answers: ${status.services_missing.join(', ')}`);
}

/** By whom and when the log was found to have only grown. */
export const witnessedText = (witnesses: NonNullable<OperationsStatus['witnesses']>, now: string): string =>
  witnesses.length === 0
    ? 'no witness is set'
    : witnesses
        .map(({ name, size, cosigned_at: at, fault }) =>
          [
            at === null ? `not yet by ${name}` : `${whole(size ?? 0)} events, ${ageText(at, now)} ago by ${name}`,
            ...(fault === null ? [] : [`which ${fault}`]),
          ].join(', '),
        )
        .join('; ');

const webhooksText = (
  {
    webhooks,
    disabled,
    behind,
    pending,
    oldest_pending_at: oldest,
    dead_letters: dead,
  }: NonNullable<OperationsStatus['webhooks']>,
  now: string,
): string => {
  const waits =
    pending === 0 || oldest === null
      ? `${whole(pending)} wait`
      : `${whole(pending)} wait, the oldest for ${ageText(oldest, now)}`;
  return `${whole(webhooks)} (${whole(disabled)} disabled, ${whole(behind)} behind); ${waits}; ${whole(dead)} dead letters`;
};
