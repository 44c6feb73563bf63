import {
  type Secrets,
  gatewaySecretNames,
  logSigningKeyName,
  personalDataKeyName,
  webhookSecretName,
} from './secrets.ts';
import type { ServiceKind } from './services.ts';

/** The embedding model, which only helps to resolve capabilities. */
const embeddingSettings = ['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL', 'EMBEDDINGS_API_KEY'];

/** Never passed on from the stack's own environment: each service is given its own, or has no business with it. */
const withheld = new Set<string>([
  ...gatewaySecretNames,
  'DATABASE_URL',
  personalDataKeyName,
  'PERSONAL_DATA_DATABASE_URL',
  logSigningKeyName,
  'LOG_ORIGIN',
  webhookSecretName,
  'EVENT_LOG_URL',
  'NATS_URL',
  'SMTP_URL',
  'SMTP_FROM',
  ...embeddingSettings,
  'EVENT_LOG_TEST_URL',
  'POSTGRES_TEST_URL',
  'NATS_TEST_URL',
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

/** Private targets that outbound requests may reach in the development stack when OUTBOUND_ALLOW is not set: agents on this machine. */
const developmentOutboundAllow = '127.0.0.0/8,[::1]';

/** Threads of a service, of which lookups of names get half; as in `infra/docker/Dockerfile`. */
const threadPoolSize = '32';

export interface ServiceAddresses {
  readonly natsUrlFor: (service: string) => string;
  readonly eventLogUrlFor: (service: string) => string;
  readonly readModelsUrlFor: (service: string) => string;
  readonly personalDataUrlFor: (service: string) => string;
}

/** The environment of every service of one kind: what the stack was given, less foreign secrets, plus its own addresses and credentials. */
export function serviceEnvironment(
  kind: ServiceKind,
  given: NodeJS.ProcessEnv,
  addresses: ServiceAddresses,
  common: { readonly baseUrl: string; readonly compileCacheFolder: string },
): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(given).filter(([name]) => !withheld.has(name) && !withheldPattern.test(name))),
    NODE_COMPILE_CACHE: given['NODE_COMPILE_CACHE'] ?? common.compileCacheFolder,
    UV_THREADPOOL_SIZE: given['UV_THREADPOOL_SIZE'] ?? threadPoolSize,
    BASE_URL: common.baseUrl,
    OUTBOUND_ALLOW: given['OUTBOUND_ALLOW'] ?? developmentOutboundAllow,
    NATS_URL: addresses.natsUrlFor(kind.name),
    ...(kind.eventLog === 'none' ? {} : { EVENT_LOG_URL: addresses.eventLogUrlFor(kind.name) }),
    ...(kind.readModels
      ? { DATABASE_URL: addresses.readModelsUrlFor(kind.name), ...pick(embeddingSettings, given) }
      : {}),
  };
}

/** What the services get that seal personal data or open it: the key that wraps the others, and for who makes those the database they are in. */
export function personalDataEnvironment(
  { name, personalData }: ServiceKind,
  given: NodeJS.ProcessEnv,
  secrets: Secrets,
  { personalDataUrlFor }: Pick<ServiceAddresses, 'personalDataUrlFor'>,
): NodeJS.ProcessEnv {
  return personalData === 'none'
    ? {}
    : {
        ...(personalData === 'writer' ? { PERSONAL_DATA_DATABASE_URL: personalDataUrlFor(name) } : {}),
        ...pick([personalDataKeyName], secrets),
        ...pick([personalDataKeyName], given),
      };
}

/** What the service gets that signs in the name of the log: its key, and its name where that is not made of BASE_URL. */
export function logSigningEnvironment(
  { signsLog }: ServiceKind,
  given: NodeJS.ProcessEnv,
  secrets: Secrets,
): NodeJS.ProcessEnv {
  return signsLog ? { ...pick([logSigningKeyName], secrets), ...pick([logSigningKeyName, 'LOG_ORIGIN'], given) } : {};
}

/** What the services get that derive the secrets of webhooks. */
export function webhookEnvironment(
  { webhookSecrets }: ServiceKind,
  given: NodeJS.ProcessEnv,
  secrets: Secrets,
): NodeJS.ProcessEnv {
  return webhookSecrets ? { ...pick([webhookSecretName], secrets), ...pick([webhookSecretName], given) } : {};
}

/** What only a gateway gets: its address, and the secrets of the HTTP edge. */
export function gatewayEnvironment(
  given: NodeJS.ProcessEnv,
  secrets: Secrets,
  address: { readonly host: string; readonly port: number },
): NodeJS.ProcessEnv {
  return {
    ...pick(['SMTP_URL', 'SMTP_FROM'], given),
    ...pick(gatewaySecretNames, secrets),
    ...pick(gatewaySecretNames, given),
    HOST: address.host,
    PORT: String(address.port),
  };
}

const pick = (names: readonly string[], from: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv =>
  Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined || from[name] === '' ? [] : [[name, from[name]]])),
  );
