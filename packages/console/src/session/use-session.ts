import type { RegistryClient } from '@agent-trust/client';
import { useSyncExternalStore } from 'react';
import { clientFor } from './client.ts';
import { createSessionStore, type Session } from './session.ts';

/** The one session of this tab. */
export const sessionStore = createSessionStore();

/** The credentials of this tab; the component is drawn again when they change. */
export function useSession(): Session {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get);
}

const clients = new WeakMap<Session, RegistryClient>();

/** The client with the tab's credentials: the same object until they change. */
export function useClient(): RegistryClient {
  return currentClient(useSession());
}

function currentClient(session: Session): RegistryClient {
  const known = clients.get(session);
  if (known !== undefined) return known;
  const made = clientFor(session);
  clients.set(session, made);
  return made;
}
