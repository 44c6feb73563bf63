import { z } from 'zod';
import { actor } from '../actor.ts';
import { unary } from '../rpc/method.ts';
import { nullableMoment, nullableText, positionText } from '../text.ts';
import { usageKind } from './usage-kind.ts';

const perDay = z.int().nonnegative();

/** What the operator set for an organisation: null is the default of the installation, 0 no limit. */
export const ownLimits = z
  .object({
    callsPerDay: perDay.nullable().describe('Calls and payments.'),
    registrationsPerDay: perDay.nullable().describe('Registrations.'),
    readsPerDay: perDay.nullable().describe('Reads.'),
  })
  .meta({
    id: 'OwnLimits',
    description: 'What was set for the organisation itself: 0 is no limit, null the default of the installation.',
  });
export type OwnLimits = z.infer<typeof ownLimits>;

/** The limits that hold, 0 for none. */
export const dailyLimits = z.object({
  callsPerDay: perDay.describe('Calls and payments in a UTC day; 0: no limit.'),
  registrationsPerDay: perDay.describe('Registrations in a UTC day; 0: no limit.'),
  readsPerDay: perDay.describe('Reads in a UTC day; 0: no limit.'),
});
export type DailyLimits = z.infer<typeof dailyLimits>;

export const organisationLimits = dailyLimits.extend({
  orgId: z.string().describe('Id of the organisation.'),
  orgName: z.string().describe('Its name.'),
  own: ownLimits,
  reason: nullableText.describe('Why the operator set them; null if nothing was set.'),
  setAt: nullableMoment('When they were set; null if nothing was'),
});
export type OrganisationLimits = z.infer<typeof organisationLimits>;

/** Sets all three limits; `organisation` is an id or a name. Limits that are set already change nothing. Refusal: organisation_not_found. */
export const setOrganisationLimits = unary('registry-write', 'set_organisation_limits', {
  input: z.object({ organisation: z.string(), limits: ownLimits, reason: z.string(), actor }),
  output: z.object({ orgId: z.string(), orgName: z.string(), position: positionText }),
});

/** The limits of an organisation, by its id or its name; null if there is no such organisation. */
export const getOrganisationLimits = unary('trust-projection', 'get_organisation_limits', {
  input: z.object({ organisation: z.string(), atLeast: positionText.optional() }),
  output: z.object({ limits: organisationLimits.nullable() }),
});

const dayText = z.iso.date();
const count = z.int().nonnegative();

/** What a gateway counted of one organisation in one day since its last report. Differences: a request that is taken back lowers a count. */
const usageItem = z.object({
  orgId: z.string(),
  day: dayText,
  kind: usageKind,
  inProduction: z.int(),
  inSandbox: z.int(),
  failed: z.int(),
  refused: z.int(),
  /** By how much what this gateway has leased and not used has changed, without what was granted. */
  leased: z.int(),
  /** Requests that wait for a lease. */
  wanted: count,
});
export type UsageItem = z.infer<typeof usageItem>;

const usageGrant = z.object({
  orgId: z.string(),
  day: dayText,
  kind: usageKind,
  limit: count,
  /** Requests that gateways have reported, with those that they may still admit without asking. */
  taken: count,
  /** Requests that this gateway may admit from now on; 0: the limit is reached. */
  granted: count,
});
export type UsageGrant = z.infer<typeof usageGrant>;

/**
 * Adds what a gateway counted, and leases what it wants. Each reporter numbers its reports; one that is sent again is taken once and answered as
 * before.
 */
export const settleUsage = unary('trust-projection', 'settle_usage', {
  input: z.object({ reporterId: z.string(), sequence: z.int().positive(), items: z.array(usageItem) }),
  output: z.object({ granted: z.array(usageGrant) }),
});

const kindUsage = z
  .object({
    used: z.int().describe('Requests that count towards the limit, in both universes.'),
    inProduction: z.int().describe('Those of them in production.'),
    inSandbox: z.int().describe('Those of them in the sandbox.'),
    failed: z.int().describe('Requests that ended with an error, whether or not they count.'),
    refused: z.int().describe('Requests beyond the limit, 429 `quota_exceeded`.'),
  })
  .meta({ id: 'KindUsage', description: 'What an organisation did of one kind in one day.' });

export const dayUsage = z
  .object({
    day: dayText.describe('The UTC day.'),
    calls: kindUsage.describe('Calls, and payments as an agent.'),
    registrations: kindUsage.describe('Registrations.'),
    reads: kindUsage.describe('Reads.'),
  })
  .meta({ id: 'DayUsage', description: 'What an organisation did in one day.' });
export type DayUsage = z.infer<typeof dayUsage>;

/** The days on which an organisation did something, oldest first; both ends are included. */
export const listUsage = unary('trust-projection', 'list_usage', {
  input: z.object({ orgId: z.string(), from: dayText, to: dayText }),
  output: z.object({ days: z.array(dayUsage) }),
});
