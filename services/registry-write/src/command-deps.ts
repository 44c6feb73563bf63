import type { EventLog } from '@agent-trust/event-log';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { KeyStore } from '@agent-trust/personal-data';

/** What command handlers need of the world. */
export type CommandDeps = {
  log: EventLog;
  /** For questions to trust-projection. */
  rpc: Pick<Rpc, 'request'>;
  /** Keys of what is sealed in the log. */
  contactKeys: KeyStore;
  now: () => Date;
  newId: () => string;
  /** Lifetime of a claim token; 0 means for ever. */
  claimTtlSeconds: number;
};
