import { DomainError, whoamiRoute } from '@agent-trust/contracts';
import { authenticate } from '../../authentication/authenticate.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

export const whoami: Endpoint = endpoint(whoamiRoute, async ({ request }, gateway) => {
  const caller = await authenticate(gateway, request, 'whoami');
  if (caller.kind !== 'organisation') throw new DomainError('credential_required', 'an organisation key is required');
  return { org_name: caller.organisation.orgName, is_sandbox: caller.organisation.universe.kind === 'sandbox' };
});
