import type { Server as HttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:tls';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { UsersService } from '@eventstore/db-client/generated/users_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Server, ServerCredentials, type ServerWritableStream, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { serveBatchAppend, type Write } from './batch-append.ts';
import { type CallFailure, type Faults, failures, serviceError } from './faults.ts';
import type { Access } from './access.ts';
import { httpAdmin } from './http-admin.ts';
import { callerIn, rightsIn } from './rights.ts';
import { serveUserDetails } from './users.ts';
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
  access: Access;
};

/** A certificate and its key, in PEM: the server takes TLS alone, and has users. */
export type Tls = { certificate: string; key: string };

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
export async function serve(
  port: number,
  { store, faults, write, refusal, members, access }: NodeParts,
  tls: Tls | null = null,
): Promise<Serving> {
  const calls: Calls = { append: 0, batchAppend: 0, read: 0, subscribe: 0 };
  const subscriptions = new Set<ServerWritableStream<ReadReq, ReadResp>>();
  const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  const rightsOf = rightsIn(access);
  const streamsService: UntypedServiceImplementation = {
    read: serveRead(store, faults, calls, subscriptions, refusal, rightsOf),
    batchAppend: serveBatchAppend(write, faults, calls, rightsOf),
    append: () => undefined,
    delete: () => undefined,
    tombstone: serveTombstone(store, rightsOf),
  };
  server.addService(StreamsService, streamsService);
  let bound = port;
  const gossipService: UntypedServiceImplementation = { read: serveGossip(() => members(bound)) };
  server.addService(GossipService, gossipService);
  const usersService: UntypedServiceImplementation = {
    details: serveUserDetails(access, (call) => callerIn(access, call)),
  };
  server.addService(UsersService, usersService);
  bound = tls === null ? await listen(server, port) : await listenWithTls(server, httpAdmin(store, access), port, tls);
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

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, actual) =>
      error === null ? resolve(actual) : reject(error),
    );
  });

/** gRPC and HTTP on one port, as a real server has them: the client chooses in the handshake. */
const listenWithTls = async (
  server: Server,
  http: HttpServer,
  port: number,
  { certificate, key }: Tls,
): Promise<number> => {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createTlsServer({ cert: certificate, key, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    socket.on('error', () => undefined);
    if (socket.alpnProtocol === 'h2') injector.injectConnection(socket);
    else http.emit('connection', socket);
  });
  // A client that does not trust the certificate.
  listener.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve));
  const address = listener.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};
