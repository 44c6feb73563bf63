import type { z } from 'zod';
import type { Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { text } from '../text.ts';

/** A request by which an operator changes something. A route that needs another role, or only reads, overrides that. */
export const operatorRoute = {
  method: 'POST',
  tag: 'Operations',
  credentials: ['admin_token', 'operator'],
  operatorRole: 'operator',
} satisfies Pick<Route, 'method' | 'tag' | 'credentials' | 'operatorRole'>;

/** Why the operator does it; `readers` are those who see the reason. */
export function operatorReason(readers: string): z.ZodString {
  return text(limits.operatorReasonCharsMax, 1)
    .refine((reason) => reason.trim() !== '', { message: 'must contain more than spaces' })
    .refine((reason) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(reason), {
      message: 'must not contain control or bidirectional characters',
    })
    .describe(`Why, for ${readers}. It cannot be erased: name no person.`);
}
