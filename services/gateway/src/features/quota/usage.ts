import {
  type DailyLimits,
  dailyLimits,
  DomainError,
  dayUsage,
  getOrganisationLimits,
  limits as contractLimits,
  listUsage,
  type OrganisationLimits,
  organisationUsageRoute,
  type OrganisationUsageWire,
  orgUsageRoute,
  type OrgUsageWire,
  toWire,
} from '@agent-trust/contracts';
import type { FastifyRequest } from 'fastify';
import { ask } from '../../bus/ask.ts';
import type { Gateway } from '../../gateway.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { dayOf } from '../../quota/ledger.ts';

const own = endpoint(orgUsageRoute, async ({ query, caller, request }, gateway): Promise<OrgUsageWire> => {
  const { orgId, orgName } = caller.organisation;
  const [limits, days] = await Promise.all([limitsOf(gateway, request, orgId), daysOf(gateway, request, orgId, query)]);
  return { org_name: orgName, limits: toWire(dailyLimits, limits), days };
});

const ofAny = endpoint(
  organisationUsageRoute,
  async ({ params, query, request }, gateway): Promise<OrganisationUsageWire> => {
    const limits = await limitsOf(gateway, request, params.org_id);
    const { orgId, orgName } = limits;
    const days = await daysOf(gateway, request, orgId, query);
    return { org_id: orgId, org_name: orgName, limits: toWire(dailyLimits, limits satisfies DailyLimits), days };
  },
);

/** @throws DomainError organisation_not_found */
export async function limitsOf(
  gateway: Gateway,
  request: FastifyRequest,
  organisation: string,
): Promise<OrganisationLimits> {
  const { limits } = await ask(gateway, request, getOrganisationLimits, { organisation });
  if (limits !== null) return limits;
  throw new DomainError('organisation_not_found', `there is no organisation ${JSON.stringify(organisation)}`);
}

const dayMs = 24 * 60 * 60 * 1_000;

const daysOf = async (
  gateway: Gateway,
  request: FastifyRequest,
  orgId: string,
  asked: { from?: string | undefined; to?: string | undefined },
): Promise<OrgUsageWire['days']> => {
  const to = asked.to ?? dayOf(Date.now());
  const from = asked.from ?? dayOf(Date.parse(to) - (contractLimits.usageDaysDefault - 1) * dayMs);
  // What this gateway has counted is shown at once.
  await gateway.quotas.report();
  const { days } = await ask(gateway, request, listUsage, { orgId, from, to });
  return days.map((day) => toWire(dayUsage, day));
};

export const usageEndpoints: readonly Endpoint[] = [own, ofAny];
