import { createRegistryClient, type RegistryClient } from '@agent-trust/client';
import { registryUrl } from '../address.ts';
import type { Session } from './session.ts';

/** One answer of a page. Shorter than the client's own limit: a reader waits. */
const timeoutMs = 15_000;

/** A client with the credentials of a session; its organisation's key is that of the universe that the reader looks at. */
export function clientFor(session: Session): RegistryClient {
  const organisation = session.universe === 'sandbox' ? session.sandbox : session.organisation;
  return createRegistryClient({
    baseUrl: registryUrl,
    timeoutMs,
    // The page shows a refusal at once, with a button that tries again.
    retry: false,
    agentKey: session.agent?.key,
    orgKey: organisation?.key,
    adminToken: session.operator?.key,
  });
}
