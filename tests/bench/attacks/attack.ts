import type { Stack } from '@agent-trust/dev-stack';

/** The statuses of an attacker's requests, and the number of each; `0` for those that broke off. */
export type Statuses = Readonly<Record<string, number>>;

/** An attack on a running system, and what somebody else must not notice of it. */
export type Attack = {
  name: string;
  /** Settings of the attacked system. */
  env?: Readonly<Record<string, string>>;
  aim: AttackAim;
  /** Registers what the attack needs. The system runs until `end` of the result. */
  prepare(stack: Stack): Promise<PreparedAttack>;
};

/** The bound of the p99 under attack: a multiple of the quiet p99, or milliseconds. */
export type AttackAim = { p99TimesQuietMax: number } | { p99MsMax: number };

export type PreparedAttack = {
  /** One request of somebody else. Throws if it is not served as usual. */
  probe(): Promise<void>;
  begin(): Promise<RunningAttack>;
  end(): Promise<void>;
};

export type RunningAttack = {
  /** The attacker's process, if it has one of its own. */
  pid?: number | undefined;
  stop(): Promise<Statuses>;
};
