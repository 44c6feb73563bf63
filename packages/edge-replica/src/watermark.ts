import { replicaLimits } from './limits.ts';
import type { Position } from './messages.ts';

/**
 * The writer's side: a write is acknowledged when a watermark at or above its position was published (rule 1). Who waits need not be a
 * member. A watermark of any epoch counts: what was visible stays visible.
 */
export class Watermark<Writer> {
  protected reached: Position | null = null;
  protected readonly waiting = new Map<Writer, Position>();

  /** @returns 'visible' if it is already, 'waiting', or 'full' if too many wait */
  wait(writer: Writer, position: Position): 'visible' | 'waiting' | 'full' {
    if (this.reached !== null && this.reached >= position) return 'visible';
    if (this.waiting.size >= replicaLimits.waitingWritersMax) return 'full';
    this.waiting.set(writer, position);
    return 'waiting';
  }

  giveUp(writer: Writer): void {
    this.waiting.delete(writer);
  }

  /** @returns the writers whose writes are visible now */
  published(position: Position): Writer[] {
    if (this.reached !== null && position <= this.reached) return [];
    this.reached = position;
    const visible = [...this.waiting].filter(([, needed]) => needed <= position).map(([writer]) => writer);
    for (const writer of visible) this.waiting.delete(writer);
    return visible;
  }
}
