import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options.ts';
import type {
  OrganisationLimits,
  OrganisationLimitsRequest,
  OrganisationUsage,
  OrgUsage,
  UsageQuery,
} from '../types.ts';
import { ask, get, pathOf } from './ask.ts';

const own = ['organisation'] as const;
const operator = ['admin'] as const;
const limitsPath = '/ops/organisations/{org_id}/limits';

/** What an organisation sees of its limits. */
export function usageOperations(transport: Transport) {
  return {
    /** What the organisation did by UTC days, and what it may do; by default the last 30 days. Either key will do. */
    usage: (query: UsageQuery = {}, options?: RequestOptions): Promise<OrgUsage> =>
      get(transport, { path: '/org/usage', query, credentials: own }, options),
  };
}

/** What operators do with limits. */
export function limitOperations(transport: Transport) {
  return {
    /** How much an organisation, by its id or name, may do in a UTC day. */
    organisationLimits: (organisation: string, options?: RequestOptions): Promise<OrganisationLimits> =>
      get(transport, { ...pathOf(limitsPath, organisation), credentials: operator }, options),

    /** Sets all three limits: 0 is none, and what is absent is the default of the installation. Retried after failures: it changes nothing twice. */
    setOrganisationLimits: (
      organisation: string,
      body: OrganisationLimitsRequest,
      options?: RequestOptions,
    ): Promise<OrganisationLimits> =>
      ask(
        transport,
        { method: 'PUT', ...pathOf(limitsPath, organisation), json: body, credentials: operator, repeat: 'always' },
        options,
      ),

    /** What an organisation, by its id or name, did by UTC days; by default the last 30 days. */
    organisationUsage: (
      organisation: string,
      query: UsageQuery = {},
      options?: RequestOptions,
    ): Promise<OrganisationUsage> =>
      get(
        transport,
        { ...pathOf('/ops/organisations/{org_id}/usage', organisation), query, credentials: operator },
        options,
      ),
  };
}
