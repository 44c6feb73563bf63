import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { DeadlineError, withDeadline } from '@agent-trust/limits';
import type { z } from 'zod';
import type { BaseConfig, BaseConfigSchema } from '../config/base-settings.ts';
import { ConfigError, readConfig } from '../config/read-config.ts';
import { createLogger, type Logger } from '../logger/create-logger.ts';
import { startTelemetry } from '../telemetry/start-telemetry.ts';
import { collectWhenIdle } from './collect-when-idle.ts';
import { exitCodes, onStopRequests, signalExitCode, type StopRequest, timeToStop } from './stop-requests.ts';
import { type HealthSource, serveHealth } from '../health/health-server.ts';
import { startWaits, type StartWaits } from './start-waits.ts';

export type ServiceContext<Config> = {
  name: string;
  config: Config;
  logger: Logger;
  /** For a start that may take long: what it is doing now, which health shows. Each call gives it START_TIMEOUT_MS again. */
  starting: (detail: string) => void;
  /** What the start waits for: logged, and shown by `/readyz`. */
  waits: StartWaits;
  /** Aborts when stopping begins, also while the service is still starting. */
  stopping: AbortSignal;
  /** Ends the process as an unhandled error does, for a loop that cannot continue. */
  fail: (error: unknown) => void;
};

export type RunningService = HealthSource & {
  /** Finishes the work under way and closes connections, within `timeoutMs`: STOP_TIMEOUT_MS, or less if stopping is urgent. */
  stop(timeoutMs: number): Promise<void>;
  /** Fields of the `started` log line, such as the address that the service listens on. */
  details?: Record<string, unknown>;
};

export type ServiceDefinition<Schema extends z.ZodObject> = {
  name: string;
  /** `z.object({ ...baseSettings, …the service's own })`. */
  settings: z.output<Schema> extends BaseConfig ? Schema : BaseConfigSchema;
  /** Whether anybody may send requests with a trace context to it. */
  isEdge?: boolean;
  start(context: ServiceContext<Readonly<z.output<Schema>>>): Promise<RunningService>;
};

/**
 * The main of a service: settings, logger, telemetry, health, start, and stop on SIGINT, SIGTERM or the end of the supervisor
 * (`STACK_PARENT_PIPE=1`). It owns the process: call it once, last. It exits as `exitCodes` says; the same signal again ends the process at
 * once.
 */
export async function runService<Schema extends z.ZodObject>(definition: ServiceDefinition<Schema>): Promise<void> {
  const { name } = definition;
  const config = readConfigOrExit(name, definition.settings as unknown as Schema);
  const base = config as unknown as BaseConfig;
  const logger = createLogger({ service: name, instanceId: base.INSTANCE_ID, level: base.LOG_LEVEL });
  const fail = (error: unknown, message: string): never => {
    logger.fatal({ err: error }, message);
    return process.exit(exitCodes.failed);
  };
  process.on('uncaughtException', (error) => fail(error, 'ended by an unhandled error'));
  process.on('unhandledRejection', (error) => fail(error, 'ended by an unhandled rejection'));

  const stopping = new AbortController();
  const stopRequested = new Promise<StopRequest>((resolve) => {
    onStopRequests({
      onFirst: (request) => {
        stopping.abort();
        resolve(request);
      },
      onRepeated: (signal) => process.exit(signalExitCode(signal)),
      env: process.env,
    });
  });

  try {
    const telemetry = await startTelemetry({
      service: name,
      instanceId: base.INSTANCE_ID,
      endpoint: base.OTEL_EXPORTER_OTLP_ENDPOINT,
      sampling: { sampler: base.OTEL_TRACES_SAMPLER, ratio: base.OTEL_TRACES_SAMPLER_ARG },
      isEdge: definition.isEdge === true,
      servesMetrics: base.HEALTH_PORT !== undefined,
      logger,
    });
    const waits = startWaits(logger);
    const health = await serveHealth(base, {
      isStopping: () => stopping.signal.aborted,
      waitsFor: waits.text,
      metricsText: telemetry.metricsText,
    });
    const service = await withRenewableDeadline(base.START_TIMEOUT_MS, waits.text, (renew) =>
      definition.start({
        name,
        config,
        logger,
        starting: (detail) => {
          renew();
          health.serviceStarting(detail);
        },
        waits,
        stopping: stopping.signal,
        fail: (error) => fail(error, 'cannot go on'),
      }),
    );
    health.serviceStarted(service);
    logger.info({ ...service.details, health_port: health.port, pid: process.pid }, 'started');
    // With NODE_COMPILE_CACHE set, a process that will be killed also leaves its compiled code to the next one.
    flushCompileCache();
    collectWhenIdle();

    const reason = await stopRequested;
    const timeoutMs = timeToStop(reason, base.STOP_TIMEOUT_MS);
    logger.info({ reason, timeout_ms: timeoutMs }, 'stopping');
    await withDeadline(service.stop(timeoutMs), timeoutMs, () => new DeadlineError('stopping', timeoutMs));
    await health.close();
    await telemetry.stop();
    logger.info('stopped');
  } catch (error) {
    // A start that was interrupted by a request to stop has not failed.
    if (stopping.signal.aborted && isAbort(error)) process.exit(exitCodes.stopped);
    fail(error, stopping.signal.aborted ? 'did not stop cleanly' : `cannot start: ${messageOf(error)}`);
  }
  process.exit(exitCodes.stopped);
}

/**
 * Ends the service when a connection that it needs is closed for good: a process that receives nothing would never be restarted.
 * @param closed resolves when the connection is closed, with the cause if there was one
 */
export function failWhenClosed(
  what: string,
  closed: Promise<void | Error>,
  { stopping, fail }: Pick<ServiceContext<unknown>, 'stopping' | 'fail'>,
): void {
  closed
    .then((cause) => {
      if (!stopping.aborted) fail(cause ?? new Error(`${what} was closed`));
    })
    .catch(fail);
}

const withRenewableDeadline = async <Result>(
  timeoutMs: number,
  waitsFor: () => string,
  start: (renew: () => void) => Promise<Result>,
): Promise<Result> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const { message } = new DeadlineError('starting', timeoutMs);
    late.reject(new Error([message, waitsFor()].filter((text) => text !== '').join(': ')));
  }, timeoutMs);
  try {
    return await Promise.race([start(() => timer.refresh()), late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

const readConfigOrExit = <Schema extends z.ZodObject>(name: string, schema: Schema): Readonly<z.output<Schema>> => {
  try {
    return readConfig(schema);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    writeSync(2, `${name}: wrong settings: ${error.summary}\n`);
    return process.exit(exitCodes.wrongSettings);
  }
};

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
const messageOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));
