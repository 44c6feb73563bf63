import { whoamiRoute } from '@agent-trust/contracts';
import { authenticateOrganisation } from '../../http/caller/organisation.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const whoami: Endpoint = endpoint(whoamiRoute, async ({ request }, gateway) => {
  const { orgName, universe } = await authenticateOrganisation(gateway, request, 'whoami');
  return { org_name: orgName, is_sandbox: universe.kind === 'sandbox' };
});
