import { flag, type OptionValues, text } from './option.ts';

/** The kinds of credentials. `org` and `sandbox` are the two keys of an organisation. */
export const authKinds = ['agent', 'signature', 'org', 'sandbox', 'admin', 'none'] as const;
export type AuthKind = (typeof authKinds)[number];

/** Options that every command takes. */
export const globalOptions = {
  json: flag('--json', "the registry's answer as JSON on standard output; streams as JSON Lines"),
  url: text('--url <url>', 'the registry (AGENT_TRUST_URL; default http://127.0.0.1:8080)'),
  profile: text('--profile <name>', 'saved credentials to use (AGENT_TRUST_PROFILE; default: default)', 'profile'),
  agentId: text('--agent-id <id>', 'the agent that acts (AGENT_TRUST_AGENT_ID; default: the saved one)', 'agent'),
  sandbox: flag(
    '--sandbox',
    "use the organisation's sandbox key (AGENT_TRUST_SANDBOX_KEY): its sandbox, not production",
  ),
  auth: text('--auth <kinds>', `credentials to send, instead of the usual ones: ${authKinds.join(', ')}`, authKinds),
  keyFile: text('--key-file <file>', 'private key that the acting agent signs with (AGENT_TRUST_KEY_FILE)', 'file'),
  agentKeyFile: text(
    '--agent-key-file <file>',
    "file with the agent's bearer key (AGENT_TRUST_AGENT_KEY); - for stdin",
    'file',
  ),
  orgKeyFile: text(
    '--org-key-file <file>',
    "file with the organisation's key (AGENT_TRUST_ORG_KEY); - for stdin",
    'file',
  ),
  adminKeyFile: text(
    '--admin-key-file <file>',
    'file with the key of the installation (AGENT_TRUST_ADMIN_KEY); npm start keeps it in .data/secrets.json',
    'file',
  ),
  operatorKeyFile: text(
    '--operator-key-file <file>',
    "file with an operator's key or token (AGENT_TRUST_OPERATOR_KEY); - for stdin",
    'file',
  ),
  adminTokenFile: text(
    '--admin-token-file <file>',
    'file with the token of the installation (AGENT_TRUST_ADMIN_TOKEN); npm start keeps it in .data/secrets.json',
    'file',
  ),
  timeout: text('--timeout <seconds>', 'timeout of each attempt (three at most); default 45'),
} as const;

export type GlobalOptions = Partial<OptionValues<typeof globalOptions>>;
