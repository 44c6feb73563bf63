import type { EventLog } from '@agent-trust/event-log';
import type { Rpc } from '@agent-trust/nats-rpc';

/** What command handlers need of the world. */
export type CommandDeps = {
  log: EventLog;
  /** For questions to trust-projection. */
  rpc: Pick<Rpc, 'request'>;
  now: () => Date;
  newId: () => string;
  /** Lifetime of a claim token; 0 means for ever. */
  claimTtlSeconds: number;
};
