/** A service of the system, as the development stack starts it. */
export interface ServiceKind {
  readonly name: string;
  /** Its rights on the event log, if any. */
  readonly eventLog: 'writer' | 'reader' | 'none';
  /** Its rights on the keys that seal personal data, if any. */
  readonly personalData: 'writer' | 'reader' | 'none';
  /** Whether it owns the read models. */
  readonly readModels: boolean;
  /** Variables of its secrets. */
  readonly secrets: readonly string[];
  /** Lower numbers are stopped first: the edge before its dependencies. */
  readonly stopOrder: number;
}

const gatewaySecrets = ['ADMIN_KEY', 'ADMIN_TOKEN', 'REGISTRY_SECRET'];
/** Wraps the keys that seal personal data. */
const personalDataKey = 'PERSONAL_DATA_KEY';
/** Signs the log's checkpoints: an Ed25519 seed, which every secret generated here can be. */
const logSigningKey = 'LOG_SIGNING_KEY';
/** The secrets of webhooks are derived from it, to be shown once and to sign messages. */
const webhookSecret = 'WEBHOOK_SECRET';

const carrier = { eventLog: 'writer', personalData: 'none', readModels: false, secrets: [], stopOrder: 1 } as const;

/** Every service, with its rights. All credentials are generated from this table. */
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

/** Variables of the services' secrets; no service gets those of another. */
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
