export { eventIdOfCommand } from './command-event-id.ts';
export {
  createEventRegistry,
  type Decider,
  type DomainEvent,
  type EventDefinition,
  type EventRegistry,
  EventSchemaError,
} from './schema-registry.ts';
export * from './errors.ts';
export { checkGoldenFiles } from './golden-files.ts';
export { emptyStream, findHandled, handleCommand, readStream } from './handle-command.ts';
export type {
  FindHandledInput,
  HandleCommandInput,
  HandledCommand,
  KnownStream,
  StreamRead,
} from './handle-command.ts';
export { eventLogLimits } from './limits.ts';
export { openCheckedEventLog, openEventLog, openLogRetention } from './open-event-log.ts';
export type * from './port.ts';
export type * from './retention.ts';
export type { LogUse, RightsCheck } from './rights/report.ts';
export { grantEventLogAccess, migratePostgresEventLog } from './postgres/migrate.ts';
export { loadMigrations, migrate } from './postgres/migrations.ts';
