import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import {
  Server,
  ServerCredentials,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { serveAppend } from './append.ts';
import type { Faults } from './faults.ts';
import { serveRead } from './read.ts';
import { Store } from './store.ts';

export type TestServer = {
  /** `esdb://` URL for the adapter. */
  url: string;
  port: number;
  store: Store;
  faults: Faults;
  /** Calls that reached the server, by kind. */
  calls: { append: number; batchAppend: number; read: number; subscribe: number };
  /** Ends all subscriptions: with the error of a server that shuts down, or without one. */
  endSubscriptions(how: 'error' | 'quietly'): number;
  close(): Promise<void>;
};

/**
 * A small EventStoreDB in memory, over real gRPC with the service definitions from which the client package was generated. It follows the server's
 * rules for appends, reads and catch-up subscriptions, and fails on request (`faults`) as a real one does.
 */
export async function startTestServer(port = 0, store = new Store()): Promise<TestServer> {
  const faults: Faults = {
    append: [],
    read: [],
    subscribeFailures: [],
    muteSubscriptions: false,
    deadSubscriptions: false,
  };
  const calls = { append: 0, batchAppend: 0, read: 0, subscribe: 0 };
  const subscriptions = new Set<ServerWritableStream<ReadReq, ReadResp>>();
  const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  const service: UntypedServiceImplementation = {
    append: serveAppend(store, faults, calls),
    read: serveRead(store, faults, calls, subscriptions),
    // Served so that a client that uses this call is noticed, and hangs as on a server that does not answer it.
    batchAppend: () => {
      calls.batchAppend += 1;
    },
    delete: () => undefined,
    tombstone: () => undefined,
  };
  server.addService(StreamsService, service);
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, actual) =>
      error === null ? resolve(actual) : reject(error),
    );
  });
  return {
    url: `esdb://127.0.0.1:${bound}?tls=false`,
    port: bound,
    store,
    faults,
    calls,
    endSubscriptions: (how) => {
      const ended = [...subscriptions];
      for (const call of ended) {
        if (how === 'quietly') call.end();
        else
          call.emit(
            'error',
            Object.assign(new Error('shutting down'), { code: status.UNAVAILABLE, details: 'shutting down' }),
          );
      }
      return ended.length;
    },
    close: async () => {
      server.forceShutdown();
      await Promise.resolve();
    },
  };
}
