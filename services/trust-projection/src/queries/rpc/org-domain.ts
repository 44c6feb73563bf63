import {
  findDomainsOfOrganisation,
  findDueProofs,
  findOrgDomain,
} from '../../projector/read-models/org-domains/queries.ts';
import { queryLimits } from '../../shared/limits.ts';
import { within } from '../../shared/within.ts';
import type { QueryContext } from '../registry-queries.ts';

/** Who has proved which domain. */
export function orgDomainMethods({ database, reach }: QueryContext) {
  return within(queryLimits.searchesConcurrentMax, {
    listOrgDomains: (page) => findDomainsOfOrganisation(database, page),
    getOrgDomain: async ({ orgId, domain, atLeast }, call) => {
      await reach(atLeast, call);
      return findOrgDomain(database, { orgId, domain });
    },
    listDueDomainProofs: async ({ now, limit }) => ({ proofs: await findDueProofs(database, new Date(now), limit) }),
  });
}
