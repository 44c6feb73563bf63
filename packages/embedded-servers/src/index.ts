export { defaultCacheDir, type NatsServerSource, provideNatsServer } from './nats-server-binary.ts';
export { programsIn, unpackDistributionPackage } from './distribution-package.ts';
export { freePort, isPortFree } from './free-port.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
export { type NatsServer, type NatsServerOptions, startNatsServer } from './start-nats-server.ts';
export { commandLineOf } from './server-process.ts';
