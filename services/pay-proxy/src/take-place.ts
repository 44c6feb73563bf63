import { RpcRefusal } from '@agent-trust/nats-rpc';
import { type TargetPass, TargetRefused } from '@agent-trust/safe-fetch';
import type { Payment } from './payment.ts';

/**
 * Takes a place at the agent for one payment, before anything of it is sent: who is refused here has paid nothing.
 *
 * @throws RpcRefusal target_unavailable or target_busy, `data.retryAfterMs`; overloaded.
 */
export const takePlace = ({ deps, input, endpointUrl }: Payment): TargetPass => {
  try {
    return deps.guard.enter({ url: endpointUrl, agentId: input.agentId, callerId: input.payer?.agentId ?? null });
  } catch (error) {
    if (error instanceof TargetRefused) throw refusalOf(error);
    throw error;
  }
};

const refusalOf = ({ refusal, retryAfterMs }: TargetRefused): RpcRefusal => {
  const data = { retryAfterMs };
  switch (refusal) {
    case 'busy':
      return new RpcRefusal('target_busy', 'The agent has as many requests as it gets at one time; nothing was sent.', {
        data,
      });
    case 'unavailable':
      return new RpcRefusal(
        'target_unavailable',
        'The agent has not answered for a while, and is not tried again yet; nothing was sent.',
        { data },
      );
    case 'full':
      return new RpcRefusal('overloaded', 'As many payments as a proxy carries are under way; nothing was sent.');
    default:
      return refusal satisfies never;
  }
};
