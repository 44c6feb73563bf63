import { z } from 'zod';
import { answer, commandErrors, type Route, route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { operatorReason, operatorRoute } from '../operator/operator-route.ts';
import { text } from '../text.ts';
import { onWire } from '../wire-form.ts';
import { dailyLimits, dayUsage, organisationLimits } from './rpc.ts';

const exampleOrganisation = { org_id: '0f1e2d3c4b5a69788796a5b4c3d2e1f0', org_name: 'Globex' };
const organisationParams = z.object({
  org_id: text(limits.orgNameCharsMax, 1).meta({
    description: 'Id or name of the organisation.',
    examples: [exampleOrganisation.org_id],
  }),
});

export const organisationLimitsWire = onWire(organisationLimits).meta({
  id: 'OrganisationLimits',
  description:
    'How much an organisation may do in a UTC day, with all its keys and agents, in production and its sandbox together.',
});
export type OrganisationLimitsWire = z.infer<typeof organisationLimitsWire>;

const exampleLimits: OrganisationLimitsWire = {
  ...exampleOrganisation,
  calls_per_day: 10_000,
  registrations_per_day: 50,
  reads_per_day: 0,
  own: { calls_per_day: 10_000, registrations_per_day: null, reads_per_day: null },
  reason: 'The contract of May.',
  set_at: '2026-01-15T09:30:00.000Z',
};

const perDay = (what: string) =>
  z
    .int()
    .min(0)
    .max(limits.perDayMax)
    .nullable()
    .default(null)
    .describe(`${what} in a UTC day. 0: no limit; null or absent: the default of the installation.`);

export const setOrganisationLimitsRequest = z
  .strictObject({
    calls_per_day: perDay('Calls and payments'),
    registrations_per_day: perDay('Registrations'),
    reads_per_day: perDay('Reads'),
    reason: operatorReason("the log's readers"),
  })
  .meta({ id: 'OrganisationLimitsRequest', description: 'All three limits; each replaces the one before.' });

export const setOrganisationLimitsRoute = route({
  ...operatorRoute,
  method: 'PUT',
  path: '/ops/organisations/{org_id}/limits',
  operationId: 'setOrganisationLimits',
  summary: 'Set how much an organisation may do in a day',
  description:
    'Replaces all three limits. They hold at every gateway from the answer on, also for the day that has begun. Beyond its limit an organisation is ' +
    '429 `quota_exceeded` until the next UTC day. May be repeated: limits that are set already change nothing.',
  params: organisationParams,
  body: setOrganisationLimitsRequest,
  bodyExamples: {
    contract: { summary: 'Limits of a contract', value: { calls_per_day: 10_000, reason: 'The contract of May.' } },
  },
  answers: { 200: answer('The limits that hold.', organisationLimitsWire, exampleLimits) },
  errors: ['organisation_not_found', ...commandErrors],
});

export const getOrganisationLimitsRoute = route({
  ...operatorRoute,
  method: 'GET',
  operatorRole: 'viewer',
  path: '/ops/organisations/{org_id}/limits',
  operationId: 'getOrganisationLimits',
  summary: 'How much an organisation may do in a day',
  description: 'The limits that hold, and which of them were set for the organisation itself.',
  params: organisationParams,
  answers: { 200: answer('The limits that hold.', organisationLimitsWire, exampleLimits) },
  errors: ['organisation_not_found'],
});

const usageFields = {
  limits: onWire(dailyLimits).meta({ id: 'DailyLimits', description: 'The limits that hold now.' }),
  days: z.array(onWire(dayUsage)).describe('The days on which the organisation did something, oldest first.'),
};

export const orgUsageWire = z
  .object({ org_name: z.string().describe('Name of the organisation.'), ...usageFields })
  .meta({ id: 'OrgUsage', description: 'What an organisation did by UTC days, and what it may do.' });
export type OrgUsageWire = z.infer<typeof orgUsageWire>;

export const organisationUsageWire = z
  .object({
    org_id: z.string().describe('Id of the organisation.'),
    org_name: z.string().describe('Its name.'),
    ...usageFields,
  })
  .meta({ id: 'OrganisationUsage', description: 'What an organisation did by UTC days, as operators see it.' });
export type OrganisationUsageWire = z.infer<typeof organisationUsageWire>;

const dayMs = 24 * 60 * 60 * 1_000;

const firstDay = '0001-01-01';
const day = z.iso
  .date({ error: 'must be a day of the calendar, such as 2026-01-31', abort: true })
  .refine((text) => text >= firstDay, { message: `must be ${firstDay} or later`, abort: true });

/** The days that a request for usage names. */
export const usageQuery = z
  .object({
    from: day
      .optional()
      .describe(`The first day, such as 2026-01-01. Default: ${limits.usageDaysDefault - 1} days before the last one.`),
    to: day.optional().describe('The last day. Default: today, in UTC.'),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    message: 'must not be after to',
    path: ['from'],
  })
  .refine(
    ({ from, to }) =>
      from === undefined ||
      (Date.parse(to ?? new Date().toISOString()) - Date.parse(from)) / dayMs < limits.usageDaysMax,
    { message: `must be at most ${limits.usageDaysMax - 1} days before to: ask for less at a time`, path: ['from'] },
  );

const exampleUsage: OrgUsageWire = {
  org_name: exampleOrganisation.org_name,
  limits: { calls_per_day: 10_000, registrations_per_day: 50, reads_per_day: 0 },
  days: [
    {
      day: '2026-01-15',
      calls: { used: 8_120, in_production: 8_000, in_sandbox: 120, failed: 14, refused: 0 },
      registrations: { used: 3, in_production: 2, in_sandbox: 1, failed: 1, refused: 0 },
      reads: { used: 25_310, in_production: 25_310, in_sandbox: 0, failed: 12, refused: 0 },
    },
  ],
};

const usageDescription =
  `At most ${limits.usageDaysMax} days in one answer. Calls and payments, registrations and reads count with all keys and agents of the organisation. Counts of other ` +
  'gateways follow within seconds.';

export const orgUsageRoute = route({
  method: 'GET',
  path: '/org/usage',
  countsAs: null,
  operationId: 'getOrgUsage',
  summary: 'What an organisation did by days, and what it may do',
  description: `${usageDescription} The same with either key. This request counts as nothing.`,
  tag: 'Organisations',
  credentials: ['organisation'],
  organisationScope: 'read',
  query: usageQuery,
  answers: { 200: answer('What it did.', orgUsageWire, exampleUsage) },
});

export const organisationUsageRoute = route({
  ...operatorRoute,
  method: 'GET',
  operatorRole: 'viewer',
  path: '/ops/organisations/{org_id}/usage',
  operationId: 'getOrganisationUsage',
  summary: 'What an organisation did by days, for operators',
  description: usageDescription,
  params: organisationParams,
  query: usageQuery,
  answers: { 200: answer('What it did.', organisationUsageWire, { ...exampleOrganisation, ...exampleUsage }) },
  errors: ['organisation_not_found'],
});

/** The routes of limits and usage, in the order of the OpenAPI document. */
export const quotaRoutes: readonly Route[] = [
  orgUsageRoute,
  setOrganisationLimitsRoute,
  getOrganisationLimitsRoute,
  organisationUsageRoute,
];
