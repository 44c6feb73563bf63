import { relayPayment as contract } from '@agent-trust/contracts';
import type { Rpc } from '@agent-trust/nats-rpc';
import { payLimits } from './limits.ts';
import type { PayDeps } from './payment.ts';
import { relayPayment } from './relay-payment.ts';
import { relayFailure } from './relay-failure.ts';

/** Payments that a proxy looks at, for each that it may carry: those that are refused for their agent's sake must leave room for others. */
const lookedAtPerCarried = 2;

/** Serves `relay_payment` in the queue group of all pay-proxies. */
export function servePayments(rpc: Rpc, deps: PayDeps, carriedMax: number): Promise<void> {
  return rpc.serveStream(
    contract,
    async (context, input, body, answer) => {
      const relayed = await relayPayment(deps, input, body, context);
      answer.head(relayed.head);
      try {
        for await (const chunk of relayed.body) await answer.write(chunk);
      } catch (error) {
        throw relayFailure(error, deps.logger, context.correlationId);
      }
      return {};
    },
    { concurrentMax: carriedMax * lookedAtPerCarried, idleTimeoutMs: payLimits.payerStallTimeoutMs },
  );
}
