import { pause } from '@agent-trust/limits';
import { observe } from '@agent-trust/metrics';
import type { NatsConnection } from '@nats-io/nats-core';
import { connectLink } from './connection.ts';
import { defaultLimits, type RpcLimits, type RpcLogger, silentLogger } from './limits.ts';
import type { RpcOptions } from './rpc-types.ts';
import { requireToken } from './subjects.ts';

/** A connection to NATS for JetStream alone: a server that stalls on its disk stalls every connection that speaks to JetStream, and no other. */
export type JetStreamLink = {
  readonly connection: NatsConnection;
  /** Whether JetStream answered when it was last asked, which happens every second or two. */
  answers(): boolean;
  /**
   * Does work that needs JetStream; the work has timeouts of its own. @throws JetStreamSilentError at once while JetStream does not answer, so that
   * nobody waits for it and no requests pile up; errors of `work`.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when the connection is closed for good, with the cause if there was one. */
  readonly closed: Promise<void | Error>;
  close(): Promise<void>;
};

export class JetStreamSilentError extends Error {
  override readonly name = 'JetStreamSilentError';
}

/** Connects to JetStream. Resolves even if only NATS answers, and JetStream does not. Rejects like `connectRpc`. */
export async function connectJetStream(
  options: Pick<RpcOptions, 'natsUrl' | 'service' | 'instanceId' | 'logger' | 'onConnectFailed' | 'signal'> & {
    limits?: Partial<RpcLimits>;
  },
): Promise<JetStreamLink> {
  const { natsUrl, service, onConnectFailed, signal } = options;
  requireToken('instanceId', options.instanceId);
  const logger: RpcLogger = options.logger ?? silentLogger;
  const limits: RpcLimits = { ...defaultLimits, ...options.limits };
  // Its inbox is apart from that of the connection for calls.
  const instanceId = `${options.instanceId}-jetstream`;
  const { connection, closed } = await connectLink({
    natsUrl,
    service,
    instanceId,
    limits,
    logger,
    onConnectFailed,
    signal,
  });
  const closing = new AbortController();
  let answering = true;
  let failures = 0;

  const ask = async (): Promise<void> => {
    failures = (await jetStreamAnswers(connection, limits.jetStreamProbeTimeoutMs)) ? 0 : failures + 1;
    // One late answer may be this process's own fault, on a busy machine.
    const answered = failures === 0 || (answering && failures < limits.jetStreamFailuresMax);
    if (closing.signal.aborted || answered === answering) return;
    answering = answered;
    if (answered) logger.info({ service }, 'JetStream answers again');
    else {
      const hint = connection.info?.jetstream === true ? '' : ` (${connection.getServer()} has it switched off)`;
      logger.error({ service }, `JetStream does not answer${hint}: what needs it is refused until it does`);
    }
  };
  const watch = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await pause(failures === 0 ? limits.jetStreamProbeEveryMs : limits.jetStreamRetryMs, closing.signal);
      if (!closing.signal.aborted) await ask();
    }
  };
  do await ask();
  while (answering && failures > 0);
  const watching = watch();
  const answers = (): boolean => answering && !connection.isClosed();
  const stopObserving = observe((report) => report('registry.jetstream.answering', answers() ? 1 : 0));

  return {
    connection,
    closed,
    answers,
    run: (work) =>
      answering ? work() : Promise.reject(new JetStreamSilentError('JetStream of the NATS server does not answer')),
    close: async () => {
      closing.abort();
      stopObserving();
      await connection.close();
      await watching;
      await closed;
    },
  };
}

/** Whether JetStream answers on a connection, and is not switched off for lack of disk. Never rejects. */
export async function jetStreamAnswers(
  connection: Pick<NatsConnection, 'request'>,
  timeoutMs: number,
): Promise<boolean> {
  try {
    const answer = await connection.request('$JS.API.INFO', undefined, { timeout: timeoutMs });
    return answer.json<{ error?: unknown }>().error === undefined;
  } catch {
    return false;
  }
}
