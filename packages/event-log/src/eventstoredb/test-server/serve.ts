import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Server, ServerCredentials, type ServerWritableStream, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { serveBatchAppend, type Write } from './batch-append.ts';
import { type CallFailure, type Faults, failures, serviceError } from './faults.ts';
import { type Member, serveGossip } from './gossip.ts';
import { serveRead } from './read.ts';
import type { Store } from './store.ts';
import { serveTombstone } from './tombstone.ts';

/** What a node answers from. */
export type NodeParts = {
  store: Store;
  faults: Faults;
  write: Write;
  /** Why this node answers no reads now. */
  refusal: () => CallFailure | null;
  members: (port: number) => Member[];
};

export type Serving = {
  port: number;
  /** Calls that reached the server, by kind. */
  calls: Calls;
  /** Ends all subscriptions: with the error of a server that shuts down, or without one. Returns their number. */
  endSubscriptions(how: 'error' | 'quietly'): number;
  close(): void;
};

export type Calls = { append: number; batchAppend: number; read: number; subscribe: number };

/**
 * A small EventStoreDB in memory, over real gRPC with the service definitions from which the client package was generated. It follows the server's
 * rules for appends, reads and catch-up subscriptions, and fails on request (`faults`) as a real one does.
 */
export async function serve(port: number, { store, faults, write, refusal, members }: NodeParts): Promise<Serving> {
  const calls: Calls = { append: 0, batchAppend: 0, read: 0, subscribe: 0 };
  const subscriptions = new Set<ServerWritableStream<ReadReq, ReadResp>>();
  const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  const streamsService: UntypedServiceImplementation = {
    read: serveRead(store, faults, calls, subscriptions, refusal),
    batchAppend: serveBatchAppend(write, faults, calls),
    append: () => undefined,
    delete: () => undefined,
    tombstone: serveTombstone(store),
  };
  server.addService(StreamsService, streamsService);
  let bound = port;
  const gossipService: UntypedServiceImplementation = { read: serveGossip(() => members(bound)) };
  server.addService(GossipService, gossipService);
  bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, actual) =>
      error === null ? resolve(actual) : reject(error),
    );
  });
  return {
    port: bound,
    calls,
    endSubscriptions: (how) => {
      const ended = [...subscriptions];
      for (const call of ended) {
        if (how === 'quietly') call.end();
        else call.emit('error', serviceError(failures.shuttingDown));
      }
      return ended.length;
    },
    close: () => server.forceShutdown(),
  };
}
