import { CredentialError } from '../credential-error.ts';
import { UsageError } from '../usage-error.ts';
import type { Settings } from './settings.ts';

/** The kinds of credentials. `org` and `sandbox` are the two keys of an organisation. */
export const authKinds = ['agent', 'signature', 'org', 'sandbox', 'admin', 'none'] as const;
export type AuthKind = (typeof authKinds)[number];

/** Credentials to send, each with its value. */
export type Chosen = {
  agentKey?: string;
  signer?: { agentId: string; keyFile: string };
  orgKey?: string;
  adminToken?: string;
};

/** How to provide each kind, for the error if it is missing. */
const howToGive: Record<Exclude<AuthKind, 'none'>, string> = {
  agent: 'AGENT_TRUST_AGENT_KEY, --agent-key-file, or save it with "agent-trust claim --save"',
  signature: '--key-file or AGENT_TRUST_KEY_FILE, together with --agent-id',
  org: 'AGENT_TRUST_ORG_KEY, --org-key-file, or save it with "agent-trust org create --save"',
  sandbox: 'AGENT_TRUST_SANDBOX_KEY, --org-key-file, or save it with "agent-trust org create --save"',
  admin: 'AGENT_TRUST_ADMIN_TOKEN or --admin-token-file',
};

const names: Record<Exclude<AuthKind, 'none'>, string> = {
  agent: "an agent's bearer key",
  signature: "an agent's private key to sign with",
  org: "an organisation's key",
  sandbox: "an organisation's sandbox key",
  admin: "the operator's token",
};

/** The error for a missing credential. */
export function missing(kind: Exclude<AuthKind, 'none'>, settings: Settings): CredentialError {
  return new CredentialError(
    `this needs ${names[kind]} for ${settings.url}: set ${howToGive[kind]} (profile ${settings.profileName} of ${settings.configFile} has none for this address)`,
  );
}

/** One kind of credential for an agent, or undefined if there is none. */
const find = async (kind: AuthKind, settings: Settings, agentId: string | undefined): Promise<Chosen | undefined> => {
  const { secrets } = settings;
  switch (kind) {
    case 'agent': {
      const agentKey = await secrets.agentKey(agentId);
      return agentKey === undefined ? undefined : { agentKey };
    }
    case 'signature': {
      const keyFile = secrets.keyFile(agentId);
      return keyFile === undefined || agentId === undefined ? undefined : { signer: { agentId, keyFile } };
    }
    case 'org':
    case 'sandbox': {
      const orgKey = await (kind === 'org' ? secrets.orgKey() : secrets.sandboxKey());
      return orgKey === undefined ? undefined : { orgKey };
    }
    case 'admin': {
      const adminToken = await secrets.adminToken();
      return adminToken === undefined ? undefined : { adminToken };
    }
    case 'none':
      return {};
    default:
      return kind satisfies never;
  }
};

/** The kinds that `--auth` names, or undefined without it. */
export function requestedKinds(auth: string | undefined): AuthKind[] | undefined {
  if (auth === undefined) return undefined;
  const kinds = auth.split(',').map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !(authKinds as readonly string[]).includes(kind));
  if (unknown !== undefined)
    throw new UsageError(`--auth takes ${authKinds.join(', ')}, several joined by commas; not "${unknown}"`);
  if (kinds.includes('none') && kinds.length > 1) throw new UsageError('--auth none stands alone');
  if (kinds.includes('org') && kinds.includes('sandbox'))
    throw new UsageError('--auth takes org or sandbox: a request carries one key of an organisation');
  return kinds as AuthKind[];
}

/**
 * The credentials that a command sends: all that `--auth` names, else the first available one of `order`. A file named on the command line comes
 * before a saved credential. Two are sent only on request: together they can mean more than each alone (an agent's and an organisation's key make the
 * agent the organisation's).
 * @throws CredentialError if there is none.
 */
export async function chooseCredentials(
  settings: Settings,
  auth: string | undefined,
  order: readonly AuthKind[],
  agentId = settings.agentId,
): Promise<Chosen> {
  const asked = requestedKinds(auth);
  if (asked !== undefined) {
    const chosen: Chosen = {};
    for (const kind of asked) {
      const found = await find(kind, settings, agentId);
      if (found === undefined) throw missing(kind as Exclude<AuthKind, 'none'>, settings);
      Object.assign(chosen, found);
    }
    return chosen;
  }
  const isNamed = (kind: AuthKind): boolean => (settings.named as readonly AuthKind[]).includes(kind);
  for (const kind of [...order.filter(isNamed), ...order.filter((kind) => !isNamed(kind))]) {
    const found = await find(kind, settings, agentId);
    if (found !== undefined) return found;
  }
  throw missing((order[0] ?? 'agent') as Exclude<AuthKind, 'none'>, settings);
}
