import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import type { OwnerLimiter } from '../../concurrency/caller-limiter.ts';
import type { InvokeRoute } from './invoke-route.ts';
import type { Peers } from './peers/peers.ts';
import type { KeptEvents } from './kept-events.ts';
import type { McpKeys } from './sealing.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { OpenStreams } from './transport/event-stream.ts';
import type { Outflow } from './transport/outflow.ts';
import type { RunningRequests } from './transport/running-requests.ts';

/** Makes the server for the messages of one request: a new one each time, so that callers share no state. */
export type CreateMcpServer = (context: McpContext) => Server;

/** The dependencies of both transports' handlers. */
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
  /** Running requests, by session. */
  readonly requestLimiter: OwnerLimiter;
  /** Origins of web pages that may use the server, besides its own. */
  readonly origins: ReadonlySet<string>;
};

/** The dependencies of one caller's tools. */
export type McpContext = {
  invoke: InvokeRoute;
  /** Makes the session act with this agent key; null: with the headers of its requests. */
  setAgentKey: (key: string | null) => Promise<void>;
  /** Whether a key is valid for some agent now. */
  isLiveAgentKey: (key: string) => Promise<boolean>;
  baseUrl: string;
  requestId: string;
  logger: { error: (fields: object, message: string) => void };
};
