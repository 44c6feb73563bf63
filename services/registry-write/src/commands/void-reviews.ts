import { agentStream, selectReviews, type voidReviews as contract, limits } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';
import { writeLimits } from '../limits.ts';
import { askProjection, beginCommand, type CommandDeps, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams } from '../stream-kinds.ts';

/**
 * Voids the selected reviews, by one event for each agent that received some. What it has no time for remains: what is void already is not
 * selected again, so a repetition goes on, also after a crash.
 */
export function voidReviews(deps: CommandDeps): UnaryHandler<typeof contract> {
  return async ({ selection, reason, actor }, context) => {
    const running = beginCommand(deps, actor, context);
    const limit = limits.reviewsVoidedMax;
    const selected = await askProjection(deps, running, selectReviews, { selection, limit });
    const waiting = [...Map.groupBy(selected.reviews, ({ agentId }) => agentId)];
    const voided = new Set<(typeof selected.reviews)[number]>();
    let position = 0n;
    const failures: unknown[] = [];
    const voidNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (failures.length > 0 || running.remainingMs() < writeLimits.voidReviewsMs) return;
        const [agentId, reviews] = next;
        const transactionIds = reviews.map(({ transactionId }) => transactionId);
        const command = { type: 'VoidReviews', agentId, transactionIds, reason, now: running.now } as const;
        const written = await runCommand(deps, running, agentStreams, agentStream(agentId), command).catch(
          (error: unknown) => void failures.push(error),
        );
        if (written === undefined) return;
        const at = BigInt(writtenPosition(written));
        if (at > position) position = at;
        for (const review of reviews) voided.add(review);
      }
    };
    await Promise.all(Array.from({ length: writeLimits.voidReviewsAtOnce }, voidNext));
    // What was voided is said: it is not selected again.
    if (failures.length > 0 && voided.size === 0) throw failures[0];
    return {
      reviews: selected.reviews.filter((review) => voided.has(review)),
      remaining: selected.remaining + selected.reviews.length - voided.size,
      position: voided.size === 0 ? null : String(position),
    };
  };
}
