import type { Secrets } from './data-folder.ts';

export interface ServiceKind {
  readonly name: string;
  /** Its rights on the event log, if any. */
  readonly eventLog: 'writer' | 'reader' | 'none';
  /** Its rights on the keys that seal personal data, if any. */
  readonly personalData: 'writer' | 'reader' | 'none';
  /** Whether it owns the read models. */
  readonly readModels: boolean;
  readonly secrets: readonly string[];
  /** Lower numbers are stopped first: the edge before its dependencies. */
  readonly stopOrder: number;
}

/** Seals what gateways store and send to each other. */
const registrySecret = 'REGISTRY_SECRET';
const gatewaySecrets = ['ADMIN_KEY', 'ADMIN_TOKEN', registrySecret];
/** Wraps the keys that seal personal data. */
export const personalDataKey = 'PERSONAL_DATA_KEY';
/** Signs the log's checkpoints: an Ed25519 seed, which every secret generated here can be. */
const logSigningKey = 'LOG_SIGNING_KEY';
/** The secrets of webhooks are derived from it, to be shown once and to sign messages. */
const webhookSecret = 'WEBHOOK_SECRET';

const noRights = { eventLog: 'none', personalData: 'none', readModels: false, secrets: [] } as const;

/** Every service, with its rights. All credentials are generated from this table. */
export const serviceKinds: readonly ServiceKind[] = [
  { ...noRights, name: 'gateway', secrets: [...gatewaySecrets, webhookSecret], stopOrder: 0 },
  { ...noRights, name: 'call-proxy', eventLog: 'writer', stopOrder: 1 },
  { ...noRights, name: 'pay-proxy', eventLog: 'writer', stopOrder: 1 },
  {
    ...noRights,
    name: 'registry-write',
    eventLog: 'writer',
    personalData: 'writer',
    secrets: [personalDataKey],
    stopOrder: 2,
  },
  {
    name: 'trust-projection',
    eventLog: 'reader',
    personalData: 'reader',
    readModels: true,
    secrets: [personalDataKey, logSigningKey, webhookSecret],
    stopOrder: 2,
  },
];

/** Who listens on the bus as the process of `npm start`: no service, and no user of any other installation. */
export const supervisorUser = 'supervisor';

/** Whose database user may let archived exchanges leave the event log: no service, but a command that an operator runs. */
export const retentionUser = 'retention';

/** Variables of the services' secrets; no service gets those of another. */
export const serviceSecretNames: readonly string[] = [...new Set(serviceKinds.flatMap(({ secrets }) => secrets))];

/** Secrets that may have a second value while they are replaced, which is still accepted. */
const rotatedSecrets = new Set([personalDataKey, registrySecret, webhookSecret, logSigningKey]);

/** The variable of a secret's second value; null for a secret that has none. */
export function previousNameOf(secret: string): string | null {
  return rotatedSecrets.has(secret) ? `${secret}_PREVIOUS` : null;
}

/** Names of secrets with those of their second values. */
export function withPrevious(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, previousNameOf(name)]).filter((name) => name !== null);
}

export function databaseRole(service: string): string {
  return service.replaceAll('-', '_');
}

export function databasePasswordName(service: string): string {
  return `DATABASE_${databaseRole(service).toUpperCase()}_PASSWORD`;
}

/** The variable that holds a service's NATS password; `infra/nats/nats.conf` refers to it. */
export function natsPasswordName(service: string): string {
  return `NATS_${databaseRole(service).toUpperCase()}_PASSWORD`;
}

/** Every secret that the stack makes and keeps in its data folder. */
export const generatedSecretNames: readonly string[] = [
  ...serviceSecretNames,
  ...serviceKinds.flatMap(({ name }) => [natsPasswordName(name), databasePasswordName(name)]),
  natsPasswordName(supervisorUser),
  databasePasswordName(retentionUser),
];

/** The embedding model, which only helps to resolve capabilities. */
const embeddingSettings = ['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL', 'EMBEDDINGS_API_KEY'];

/** Never passed on from the stack's own environment: each service gets its own, or must not have it. */
const withheld = new Set<string>([
  ...withPrevious(serviceSecretNames),
  'DATABASE_URL',
  'PERSONAL_DATA_DATABASE_URL',
  'PERSONAL_DATA_OWNER_URL',
  'LOG_ORIGIN',
  'EVENT_LOG_URL',
  'EVENT_LOG_RETENTION_URL',
  'EVENT_LOG_OWNER_URL',
  'NATS_URL',
  'SMTP_URL',
  'SMTP_FROM',
  ...embeddingSettings,
  'EVENT_LOG_TEST_URL',
  'POSTGRES_TEST_URL',
  // The stack's own settings, which mean something else to a service.
  'PORT',
  'HOST',
  'BASE_URL',
  'HEALTH_PORT',
  'HEALTH_HOST',
  'INSTANCE_ID',
  'TASK_PARENT_FD',
]);
const withheldPattern = /^(NATS|DATABASE)_[A-Z_]+_PASSWORD$|^PG[A-Z]+$/;

/** Private targets that outbound requests may reach in the development stack if OUTBOUND_ALLOW is not set: agents on this machine. */
const developmentOutboundAllow = '127.0.0.0/8,[::1]';

/** Threads of a service, of which name lookups get half; as in `infra/docker/Dockerfile`. */
const threadPoolSize = '32';

export interface ServiceAddresses {
  readonly natsUrlFor: (service: string) => string;
  readonly eventLogUrlFor: (service: string) => string;
  readonly readModelsUrlFor: (service: string) => string;
}

/** The environment of a kind of services: the stack's without the secrets of others, plus the service's own addresses and credentials. */
export function serviceEnvironment(
  kind: ServiceKind,
  given: NodeJS.ProcessEnv,
  secrets: Secrets,
  addresses: ServiceAddresses,
  common: { readonly baseUrl: string; readonly compileCacheFolder: string },
): NodeJS.ProcessEnv {
  const { name } = kind;
  return {
    ...Object.fromEntries(Object.entries(given).filter(([one]) => !withheld.has(one) && !withheldPattern.test(one))),
    NODE_COMPILE_CACHE: given['NODE_COMPILE_CACHE'] ?? common.compileCacheFolder,
    UV_THREADPOOL_SIZE: given['UV_THREADPOOL_SIZE'] ?? threadPoolSize,
    BASE_URL: common.baseUrl,
    OUTBOUND_ALLOW: given['OUTBOUND_ALLOW'] ?? developmentOutboundAllow,
    NATS_URL: addresses.natsUrlFor(name),
    ...(kind.eventLog === 'none' ? {} : { EVENT_LOG_URL: addresses.eventLogUrlFor(name) }),
    ...(kind.readModels
      ? { DATABASE_URL: addresses.readModelsUrlFor(name), ...pick([...embeddingSettings, 'LOG_ORIGIN'], given) }
      : {}),
    ...(kind.personalData === 'writer' ? { PERSONAL_DATA_DATABASE_URL: addresses.readModelsUrlFor(name) } : {}),
    ...pick(withPrevious(kind.secrets), secrets),
    ...pick(withPrevious(kind.secrets), given),
  };
}

export function gatewayEnvironment(
  given: NodeJS.ProcessEnv,
  address: { readonly host: string; readonly port: number },
): NodeJS.ProcessEnv {
  return { ...pick(['SMTP_URL', 'SMTP_FROM'], given), HOST: address.host, PORT: String(address.port) };
}

/** The variables of these names that are set and not empty. */
export function pick(
  names: readonly string[],
  from: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined || from[name] === '' ? [] : [[name, from[name]]])),
  );
}
