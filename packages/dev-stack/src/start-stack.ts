import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultCacheDir, freePort, isPortFree } from '@agent-trust/embedded-servers';
import { startBackends } from './backends.ts';
import { keepSecrets, openDataFolder } from './data-folder.ts';
import { answersOk, isRunning, saysStarting } from './probe.ts';
import { announceStack } from './running-stack.ts';
import {
  gatewayEnvironment,
  generatedSecretNames,
  personalDataKey,
  pick,
  serviceEnvironment,
  type ServiceKind,
  retentionUser,
  serviceKinds,
  supervisorUser,
  withPrevious,
} from './services.ts';
import { writeScrapeTargets } from './scrape-targets.ts';
import { readStackSettings, type StackSettings } from './settings.ts';
import { StackError } from './stack-error.ts';
import { type SupervisedProcess, superviseProcess } from './supervised-process.ts';
import type { SupervisedServer } from './supervised-server.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
/** Time after which a slow start reports its progress. */
const quietMs = 2_000;
const reportEveryMs = 5_000;
const serversWaitMs = 30_000;
const serversPollMs = 25;

export interface StackOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** A temporary data folder and free ports; nothing is left after `stop`. */
  readonly ephemeral?: boolean;
  readonly dataDir?: string;
  readonly port?: number;
  /** `false` gives up durability of the embedded database for speed: only for temporary data. Default true. */
  readonly fsync?: boolean;
  readonly onProgress?: (line: string) => void;
  /** Every log line of every service, unchanged. */
  readonly onLog?: (process: string, line: string) => void;
  readonly signal?: AbortSignal;
  /** What a gateway needs before it starts, such as files that it serves. Runs while the servers start, so that nobody waits for it. Never rejects. */
  readonly beforeGateways?: () => Promise<void>;
  /** The program of a service; for tests of the stack itself. */
  readonly serviceFile?: (service: string) => string;
}

export interface Stack {
  readonly url: string;
  readonly urls: readonly string[];
  /** Where people reach it: BASE_URL, without a slash at the end. */
  readonly baseUrl: string;
  readonly adminKey: string;
  readonly adminToken: string;
  readonly dataDir: string;
  readonly secretsFile: string;
  /** Owner's view of the embedded database; `undefined` if DATABASE_URL is given. */
  readonly postgresUrl: string | undefined;
  /** Without credentials. */
  readonly natsUrl: string;
  /** With those of the process that has started the stack. */
  readonly supervisorNatsUrl: string;
  /** EVENT_LOG_URL, DATABASE_URL and NATS_URL of trust-projection, and the admin credentials: for `replay` and other commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** All current processes: `postgres`, `nats-server`, `gateway`, `call-proxy-2` … */
  readonly processes: () => readonly {
    readonly name: string;
    readonly pid: number | undefined;
    readonly restarts: number;
  }[];
  /** Where each service serves its metrics; another address after a restart. */
  readonly metrics: () => readonly { readonly name: string; readonly service: string; readonly url: string }[];
  /** Sends a signal to a process by its name, e.g. `kill('call-proxy', 'SIGKILL')`. */
  readonly kill: (name: string, signal: NodeJS.Signals) => void;
  readonly restartCount: (name: string) => number;
  readonly isReady: () => boolean;
  /** Stops everything in order, without leaving a process behind. Safe to call twice. */
  readonly stop: () => Promise<void>;
}

const urlOf = (host: string, port: number): string => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
};

const gatewayPorts = async (
  settings: StackSettings,
  ephemeral: boolean,
  wanted: number | undefined,
): Promise<number[]> => {
  const first = wanted ?? (ephemeral ? 0 : settings.PORT);
  const ports: number[] = [];
  for (let index = 0; index < settings.GATEWAYS; index += 1) {
    const port = first === 0 ? await freePort(settings.HOST) : first + index;
    if (!(await isPortFree(port, settings.HOST))) {
      throw new StackError(
        `Port ${port} of ${settings.HOST} cannot be listened on, most likely because another program does: stop that one, or choose another port, e.g. PORT=${port + 1000} npm start`,
      );
    }
    ports.push(port);
  }
  return ports;
};

const instancesOf = (kind: ServiceKind, settings: StackSettings): number =>
  ({
    gateway: settings.GATEWAYS,
    'call-proxy': settings.CALL_PROXIES,
    'pay-proxy': settings.PAY_PROXIES,
    'registry-write': settings.REGISTRY_WRITERS,
    'trust-projection': settings.TRUST_PROJECTIONS,
  })[kind.name] ?? 1;

