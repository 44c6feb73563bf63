import { whoamiRoute } from '@agent-trust/contracts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const whoami: Endpoint = endpoint(whoamiRoute, async ({ caller }) => {
  const { orgName, universe } = caller.organisation;
  return { org_name: orgName, is_sandbox: universe.kind === 'sandbox' };
});
