import type { HeaderMap } from '../ask.ts';
import type { Owner, Place, Resident, World } from './world.ts';

/** A viewer: its credential, and what that credential may see. */
export type Viewer = {
  name: string;
  headers: HeaderMap;
  /** The universe that the public routes show with this credential. */
  sees: Place;
  /** The owner whose agents the owner routes show. */
  owner: Owner;
  hasOrgKey: boolean;
  /** The agent that holds the key. */
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
    { name: 'an anonymous caller', headers: {}, sees: 'production', owner: null, hasOrgKey: false, agent: null },
    byKey("A's production key", A.key, 'production', 'A'),
    byKey("A's sandbox key", A.sandboxKey, 'sandbox of A', 'A'),
    byKey("B's production key", B.key, 'production', 'B'),
    byKey("B's sandbox key", B.sandboxKey, 'sandbox of B', 'B'),
    ...['independent', 'live of A', 'live of B', 'draft of A', 'withdrawn by A', 'published by A', 'draft of B'].map(
      byAgent,
    ),
  ];
}

/** Agents that the public routes show to a viewer. */
export function seenBy({ residents }: World, viewer: Viewer): Resident[] {
  return Object.values(residents).filter(({ place }) => place === viewer.sees);
}

/** Agents that the owner routes show to a viewer. */
export function ownedBy({ residents }: World, viewer: Viewer): Resident[] {
  return viewer.hasOrgKey
    ? Object.values(residents).filter(({ place, owner }) => place === viewer.sees && owner === viewer.owner)
    : [];
}
