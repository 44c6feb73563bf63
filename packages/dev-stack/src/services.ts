/** A service of the system, as the development stack starts it. */
export interface ServiceKind {
  readonly name: string;
  /** Its part of the event log, if any. */
  readonly eventLog: 'writer' | 'reader' | 'none';
  /** Its part of the keys that personal data is sealed with, if any. */
  readonly personalData: 'writer' | 'reader' | 'none';
  /** Whether it owns the read models. */
  readonly readModels: boolean;
  /** Variables of the secrets that it gets. */
  readonly secrets: readonly string[];
  /** Lower numbers are stopped first: the edge before what it depends on. */
  readonly stopOrder: number;
}

const gatewaySecrets = ['ADMIN_KEY', 'ADMIN_TOKEN', 'REGISTRY_SECRET'];
/** Wraps the keys that personal data is sealed with. */
const personalDataKey = 'PERSONAL_DATA_KEY';
/** Signs the log's checkpoints: an Ed25519 seed, which any secret made here can be. */
const logSigningKey = 'LOG_SIGNING_KEY';
/** The secrets of webhooks are derived from it: to show one once, and to sign with them. */
const webhookSecret = 'WEBHOOK_SECRET';

const carrier = { eventLog: 'writer', personalData: 'none', readModels: false, secrets: [], stopOrder: 1 } as const;

/** Every service, with what it may touch. Credentials are made from this table and nothing else. */
export const serviceKinds: readonly ServiceKind[] = [
  {
    name: 'gateway',
    eventLog: 'none',
    personalData: 'none',
    readModels: false,
    secrets: [...gatewaySecrets, webhookSecret],
    stopOrder: 0,
  },
  { name: 'call-proxy', ...carrier },
  { name: 'pay-proxy', ...carrier },
  {
    name: 'registry-write',
    eventLog: 'writer',
    personalData: 'writer',
    readModels: false,
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

/** Variables of the secrets that services get; those of others are kept from each. */
export const serviceSecretNames: readonly string[] = [...new Set(serviceKinds.flatMap(({ secrets }) => secrets))];

const snake = (name: string): string => name.replaceAll('-', '_');

/** The database role of a service. */
export function databaseRole(service: string): string {
  return snake(service);
}

/** The variable that holds a service's database password. */
export function databasePasswordName(service: string): string {
  return `DATABASE_${snake(service).toUpperCase()}_PASSWORD`;
}

/** The variable that holds a service's NATS password; `infra/nats/nats.conf` refers to it. */
export function natsPasswordName(service: string): string {
  return `NATS_${snake(service).toUpperCase()}_PASSWORD`;
}
