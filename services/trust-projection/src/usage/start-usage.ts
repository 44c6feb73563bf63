import type { DailyLimits } from '@agent-trust/contracts';
import type { Logger } from '@agent-trust/service-kit';
import { findOrganisationLimits } from '../projector/read-models/organisation-limits/queries.ts';
import type { ReadModelDatabase } from '../shared/database.ts';
import type { LogFollower } from '../shared/log-follower.ts';
import { within } from '../shared/within.ts';
import { usageLimits } from './limits.ts';
import { openUsageStore, type UsageStore } from './usage-store.ts';

export type Usage = { methods: ReturnType<typeof usageMethods>; stop: () => Promise<void> };

/** Counts what organisations do, for all gateways, and answers what they may do. Every instance does. */
export async function startUsage(parts: {
  databaseUrl: string;
  database: ReadModelDatabase;
  readModels: Pick<LogFollower, 'reach'>;
  defaults: DailyLimits;
  logger: Logger;
}): Promise<Usage> {
  const { databaseUrl, defaults, logger } = parts;
  const store = await openUsageStore(databaseUrl, defaults, logger);
  const cleanUp = (): void => {
    store.cleanUp().catch((err: unknown) => logger.warn({ err }, 'old counts of usage could not be deleted'));
  };
  cleanUp();
  const timer = setInterval(cleanUp, usageLimits.cleanUpEveryMs);
  return {
    methods: usageMethods({ ...parts, store }),
    stop: async () => {
      clearInterval(timer);
      await store.close();
    },
  };
}

const usageMethods = ({
  store,
  database,
  readModels,
  defaults,
}: {
  store: UsageStore;
  database: ReadModelDatabase;
  readModels: Pick<LogFollower, 'reach'>;
  defaults: DailyLimits;
}) =>
  within(usageLimits.reportsConcurrentMax, {
    getOrganisationLimits: async ({ organisation, atLeast }, call) => {
      await readModels.reach(atLeast, call);
      return { limits: await findOrganisationLimits(database, organisation, defaults) };
    },
    settleUsage: async (report) => ({ granted: await store.settle(report) }),
    listUsage: async ({ orgId, from, to }) => ({ days: await store.list(orgId, from, to) }),
  });