/** A service that starts while its database is down would fail: wait for the servers, but not for ever. */
const untilRunning = async (servers: readonly SupervisedServer[], stopping: AbortSignal): Promise<void> => {
  const deadline = Date.now() + serversWaitMs;
  while (servers.some((server) => server.pid() === undefined) && Date.now() < deadline && !stopping.aborted) {
    await delay(serversPollMs);
  }
};

/** Waits for work, but not when nobody needs it any more. */
const orAborted = async (work: Promise<void> | undefined, stopping: AbortSignal): Promise<void> => {
  if (work === undefined || stopping.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  stopping.addEventListener('abort', () => resolve(), { once: true });
  await Promise.race([work, aborted]);
};

/** Reports what the start waits for, if there was no other message for a while. */
const reportSlowness = (
  onProgress: (line: string) => void,
  waitingFor: () => string,
): { progress: (line: string) => void; end: () => void } => {
  let lastMessageAt = Date.now();
  let next = quietMs;
  const timer = setInterval(() => {
    if (Date.now() - lastMessageAt < next) return;
    lastMessageAt = Date.now();
    next = reportEveryMs;
    onProgress(`Still starting: ${waitingFor()}…`);
  }, 250);
  return {
    progress: (line) => {
      lastMessageAt = Date.now();
      onProgress(line);
    },
    end: () => clearInterval(timer),
  };
};

/**
 * Starts the whole system; resolves when every gateway's `GET /health` answers 200 and every other service is ready. A failed start stops everything.
 * @throws StackError with one line that says what to do.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const given = { ...(options.env ?? process.env) };
  // Vite, and therefore vitest, sets BASE_URL to the path of web pages.
  if (given['BASE_URL'] === '/') delete given['BASE_URL'];
  const settings = readStackSettings(given);
  const ephemeral = options.ephemeral ?? settings.STACK_EPHEMERAL;
  const folder = openDataFolder(options.dataDir ?? settings.DATA_DIR, ephemeral && options.dataDir === undefined);
  const servers: SupervisedServer[] = [];
  const services: SupervisedProcess[] = [];
  let waitingFor = (): string => 'the database and the message bus';
  const slowness = reportSlowness(options.onProgress ?? (() => undefined), () => waitingFor());
  const { progress } = slowness;

  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= (async () => {
      slowness.end();
      const order = (service: string): number => serviceKinds.find(({ name }) => name === service)?.stopOrder ?? 0;
      for (const step of new Set(services.map(({ service }) => order(service)).toSorted((a, b) => a - b))) {
        await Promise.all(services.filter(({ service }) => order(service) === step).map((service) => service.stop()));
      }
      // The message bus first: nothing may write any more when the database stops.
      for (const server of servers.toSorted((a, b) => a.name.localeCompare(b.name))) await server.stop();
      folder.release();
    })();
    return stopped;
  };

  const start = async (): Promise<Stack> => {
    const ports = await gatewayPorts(settings, ephemeral, options.port);
    const secrets = keepSecrets(folder.secretsFile, generatedSecretNames);
    const serversStarting = startBackends({
      settings,
      folder,
      secrets,
      fsync: options.fsync ?? true,
      onProgress: progress,
      onStarted: (server) => servers.push(server),
    });
    const prepared = options.beforeGateways?.();
    const backends = await serversStarting;
    options.signal?.throwIfAborted();

    const urls = ports.map((port) => urlOf(settings.HOST, port));
    const [url = ''] = urls;
    const baseUrl = settings.BASE_URL?.replace(/\/+$/u, '') ?? url;
    const compileCacheFolder = join(defaultCacheDir(), 'compile-cache');
    const serviceFile = options.serviceFile ?? ((service: string) => join(root, 'services', service, 'src', 'main.ts'));
    /** Of the processes that run now: a restart takes another port. */
    const healthPorts = new Map<string, number>();
    const metricsOf = (): { name: string; service: string; port: number }[] =>
      services.flatMap(({ name, service }) => {
        const port = healthPorts.get(name);
        return port === undefined ? [] : [{ name, service, port }];
      });
    let hasStarted = false;
    const announceMetrics = (): void => writeScrapeTargets(folder.scrapeTargetsFile, metricsOf());
    let hasReported = false;
    const reportOtherLog = (why: string): void => {
      if (!hasReported)
        progress(`Nothing is written: ${why}. Restore the right log, or accept this one: npm run log:accept`);
      hasReported = true;
    };
    for (const kind of serviceKinds) {
      const common = serviceEnvironment(kind, given, secrets, backends, { baseUrl, compileCacheFolder });
      for (let index = 0; index < instancesOf(kind, settings); index += 1) {
        const name = index === 0 ? kind.name : `${kind.name}-${index + 1}`;
        const gatewayPort = kind.name === 'gateway' ? ports[index] : undefined;
        services.push(
          superviseProcess({
            name,
            service: kind.name,
            args: [serviceFile(kind.name)],
            logFile: join(folder.logs, `${name}.log`),
            onEvent: progress,
            onLine: (line) => options.onLog?.(name, line),
            prepare: async (stopping) => {
              await untilRunning(servers, stopping);
              if (gatewayPort !== undefined) await orAborted(prepared, stopping);
              const healthPort = await freePort();
              const health = { HEALTH_PORT: String(healthPort), HEALTH_HOST: '127.0.0.1' };
              healthPorts.set(name, healthPort);
              if (hasStarted) announceMetrics();
              if (gatewayPort !== undefined)
                return {
                  env: {
                    ...common,
                    ...health,
                    ...gatewayEnvironment(given, { host: settings.HOST, port: gatewayPort }),
                  },
                  isReady: () => answersOk(`${urlOf(settings.HOST, gatewayPort)}/health`),
                  // Its health depends on the other services'.
                  isStarting: async () => services.some(({ service, isReady }) => service !== 'gateway' && !isReady()),
                };
              const env = { ...common, ...health };
              const url = `http://127.0.0.1:${healthPort}/readyz`;
              return { env, isReady: () => isRunning(url, reportOtherLog), isStarting: () => saysStarting(url) };
            },
          }),
        );
      }
    }
    waitingFor = () => services.flatMap(({ name, isReady }) => (isReady() ? [] : [name])).join(', ');
    await Promise.all(services.map(({ firstReady }) => firstReady));
    slowness.end();

    const adminKey = given['ADMIN_KEY'] || (secrets['ADMIN_KEY'] ?? '');
    const adminToken = given['ADMIN_TOKEN'] || (secrets['ADMIN_TOKEN'] ?? '');
    const environment = {
      ADMIN_KEY: adminKey,
      ADMIN_TOKEN: adminToken,
      EVENT_LOG_URL: backends.eventLogUrlFor('trust-projection'),
      EVENT_LOG_RETENTION_URL: backends.eventLogUrlFor(retentionUser),
      DATABASE_URL: backends.readModelsUrlFor('trust-projection'),
      NATS_URL: backends.natsUrlFor('trust-projection'),
    };
    const keyNames = withPrevious([personalDataKey]);
    const ownerEnvironment = {
      ...pick(keyNames, secrets),
      ...pick(keyNames, given),
      PERSONAL_DATA_OWNER_URL: settings.DATABASE_URL ?? backends.postgresUrl ?? '',
    };
    hasStarted = true;
    announceMetrics();
    announceStack(folder.stackFile, { url, urls, baseUrl, dataDir: folder.path, environment, ownerEnvironment });
    const all = (): readonly (SupervisedServer | SupervisedProcess)[] => [...servers, ...services];
    const named = (wanted: string): SupervisedServer | SupervisedProcess => {
      const found = all().find(({ name }) => name === wanted);
      if (found !== undefined) return found;
      const names = all().map(({ name }) => name);
      throw new RangeError(`no process ${wanted} in this stack; there are ${names.join(', ')}`);
    };
    return {
      url,
      urls,
      baseUrl,
      adminKey,
      adminToken,
      dataDir: folder.path,
      secretsFile: folder.secretsFile,
      postgresUrl: backends.postgresUrl,
      natsUrl: backends.natsUrl,
      supervisorNatsUrl: backends.natsUrlFor(supervisorUser),
      environment,
      processes: () => all().map(({ name, pid, restarts }) => ({ name, pid: pid(), restarts: restarts() })),
      metrics: () =>
        metricsOf().map(({ name, service, port }) => ({ name, service, url: `http://127.0.0.1:${port}/metrics` })),
      kill: (name, signal) => named(name).kill(signal),
      restartCount: (name) => named(name).restarts(),
      isReady: () => services.every((service) => service.isReady()),
      stop,
    };
  };

  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const onAbort = (): void => aborted.reject(new StackError('Stopped before it was ready'));
  if (options.signal?.aborted === true) onAbort();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const starting = start();
  try {
    return await Promise.race([starting, aborted.promise]);
  } catch (error) {
    // Everything that an aborted start has begun to start must be known before it can be stopped.
    if (services.length === 0) await starting.catch(() => undefined);
    await stop();
    throw error;
  }
}
