export * from './errors.ts';
export { eventLogLimits } from './limits.ts';
export { openEventLog } from './open-event-log.ts';
export type { OpenEventLogOptions } from './open-event-log.ts';
export type * from './port.ts';
export { grantEventLogAccess } from './postgres/grant.ts';
export { migratePostgresEventLog } from './postgres/migrate.ts';
