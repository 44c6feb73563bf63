import type { RegistryClient, RequestOptions } from '@agent-trust/client';
import { UsageError } from '../errors.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { Output } from '../output/output.ts';
import type { AuthKind, GlobalOptions } from './global-options.ts';
import type { Settings } from '../settings/settings.ts';
import type { OptionOf, OptionValues, ValueSource } from './option.ts';

export type Argument = {
  name: string;
  description: string;
  optional?: boolean;
  /** The last argument may be given more than once. */
  repeats?: boolean;
  values?: ValueSource;
};

export type Command = {
  /** Its words, for example `['org', 'create']`. */
  path: readonly string[];
  /** For a command in a group; that of a single command is in the command table. */
  summary?: string;
  description?: string;
  /** That it will be removed, as the route that it calls: since when this is said, from when on it may be gone, and what takes its place. */
  deprecated?: { since: string; sunset: string; instead: string };
  arguments: readonly Argument[];
  options: Record<string, OptionOf<unknown>>;
  /** Command lines by their purpose. A test runs each. */
  examples: Readonly<Record<string, string>>;
  /** Resolves with the exit code; undefined means 0. */
  run: (given: {
    args: readonly string[];
    options: Record<string, unknown>;
    context: Context;
  }) => Promise<ExitCode | void>;
};

type Definition<Options extends Record<string, OptionOf<unknown>>> = Pick<
  Command,
  'path' | 'summary' | 'description' | 'deprecated'
> &
  Partial<Pick<Command, 'arguments' | 'examples'>> & {
    options?: Options;
    run: (given: {
      args: readonly string[];
      options: OptionValues<Options>;
      context: Context;
    }) => Promise<ExitCode | void>;
  };

/** A command whose `run` gets the typed values of its declared options. */
export function command<Options extends Record<string, OptionOf<unknown>>>(definition: Definition<Options>): Command {
  return { arguments: [], options: {}, examples: {}, ...definition } as unknown as Command;
}

export const agentArgument: Argument = { name: 'agent_id', description: 'the agent', values: 'agent' };

/** Credentials in order of preference, or the operator's key. */
export type AuthOrder = readonly AuthKind[] | 'admin_key';

/** The registry for one command; `options` says which credentials a request sends, and holds the signal that cancels it. */
export type RegistryAccess = { client: RegistryClient; options: RequestOptions };

export type Context = {
  io: Io;
  out: Output;
  global: GlobalOptions;
  /** Read on first use: help and completion need no config file. */
  settings: () => Settings;
  /** A client with the first available credential of `order`, or those that --auth names. @throws CredentialError if there is none. */
  registry: (order: AuthOrder, agentId?: string) => Promise<RegistryAccess>;
  /** Shows an answer: with --json its body unchanged, else by `show`. */
  answer: <Value>(value: Value, show: (value: Value) => void) => void;
};

/** Sends a request with a credential of `order`, and shows its answer. */
export async function ask<Answer>(
  context: Context,
  order: AuthOrder,
  request: (client: RegistryClient, options: RequestOptions) => Promise<Answer>,
  show: (answer: Answer, out: Output) => void,
): Promise<Answer> {
  const { client, options } = await context.registry(order);
  const answer = await request(client, options);
  context.answer(answer, () => show(answer, context.out));
  return answer;
}

/** The usual credentials of a command; with --sandbox the key of the organisation's sandbox. */
export function orSandbox({ global }: Context, ...usual: readonly AuthKind[]): readonly AuthKind[] {
  return global.sandbox === true ? ['sandbox'] : usual;
}

/** The acting agent: --agent-id, AGENT_TRUST_AGENT_ID, else the saved one. @throws UsageError if there is none. */
export function actingAgent(context: Context): string {
  const { agentId } = context.settings();
  if (agentId === undefined)
    throw new UsageError(
      'which agent acts? Name it with --agent-id or AGENT_TRUST_AGENT_ID, or save one with "agent-trust register <id> --save"',
    );
  return agentId;
}
