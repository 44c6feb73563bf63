import { replicaLimits } from '../limits.ts';
import type { ChangeMessage, Position } from '../messages.ts';

/** What was announced lately: whether an answer that was asked for at a watermark can lack a change of what it depends on. */
export class RecentChanges {
  /** The last change of each key, in the order of positions. */
  protected readonly positions = new Map<string, Position>();
  /** Changes up to here are not remembered one by one: any key may have changed. */
  protected forgotten: Position;
  protected last: Position;

  constructor(announced: Position) {
    this.forgotten = announced;
    this.last = announced;
  }

  add({ keys, everything, position }: ChangeMessage): void {
    this.last = position;
    if (everything) {
      this.positions.clear();
      this.forgotten = position;
    }
    for (const key of keys) {
      // Set anew, so that the map stays in the order of positions.
      this.positions.delete(key);
      this.positions.set(key, position);
    }
    for (const [key, changedAt] of this.positions) {
      if (this.positions.size <= replicaLimits.recentKeysMax) return;
      this.positions.delete(key);
      this.forgotten = changedAt;
    }
  }

  /** Whether anything may have changed after a position. */
  anyAfter(position: Position): boolean {
    return this.last > position;
  }

  /** Whether one of these keys may have changed after a position. */
  anyOfAfter(keys: readonly string[], position: Position): boolean {
    if (this.forgotten > position) return true;
    return keys.some((key) => (this.positions.get(key) ?? position) > position);
  }
}
