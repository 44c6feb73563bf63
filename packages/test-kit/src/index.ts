export { describeSchema } from './describe-schema.ts';
export { type FaultProxy, faultProxy } from './fault-proxy.ts';
export { startRunTime } from './run-time.ts';
export { createTestBus, type TestBus } from './test-bus.ts';
export { type TestClock, testClock } from './test-clock.ts';
export { createTestDatabase, openTestPool, type TestDatabase } from './test-database.ts';
export { waitFor, type WaitForOptions } from './wait-for.ts';
