import { callerRequestsMax, strangerRequestsMax, strangersRequestsMax, type TargetLimits } from './limits.ts';
import type { TargetRefusal } from './target-refused.ts';

/** What a request takes a place of, among those of one agent. */
export type CallerShare = { name: string; countMax: number; refusal: TargetRefusal };

/**
 * The shares of one agent that a request takes a place of: the caller's own; a stranger's own, where it can be told from others, and that of
 * all strangers.
 */
export function callerSharesOf(
  { callerId, strangerId = null }: { callerId: string | null; strangerId?: string | null },
  limits: TargetLimits,
): CallerShare[] {
  if (callerId !== null) {
    return [{ name: `caller ${callerId}`, countMax: callerRequestsMax(limits), refusal: 'caller_busy' }];
  }
  const ofAll: CallerShare = {
    name: 'strangers',
    countMax: strangersRequestsMax(limits),
    refusal: 'strangers_busy',
  };
  return strangerId === null
    ? [ofAll]
    : [{ name: `stranger ${strangerId}`, countMax: strangerRequestsMax(limits), refusal: 'caller_busy' }, ofAll];
}
