import type { relayPayment as contract } from '@agent-trust/contracts';
import { RpcRefusal, type StreamHandler } from '@agent-trust/nats-rpc';

/** Refuses every relay with `not_implemented`: a payment must not be half carried, so nothing of it is sent anywhere. */
export const relayPayment: StreamHandler<typeof contract> = () =>
  Promise.reject(
    new RpcRefusal('not_implemented', 'Relaying payments is not available yet; nothing was sent to the agent.'),
  );
