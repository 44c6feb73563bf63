import type { RegistryClient, RequestOptions } from '@agent-trust/client';
import type { Io } from '../io.ts';
import type { Output } from '../output/output.ts';
import type { AuthKind } from '../settings/choose-credentials.ts';
import type { GlobalOptions, Settings } from '../settings/settings.ts';

/** The registry for one command, with the credentials that the command sends. */
export type RegistryAccess = {
  client: RegistryClient;
  /** Passed to each operation: which credentials to send, and the signal that cancels it. */
  options: RequestOptions;
};

/** The dependencies of a command. */
export type Context = {
  io: Io;
  out: Output;
  global: GlobalOptions;
  /** Read on first use: help and completion need no config file. */
  settings: () => Settings;
  /**
   * A client with the first available credential of `order` (`admin_key`: the operator's) or those of --auth. @throws CredentialError without one.
   */
  registry: (order: readonly AuthKind[] | 'admin_key', agentId?: string) => Promise<RegistryAccess>;
  /** Shows an answer: with --json its body unchanged, else by `show`. */
  answer: <Value>(value: Value, show: (value: Value) => void) => void;
};
