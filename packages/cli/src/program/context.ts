import type { RegistryClient, RequestOptions } from '@agent-trust/client';
import type { Io } from '../io.ts';
import type { Output } from '../output/output.ts';
import type { AuthKind } from '../settings/choose-credentials.ts';
import type { GlobalOptions, Settings } from '../settings/settings.ts';

/** The registry as one command asks it, with the credentials that the command sends. */
export type Asked = {
  client: RegistryClient;
  /** To be given to each operation: which credentials to send, and what stops it. */
  options: RequestOptions;
};

/** What a command works with. */
export type Context = {
  io: Io;
  out: Output;
  global: GlobalOptions;
  /** Read when first asked for: help and completion need no config file. */
  settings: () => Settings;
  /**
   * A client with the first credential of `order` that there is, or those that --auth names; `admin_key` is the operator's key alone.
   *
   * @throws CredentialError when there is none.
   */
  registry: (order: readonly AuthKind[] | 'admin_key', agentId?: string) => Promise<Asked>;
  /** Shows an answer: its body as it came with --json, else by `show`. */
  answer: <Value>(value: Value, show: (value: Value) => void) => void;
};
