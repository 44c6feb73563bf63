import type { Rpc, UnaryHandler, UnaryMethod } from '@agent-trust/nats-rpc';

export type Serve = <Method extends UnaryMethod>(method: Method, handler: UnaryHandler<Method>) => Promise<void>;

/** Serves methods of which each runs at most `concurrentMax` times at one time; further calls are answered `overloaded`. */
export function serveWithin(rpc: Rpc, concurrentMax: number): Serve {
  return (method, handler) => rpc.serve(method, handler, { concurrentMax });
}
