import { CredentialError, UsageError } from '../errors.ts';
import { type AuthKind, authKinds } from '../program/global-options.ts';
import { given } from '../program/option.ts';
import type { Settings } from './settings.ts';

export type Chosen = {
  agentKey?: string;
  signer?: { agentId: string; keyFile: string };
  orgKey?: string;
  adminToken?: string;
  adminKey?: string;
};

/** Each kind, and how to provide it. */
const names: Record<Exclude<AuthKind, 'none'>, readonly [name: string, source: string]> = {
  agent: [
    "an agent's bearer key",
    'AGENT_TRUST_AGENT_KEY, --agent-key-file, or save it with "agent-trust claim --save"',
  ],
  signature: ["an agent's private key to sign with", '--key-file or AGENT_TRUST_KEY_FILE, together with --agent-id'],
  org: [
    "an organisation's key",
    'AGENT_TRUST_ORG_KEY, --org-key-file, or save it with "agent-trust org create --save"',
  ],
  sandbox: [
    "an organisation's sandbox key",
    'AGENT_TRUST_SANDBOX_KEY, --org-key-file, or save it with "agent-trust org create --save"',
  ],
  admin: [
    "an operator's key or token",
    'AGENT_TRUST_OPERATOR_KEY, --operator-key-file, AGENT_TRUST_ADMIN_TOKEN or --admin-token-file',
  ],
};

const missing = (kind: AuthKind, { url, profileName, configFile }: Settings): CredentialError => {
  const [name, source] = names[kind as keyof typeof names];
  return new CredentialError(
    `this needs ${name} for ${url}: set ${source} (profile ${profileName} of ${configFile} has none for this address)`,
  );
};

/** One kind of credential for an agent, or undefined if there is none. */
const find = async (kind: AuthKind, settings: Settings, agentId: string | undefined): Promise<Chosen | undefined> => {
  const { secrets } = settings;
  const keyFile = secrets.keyFile(agentId);
  const signer = keyFile === undefined || agentId === undefined ? undefined : { agentId, keyFile };
  const kinds = {
    agent: async () => given({ agentKey: await secrets.agentKey(agentId) }),
    signature: async () => given({ signer }),
    org: async () => given({ orgKey: await secrets.orgKey() }),
    sandbox: async () => given({ orgKey: await secrets.sandboxKey() }),
    admin: async () => given({ adminToken: await secrets.adminToken() }),
  };
  if (kind === 'none') return {};
  const found: Chosen = await kinds[kind]();
  return Object.keys(found).length === 0 ? undefined : found;
};

/** The kinds that `--auth` names, or undefined without it. */
const requestedKinds = (auth: string | undefined): AuthKind[] | undefined => {
  if (auth === undefined) return undefined;
  const kinds = auth.split(',').map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !(authKinds as readonly string[]).includes(kind));
  if (unknown !== undefined)
    throw new UsageError(`--auth takes ${authKinds.join(', ')}, several joined by commas; not "${unknown}"`);
  if (kinds.includes('none') && kinds.length > 1) throw new UsageError('--auth none stands alone');
  if (kinds.includes('org') && kinds.includes('sandbox'))
    throw new UsageError('--auth takes org or sandbox: a request carries one key of an organisation');
  return kinds as AuthKind[];
};

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
      if (found === undefined) throw missing(kind, settings);
      Object.assign(chosen, found);
    }
    return chosen;
  }
  const named = order.filter((kind) => settings.named.includes(kind));
  for (const kind of new Set([...named, ...order])) {
    const found = await find(kind, settings, agentId);
    if (found !== undefined) return found;
  }
  throw missing(order[0] ?? 'agent', settings);
}
