import {
  ConfigError,
  eventLogUrl,
  flag,
  listenPort,
  logLevels,
  oneOf,
  outboundAllow,
  readConfig,
  signingSeed,
  text,
  url,
  urls,
  wholeNumber,
} from '@agent-trust/service-kit';
import { z } from 'zod';
import { StackError } from './stack-error.ts';

const instancesMax = 16;
const secretCharactersMax = 1_024;

const schema = z.object({
  PORT: listenPort().default(8080),
  HOST: text(1, 255).default('127.0.0.1'),
  BASE_URL: url('http:', 'https:').optional(),
  DATA_DIR: text(1, 4_096).default('.data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  EVENT_LOG_URL: eventLogUrl().optional(),
  NATS_URL: urls('nats:', 'tls:', 'ws:', 'wss:').optional(),
  ADMIN_KEY: text(1, secretCharactersMax).optional(),
  ADMIN_TOKEN: text(1, secretCharactersMax).optional(),
  REGISTRY_SECRET: text(1, secretCharactersMax).optional(),
  REGISTRY_SECRET_PREVIOUS: text(1, secretCharactersMax).optional(),
  PERSONAL_DATA_KEY: text(32, secretCharactersMax).optional(),
  PERSONAL_DATA_KEY_PREVIOUS: text(32, secretCharactersMax).optional(),
  LOG_SIGNING_KEY: signingSeed().optional(),
  LOG_SIGNING_KEY_PREVIOUS: signingSeed().optional(),
  WEBHOOK_SECRET: text(32, secretCharactersMax).optional(),
  WEBHOOK_SECRET_PREVIOUS: text(32, secretCharactersMax).optional(),
  CALL_PROXIES: wholeNumber(1, instancesMax).default(1),
  PAY_PROXIES: wholeNumber(1, instancesMax).default(1),
  REGISTRY_WRITERS: wholeNumber(1, instancesMax).default(1),
  TRUST_PROJECTIONS: wholeNumber(1, instancesMax).default(1),
  GATEWAYS: wholeNumber(1, instancesMax).default(1),
  LOG_LEVEL: oneOf(...logLevels).optional(),
  /** These two are passed on to the services as they are, like every other setting of theirs; here only so that a wrong one ends the start at once. */
  OUTBOUND_ALLOW: outboundAllow,
  TRUST_POLICY_AT_FIRST_START: oneOf('v1', 'v2').optional(),
  NO_COLOR: text(0, 64).optional(),
  STACK_EPHEMERAL: flag().default(false),
});

export type StackSettings = Readonly<z.output<typeof schema>>;

/** Reads the stack's settings. @throws StackError that lists every wrong setting and its allowed values, never the value given. */
export function readStackSettings(env: NodeJS.ProcessEnv): StackSettings {
  try {
    return readConfig(schema, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new StackError(error.message);
  }
}
