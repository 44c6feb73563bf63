import type { Received, Sent, UnaryMethod } from '@agent-trust/nats-rpc';
import type { CommandDeps } from './command-deps.ts';
import type { RunningCommand } from './run-command.ts';

/** Longest wait for one answer of trust-projection. */
const questionTimeoutMs = 3_000;

/** Asks trust-projection on behalf of a command, within what is left of its deadline. Rejects with an RpcError; `toRefusal` knows each. */
export function askProjection<Method extends UnaryMethod>(
  { rpc }: Pick<CommandDeps, 'rpc'>,
  { metadata, remainingMs }: RunningCommand,
  method: Method,
  input: Sent<Method['input']>,
): Promise<Received<Method['output']>> {
  const { correlationId, actor, traceparent } = metadata;
  return rpc.request(method, input, {
    correlationId,
    actor,
    traceparent,
    timeoutMs: Math.min(questionTimeoutMs, remainingMs()),
  });
}
