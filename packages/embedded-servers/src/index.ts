export { programsIn, unpackDistributionPackage } from './distribution-package.ts';
export { syncFolder, writeDurably } from './durable-file.ts';
export { freePort, isPortFree } from './free-port.ts';
export { defaultCacheDir, provideNatsServer } from './nats-server-binary.ts';
export { commandLineOf, isAlive, processStat, type RunningServer } from './server-process.ts';
export * from './start-embedded-postgres.ts';
export * from './start-nats-server.ts';
