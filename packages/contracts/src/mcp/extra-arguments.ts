import { z } from 'zod';
import { limits } from '../limits.ts';

/** What headers carry over HTTP, as arguments of tools. How long each may be is the route's to say. */
const headerText = z
  .string()
  .min(1)
  .refine((value) => /^[\x20-\x7e]+$/u.test(value), { message: 'must be printable ASCII' });

export const idempotencyArgument = {
  idempotency_key: headerText.optional().meta({
    maxLength: limits.idempotencyKeyCharsMax,
    description:
      'A random text of your own, best a UUID. Repeat a request whose outcome you do not know with the same key and the same arguments: ' +
      'for 24 hours it is answered as the first time and not carried out again.',
  }),
};

/** Headers that these arguments travel as. */
export const idempotencyHeaders = { idempotency_key: 'Idempotency-Key' } as const;

export const callArguments = {
  ...idempotencyArgument,
  x_payment: headerText
    .optional()
    .describe(
      'A signed x402 payment of version 1 (the X-PAYMENT header), made from the demand of an earlier call; it travels to the agent.',
    ),
  payment_signature: headerText
    .optional()
    .describe(
      'A signed x402 payment of version 2 (the PAYMENT-SIGNATURE header), made from the demand of an earlier call; it travels to the agent.',
    ),
  mcp_session_id: headerText
    .optional()
    .describe(
      'Session of an agent whose message_protocol is mcp: the mcp_session_id of an earlier answer of call_agent. Not the session of this connection.',
    ),
};

export const callHeaders = {
  ...idempotencyHeaders,
  x_payment: 'X-Payment',
  payment_signature: 'PAYMENT-SIGNATURE',
  mcp_session_id: 'Mcp-Session-Id',
} as const;
