import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import type { OwnerLimiter } from '../../concurrency/owner-limiter.ts';
import type { McpContext } from './mcp-context.ts';
import type { Peers } from './peers/peers.ts';
import type { KeptEvents } from './kept-events.ts';
import type { McpKeys } from './sealing.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { KnownPlaces } from './transport/host-and-origin.ts';
import type { OpenStreams } from './transport/open-streams.ts';
import type { Outflow } from './transport/outflow.ts';
import type { RunningRequests } from './transport/running-requests.ts';

/** Makes the server that answers the messages of one request: a new one each time, so that nothing of one caller is there for another. */
export type CreateMcpServer = (context: McpContext) => Server;

/** What the handlers of both transports have at hand. */
export type McpCore = {
  readonly gateway: Gateway;
  readonly app: FastifyInstance;
  readonly createServer: CreateMcpServer;
  readonly keys: McpKeys;
  readonly sessions: SessionStore;
  readonly events: KeptEvents;
  readonly peers: Peers;
  readonly running: RunningRequests;
  readonly streams: OpenStreams;
  readonly outflow: Outflow;
  /** Places for messages that are worked on, by session. */
  readonly requestLimiter: OwnerLimiter;
  readonly known: KnownPlaces;
};
