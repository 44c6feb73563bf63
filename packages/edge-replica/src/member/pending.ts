import { replicaLimits } from '../limits.ts';
import type { ChangeMessage, Position } from '../messages.ts';

/** Changes that were announced and are not yet visible. Until they are, an answer may lack them, so it is not kept (rule 6). */
export class Pending {
  protected readonly keys = new Map<string, Position>();
  /** No answer is kept before this position is visible. */
  protected everythingUntil: Position;
  protected watermark: Position;

  constructor(announced: Position, watermark: Position) {
    this.everythingUntil = announced;
    this.watermark = watermark;
  }

  add({ keys, groups, everything, position }: ChangeMessage): void {
    // Which objects belong to a group is known only of those that are held.
    if (everything || groups.length > 0 || this.keys.size + keys.length > replicaLimits.pendingKeysMax) {
      this.keys.clear();
      if (this.everythingUntil < position) this.everythingUntil = position;
      return;
    }
    for (const key of keys) {
      // Set anew, so that the map stays in the order of positions.
      this.keys.delete(key);
      this.keys.set(key, position);
    }
  }

  reached(watermark: Position): void {
    if (watermark <= this.watermark) return;
    this.watermark = watermark;
    for (const [key, position] of this.keys) {
      if (position > watermark) return;
      this.keys.delete(key);
    }
  }

  has(key: string): boolean {
    return this.watermark < this.everythingUntil || this.keys.has(key);
  }
}
