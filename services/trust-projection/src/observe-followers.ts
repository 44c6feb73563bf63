import type { EventLog } from '@agent-trust/event-log';
import { observe } from '@agent-trust/metrics';
import type { ReadModelDatabase } from './shared/database.ts';
import type { FollowerName } from './shared/follower-metrics.ts';
import type { LogFollower } from './shared/log-follower.ts';
import { readPosition } from './status.ts';

type Log = Pick<EventLog, 'headPosition' | 'readAll'>;
type Follower = Pick<LogFollower, 'status'> & { database: ReadModelDatabase };

/**
 * Reports how far the read models are behind the log, and what stops them. Returns a function that ends that.
 * @param logFault why the log is not the one of the read models; null if it is
 */
export function observeFollowers(
  log: Log,
  followers: Readonly<Record<FollowerName, Follower>>,
  logFault: () => string | null,
): () => void {
  return observe(async (report) => {
    report('registry.log.replaced', logFault() === null ? 0 : 1);
    const each = Object.entries(followers) as [FollowerName, Follower][];
    for (const [name, follower] of each) {
      const { state, poison } = follower.status();
      report('registry.projection.active', state === 'active' ? 1 : 0, { 'registry.projection': name });
      report('registry.projection.poisoned', poison === null ? 0 : 1, { 'registry.projection': name });
    }
    // The checkpoints are read first, so that a lag is never shown too small.
    const positions = await Promise.all(each.map(([, { database }]) => readPosition(database)));
    const head = await log.headPosition();
    report('registry.log.head', Number(head ?? 0n));
    for (const [at, [name]] of each.entries()) {
      const lag = await lagOf(log, positions[at] ?? null, head);
      report('registry.projection.lag.events', lag.events, { 'registry.projection': name });
      report('registry.projection.lag.time', lag.seconds, { 'registry.projection': name });
    }
  });
}

/** How many events a checkpoint is behind the head of the log, and how old the first of them is. */
export async function lagOf(
  log: Pick<EventLog, 'readAll'>,
  position: bigint | null,
  head: bigint | null,
  now = Date.now(),
): Promise<{ events: number; seconds: number }> {
  const events = Math.max(0, Number((head ?? 0n) - (position ?? 0n)));
  if (events === 0) return { events, seconds: 0 };
  const [next] = await log.readAll({ after: position, countMax: 1 });
  return { events, seconds: next === undefined ? 0 : Math.max(0, (now - next.recordedAt.getTime()) / 1_000) };
}
