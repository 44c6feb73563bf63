import { z } from 'zod';
import { stream } from '../rpc/method.ts';

/** Relays one payment-carrying request to an agent's endpoint. */
export const relayPayment = stream('pay-proxy', 'relay_payment', {
  input: z.object({ agentId: z.string(), method: z.enum(['GET', 'POST']) }),
  head: z.object({ statusCode: z.number().int() }),
  trailer: z.object({}),
});
