import { backoffMs, pause } from '@agent-trust/limits';
import { addressOf } from '../config/address-of.ts';
import type { BaseConfig } from '../config/base-settings.ts';
import type { Logger } from '../logger/create-logger.ts';
import { registryVersion } from '../version.ts';

/** A server that a service cannot start without. */
export type Dependency = { name: 'NATS' | 'the event log' | 'the database'; url: string };

/** What a start waits for. */
export type StartWaits = {
  /** An attempt to reach the dependency has failed, and another will be made. */
  failed(dependency: Dependency, cause: unknown): void;
  reached(dependency: Dependency): void;
  /** In words, such as `waiting for NATS at nats.internal:4222 (ECONNREFUSED)`; empty if the start waits for nothing. */
  readonly text: () => string;
};

/** How often the same wait is logged while it lasts. */
const logEveryMs = 10_000;
const retryBackoff = { firstMs: 100, longestMs: 2_000 };
const causesMax = 5;

/** Logs what a start waits for: at once, and again every ten seconds. */
export function startWaits(logger: Pick<Logger, 'info' | 'warn'>, now = Date.now): StartWaits {
  const waits = new Map<string, { text: string; loggedAt: number }>();
  return {
    failed: ({ name, url }, cause) => {
      const text = `waiting for ${name} at ${addressOf(url)} (${reasonOf(cause)})`;
      const before = waits.get(name);
      const isDue = before === undefined || now() - before.loggedAt >= logEveryMs;
      waits.set(name, { text, loggedAt: isDue ? now() : before.loggedAt });
      if (isDue) logger.warn(text);
    },
    reached: ({ name, url }) => {
      if (waits.delete(name)) logger.info(`reached ${name} at ${addressOf(url)}`);
    },
    text: () => [...waits.values()].map(({ text }) => text).join('; '),
  };
}

/**
 * Repeats an attempt to reach a dependency until it succeeds, for as long as the service may take to start.
 *
 * @throws the first failure that does not pass by itself, such as a wrong password; the signal's reason
 */
export async function untilReached<Reached>(
  { waits, stopping }: { waits: StartWaits; stopping: AbortSignal },
  dependency: Dependency,
  attempt: () => Promise<Reached>,
): Promise<Reached> {
  for (let failures = 0; ; failures += 1) {
    try {
      const reached = await attempt();
      waits.reached(dependency);
      return reached;
    } catch (error) {
      stopping.throwIfAborted();
      if (!mayPass(error)) throw unusable(dependency, error);
      waits.failed(dependency, error);
    }
    await pause(backoffMs(failures, retryBackoff), stopping);
    stopping.throwIfAborted();
  }
}

/** Of the context of a service. */
type BusUser = { name: string; config: BaseConfig; logger: Logger; waits: StartWaits; stopping: AbortSignal };

/** The options with which a service connects to NATS: it waits for as long as it may start, and says so. */
export function busOptions({ name, config, logger, waits, stopping }: BusUser) {
  const bus: Dependency = { name: 'NATS', url: config.NATS_URL };
  return {
    natsUrl: config.NATS_URL,
    service: name,
    instanceId: config.INSTANCE_ID,
    version: registryVersion,
    logger,
    limits: { connectTimeoutMs: config.START_TIMEOUT_MS },
    onConnectFailed: (cause: unknown) => waits.failed(bus, cause),
    signal: stopping,
  };
}

/** The connections to NATS, once they are made. @throws Error with the address and why it cannot be used; the signal's reason */
export async function reachBus<Connections>(
  { config, waits, stopping }: Pick<BusUser, 'config' | 'waits' | 'stopping'>,
  connecting: Promise<Connections>,
): Promise<Connections> {
  const bus: Dependency = { name: 'NATS', url: config.NATS_URL };
  try {
    const connections = await connecting;
    waits.reached(bus);
    return connections;
  } catch (error) {
    stopping.throwIfAborted();
    throw unusable(bus, error);
  }
}

/** The failure of a dependency that waiting does not help, with its address. */
function unusable({ name, url }: Dependency, cause: unknown): Error {
  const what = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new Error(`${name} at ${addressOf(url)} cannot be used: ${what}`, { cause });
}

/** Codes of Postgres with which a server says that it cannot serve yet: it starts, is full, or its connection broke. */
const passingSqlState = /^(?:08|53|57P0)/u;
/** Of the operating system; those of Node itself, such as ERR_INVALID_URL, do not pass. */
const systemCode = /^E(?!RR_)[A-Z_]+$/u;
/** The driver of Postgres has no code for a connection that took too long or ended. */
const passingMessage = /timeout|terminated|not available|cannot be reached/iu;

const mayPass = (error: unknown): boolean =>
  chainOf(error).some((one) => {
    if ('retryable' in one) return one.retryable === true;
    const code = codeOf(one);
    if (code !== null) return systemCode.test(code) || passingSqlState.test(code);
    return passingMessage.test(one.message);
  });

/** The error code of the system, such as ECONNREFUSED, else the words of the innermost error. */
function reasonOf(error: unknown): string {
  const chain = chainOf(error);
  const system = chain.map(codeOf).find((code) => code !== null && systemCode.test(code));
  return system ?? (chain.at(-1)?.message || chain.at(-1)?.name || String(error));
}

const codeOf = (error: Error): string | null => ('code' in error && typeof error.code === 'string' ? error.code : null);

/** An error and its causes; of several errors in one, the first. */
const chainOf = (error: unknown): Error[] => {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < causesMax; ) {
    chain.push(next);
    next = next instanceof AggregateError && next.cause === undefined ? next.errors[0] : next.cause;
  }
  return chain;
};
