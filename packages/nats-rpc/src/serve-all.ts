import type { UnaryMethod } from './method.ts';
import type { Rpc } from './rpc-types.ts';
import type { ServeOptions, UnaryHandler } from './unary-server.ts';

/** One handler per method, under the same names; with options for its method, if it needs any. */
export type UnaryServers<Methods extends Readonly<Record<string, UnaryMethod>>> = {
  [Name in keyof Methods]: UnaryHandler<Methods[Name]> | (ServeOptions & { handle: UnaryHandler<Methods[Name]> });
};

/** Serves a whole service; resolves when the server has confirmed all subscriptions. A missing handler is a type error. */
export async function serveAll<Methods extends Readonly<Record<string, UnaryMethod>>>(
  rpc: Pick<Rpc, 'serve'>,
  methods: Methods,
  servers: UnaryServers<Methods>,
): Promise<void> {
  for (const name of Object.keys(methods) as (keyof Methods)[]) {
    const server = servers[name];
    const { handle, ...options } = typeof server === 'function' ? { handle: server } : server;
    await rpc.serve(methods[name]!, handle, options);
  }
}
