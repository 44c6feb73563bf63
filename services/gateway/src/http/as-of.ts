import type { AsOf } from '@agent-trust/contracts';

/** A moment as `as_of` of a query names it. */
export const asOfText = (asOf: AsOf): string => ('position' in asOf ? asOf.position : asOf.time);
