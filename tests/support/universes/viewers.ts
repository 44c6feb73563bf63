import type { HeaderMap } from '../ask.ts';
import type { Owner, Place, Resident, World } from './world.ts';

/** Who looks, with what credential, and what that opens. */
export type Viewer = {
  name: string;
  headers: HeaderMap;
  /** The universe that the routes for everybody show with this credential. */
  sees: Place;
  /** Whose agents the routes for owners show. */
  owner: Owner;
  hasOrgKey: boolean;
  /** The agent whose key it is. */
  agent: Resident | null;
};

export function viewersOf({ A, B, residents }: World): Viewer[] {
  const byKey = (name: string, headers: HeaderMap, sees: Place, owner: Owner): Viewer => ({
    name,
    headers,
    sees,
    owner,
    hasOrgKey: true,
    agent: null,
  });
  const byAgent = (name: string): Viewer => {
    const agent = residents[name] as Resident;
    return { name: `the agent ${name}`, headers: agent.auth, sees: 'production', owner: null, hasOrgKey: false, agent };
  };
  return [
    { name: 'nobody', headers: {}, sees: 'production', owner: null, hasOrgKey: false, agent: null },
    byKey("A's production key", A.key, 'production', 'A'),
    byKey("A's sandbox key", A.sandboxKey, 'sandbox of A', 'A'),
    byKey("B's production key", B.key, 'production', 'B'),
    byKey("B's sandbox key", B.sandboxKey, 'sandbox of B', 'B'),
    ...['independent', 'live of A', 'live of B', 'draft of A', 'withdrawn by A', 'published by A', 'draft of B'].map(
      byAgent,
    ),
  ];
}

/** Agents that the routes for everybody show to a viewer. */
export function seenBy({ residents }: World, viewer: Viewer): Resident[] {
  return Object.values(residents).filter(({ place }) => place === viewer.sees);
}

/** Agents that the routes for owners show to a viewer. */
export function ownedBy({ residents }: World, viewer: Viewer): Resident[] {
  return viewer.hasOrgKey
    ? Object.values(residents).filter(({ place, owner }) => place === viewer.sees && owner === viewer.owner)
    : [];
}
