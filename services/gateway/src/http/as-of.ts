import type { AsOf } from '@agent-trust/contracts';

/** A moment as `as_of` of a query names it. */
export function asOfText(asOf: AsOf): string {
  return 'position' in asOf ? asOf.position : asOf.time;
}
