import { type Io, readInput } from '../io.ts';
import { UsageError } from '../errors.ts';
import type { AuthKind, GlobalOptions } from '../program/global-options.ts';
import { given } from '../program/option.ts';
import { configPath, type Profile, readConfig } from './config-file.ts';

const defaultUrl = 'http://127.0.0.1:8080';

/** The settings from the command line, the environment and the profile, in this order of precedence. */
export type Settings = {
  url: string;
  configFile: string;
  profileName: string;
  /** The stored profile, without its secrets if the command uses another registry than the profile's. */
  profile: Profile;
  agentId: string | undefined;
  timeoutMs: number;
  /** Kinds of credentials whose file the command line names. */
  named: readonly AuthKind[];
  secrets: {
    agentKey: (agentId: string | undefined) => Promise<string | undefined>;
    keyFile: (agentId: string | undefined) => string | undefined;
    orgKey: () => Promise<string | undefined>;
    sandboxKey: () => Promise<string | undefined>;
    adminKey: () => Promise<string | undefined>;
    /** An operator's key or token; else the token of the installation. */
    adminToken: () => Promise<string | undefined>;
    operatorKey: () => Promise<string | undefined>;
  };
};

const timeoutSecondsMax = 3_600;
/** Longer than the registry's timeout for agents, so that the registry's own answer arrives. */
const timeoutSecondsDefault = 45;

const baseUrl = (text: string, from: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${from} must be an http or https address, like ${defaultUrl}`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${from} must not have a user or password in it`);
  return `${url.origin}${url.pathname.replace(/\/+$/u, '')}`;
};

const timeoutOf = (text: string | undefined): number => {
  const seconds = text === undefined ? timeoutSecondsDefault : Number(text);
  if (!(seconds > 0 && seconds <= timeoutSecondsMax))
    throw new UsageError(`--timeout must be a number of seconds from 1 to ${timeoutSecondsMax}`);
  return Math.ceil(seconds * 1_000);
};

/** A secret from a file that contains only it, or from a JSON object with its name, as the development stack stores its secrets. */
const secretIn = async (path: string, io: Pick<Io, 'readStdin'>, name: string): Promise<string> => {
  const text = (await readInput(path, io)).trim();
  if (!text.startsWith('{')) {
    if (text === '') throw new UsageError(`${path === '-' ? 'standard input' : path} is empty`);
    return text;
  }
  let value: unknown;
  try {
    value = (JSON.parse(text) as Record<string, unknown>)[name];
  } catch (error) {
    throw new UsageError(`${path} is no JSON`, { cause: error });
  }
  if (typeof value !== 'string' || value === '') throw new UsageError(`${path} has no ${name}`);
  return value;
};

const oneOf =
  (io: Pick<Io, 'env' | 'readStdin'>, path: string | undefined, variable: string, name: string, kept?: string) =>
  async (): Promise<string | undefined> => {
    if (path !== undefined) return secretIn(path, io, name);
    return io.env[variable] || kept;
  };

/** @throws UsageError for an invalid address, profile or config file. */
export function readSettings(global: GlobalOptions, io: Pick<Io, 'env' | 'readStdin'>): Settings {
  const { env } = io;
  const configFile = configPath(env);
  const { profiles } = readConfig(configFile);
  const profileName = global.profile ?? (env['AGENT_TRUST_PROFILE'] || 'default');
  const named = Object.hasOwn(profiles, profileName) ? profiles[profileName] : undefined;
  const storedUrl = baseUrl(named?.url ?? defaultUrl, `The url of profile ${profileName}`);
  const url =
    global.url !== undefined
      ? baseUrl(global.url, '--url')
      : env['AGENT_TRUST_URL']
        ? baseUrl(env['AGENT_TRUST_URL'], 'AGENT_TRUST_URL')
        : storedUrl;
  // Secrets stored for one registry are never sent to another.
  const profile: Profile = url === storedUrl ? (named ?? {}) : {};
  const stored = (agentId: string | undefined) =>
    agentId !== undefined && Object.hasOwn(profile.agents ?? {}, agentId) ? profile.agents?.[agentId] : undefined;
  const agentId = global.agentId ?? (env['AGENT_TRUST_AGENT_ID'] || profile.agent_id);
  // Credentials of the environment are for the acting agent only; a file on the command line is for the agent of the command.
  const isActing = (id: string | undefined): boolean => id === undefined || agentId === undefined || id === agentId;
  const isMeant = (file: string | undefined, id: string | undefined): boolean =>
    isActing(id) || (file !== undefined && global.agentId === undefined);
  const files = {
    signature: global.keyFile,
    agent: global.agentKeyFile,
    org: global.orgKeyFile,
    admin: global.operatorKeyFile ?? global.adminTokenFile,
  };
  const operatorKey = oneOf(io, global.operatorKeyFile, 'AGENT_TRUST_OPERATOR_KEY', 'key');
  const adminToken = oneOf(io, global.adminTokenFile, 'AGENT_TRUST_ADMIN_TOKEN', 'ADMIN_TOKEN');
  const orgKey = oneOf(io, global.orgKeyFile, 'AGENT_TRUST_ORG_KEY', 'api_key', profile.org_key);
  return {
    url,
    configFile,
    profileName,
    profile,
    agentId,
    timeoutMs: timeoutOf(global.timeout),
    named: Object.keys(given(files)) as AuthKind[],
    secrets: {
      agentKey: async (id) =>
        isMeant(global.agentKeyFile, id)
          ? oneOf(io, global.agentKeyFile, 'AGENT_TRUST_AGENT_KEY', 'agent_key', stored(id)?.agent_key)()
          : stored(id)?.agent_key,
      keyFile: (id) =>
        isMeant(global.keyFile, id)
          ? (global.keyFile ?? (env['AGENT_TRUST_KEY_FILE'] || stored(id)?.key_file))
          : stored(id)?.key_file,
      orgKey,
      sandboxKey: async () =>
        global.orgKeyFile !== undefined
          ? orgKey()
          : env['AGENT_TRUST_SANDBOX_KEY'] || env['AGENT_TRUST_ORG_KEY'] || profile.sandbox_key,
      adminKey: oneOf(io, global.adminKeyFile, 'AGENT_TRUST_ADMIN_KEY', 'ADMIN_KEY'),
      // A file on the command line comes before a key of the environment.
      adminToken: async () =>
        global.operatorKeyFile === undefined && global.adminTokenFile !== undefined
          ? adminToken()
          : ((await operatorKey()) ?? adminToken()),
      operatorKey,
    },
  };
}
