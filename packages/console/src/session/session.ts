/**
 * The credentials of this tab. They are in memory alone: nothing here writes to a storage, a cookie or an address, so they are gone with the tab.
 */
export type CredentialKind = 'agent' | 'organisation' | 'sandbox' | 'operator';

/** A credential with whom it stands for. */
export type Held = {
  readonly key: string;
  /** As the registry names the holder, for example `Globex (production)`. */
  readonly who: string;
  /** The name of the organisation that a key belongs to; null for other credentials. */
  readonly organisation: string | null;
  /** What the holder may do, if the registry says so. */
  readonly rights: string | null;
  /** The same in words of the interface: an operator's role, and `break-glass`; an agent's universe; the scopes of an organisation's key. */
  readonly grants: readonly string[];
};

export type Session = Readonly<Record<CredentialKind, Held | null>> & {
  /** Changes with every credential: part of the key of each kept answer, so that no answer outlives its credential. */
  readonly epoch: number;
  /** What the reader looks at, if a sandbox key is held. */
  readonly universe: 'production' | 'sandbox';
};

export const noSession: Session = {
  agent: null,
  organisation: null,
  sandbox: null,
  operator: null,
  epoch: 0,
  universe: 'production',
};

export type SessionStore = {
  get: () => Session;
  subscribe: (listener: () => void) => () => void;
  signIn: (kind: CredentialKind, held: Held) => void;
  signOut: (kind: CredentialKind) => void;
  look: (universe: Session['universe']) => void;
};

export function createSessionStore(): SessionStore {
  let session = noSession;
  const listeners = new Set<() => void>();
  const change = (changed: Partial<Session>): void => {
    const next = { ...session, ...changed, epoch: session.epoch + 1 };
    session = next.sandbox === null ? { ...next, universe: 'production' } : next;
    for (const listener of listeners) listener();
  };
  return {
    get: () => session,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    signIn: (kind, held) => change({ [kind]: held }),
    signOut: (kind) => change({ [kind]: null }),
    look: (universe) => change({ universe }),
  };
}

/** Which kind of credential a text is, by the prefix that the registry gives its keys; null if it has none of them. */
export function kindOf(key: string): CredentialKind | null {
  if (key.startsWith('registry-agent-sk-')) return 'agent';
  if (key.startsWith('registry-org-sandbox-sk-')) return 'sandbox';
  if (key.startsWith('registry-org-sk-')) return 'organisation';
  if (key.startsWith('registry-operator-sk-')) return 'operator';
  return null;
}
