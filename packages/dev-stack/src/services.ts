/** A service of the system, as the development stack starts it. */
export interface ServiceKind {
  readonly name: string;
  /** Its part of the event log, if any. */
  readonly eventLog: 'writer' | 'reader' | 'none';
  /** Its part of the keys that personal data is sealed with, if any. */
  readonly personalData: 'writer' | 'reader' | 'none';
  /** Whether it owns the read models. */
  readonly readModels: boolean;
  /** Whether it signs in the name of the log. */
  readonly signsLog: boolean;
  /** Whether it derives the secrets of webhooks: to show one once, or to sign with them. */
  readonly webhookSecrets: boolean;
  /** Lower numbers are stopped first: the edge before what it depends on. */
  readonly stopOrder: number;
}

/** Every service, with what it may touch. Credentials are made from this table and nothing else. */
export const serviceKinds: readonly ServiceKind[] = [
  {
    name: 'gateway',
    eventLog: 'none',
    personalData: 'none',
    readModels: false,
    signsLog: false,
    webhookSecrets: true,
    stopOrder: 0,
  },
  {
    name: 'call-proxy',
    eventLog: 'writer',
    personalData: 'none',
    readModels: false,
    signsLog: false,
    webhookSecrets: false,
    stopOrder: 1,
  },
  {
    name: 'pay-proxy',
    eventLog: 'writer',
    personalData: 'none',
    readModels: false,
    signsLog: false,
    webhookSecrets: false,
    stopOrder: 1,
  },
  {
    name: 'registry-write',
    eventLog: 'writer',
    personalData: 'writer',
    readModels: false,
    signsLog: false,
    webhookSecrets: false,
    stopOrder: 2,
  },
  {
    name: 'trust-projection',
    eventLog: 'reader',
    personalData: 'reader',
    readModels: true,
    signsLog: true,
    webhookSecrets: true,
    stopOrder: 2,
  },
];

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
