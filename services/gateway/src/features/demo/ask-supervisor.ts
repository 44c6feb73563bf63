import {
  type Received,
  RpcForbiddenError,
  RpcUnavailableError,
  type Sent,
  type UnaryMethod,
} from '@agent-trust/nats-rpc';
import { ask, type Origin } from '../../bus/ask.ts';
import type { Gateway } from '../../gateway.ts';

/** Asks the process of `npm start`; null where there is none, as in every other installation. */
export async function askSupervisor<Method extends UnaryMethod>(
  gateway: Pick<Gateway, 'rpc'>,
  request: Origin,
  method: Method,
  input: Sent<Method['input']>,
): Promise<Received<Method['output']> | null> {
  try {
    return await ask(gateway, request, method, input);
  } catch (error) {
    // A bus whose permissions are of an earlier version does not know the supervisor.
    if (error instanceof RpcForbiddenError) return null;
    if (error instanceof RpcUnavailableError && error.reason === 'no_responders') return null;
    throw error;
  }
}
