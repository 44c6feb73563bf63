import { type Profile, readConfig, updateConfig, type StoredAgent } from './config-file.ts';
import type { Settings } from './settings.ts';
import { UsageError } from '../errors.ts';

/** Sets an own property whatever its name is: an agent may be called `__proto__`. */
const put = <Value>(record: Record<string, Value>, name: string, value: Value): void =>
  void Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });

/**
 * Fails before a secret that is shown once is requested, if it could not be saved. @throws UsageError for another registry's profile or a read-only
 * file.
 */
export function checkCanSave(settings: Settings): void {
  const { configFile, profileName } = settings;
  if (!/^[\w.-]{1,64}$/u.test(profileName) || profileName === '__proto__')
    throw new UsageError(`--profile must be 1 to 64 letters, digits, dots, dashes or underscores`);
  const { profiles } = readConfig(configFile);
  refuseOtherRegistry(settings, Object.hasOwn(profiles, profileName) ? profiles[profileName] : undefined);
  try {
    updateConfig(configFile, () => undefined);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `The config file ${configFile} cannot be written (${(error as NodeJS.ErrnoException).code ?? ''}): set AGENT_TRUST_CONFIG to a file that can`,
      { cause: error },
    );
  }
}

/** The secrets in a profile are sent to its address: another address would get them all. */
const refuseOtherRegistry = ({ profileName, url }: Settings, kept: Profile | undefined): void => {
  if (kept?.url !== undefined && kept.url !== url)
    throw new UsageError(
      `profile ${profileName} keeps credentials for ${kept.url}, not for ${url}: name another with --profile`,
    );
};

/**
 * Another organisation's key must not overwrite one that is stored nowhere else. @throws UsageError if the profile has keys of another organisation.
 */
export function refuseOtherOrganisation({ profileName }: Settings, kept: Profile, orgName: string): void {
  if (kept.org_name !== undefined && kept.org_name !== orgName)
    throw new UsageError(
      `profile ${profileName} keeps the keys of ${kept.org_name}, not of ${orgName}: name another with --profile`,
    );
}

export function saveOrganisation(
  settings: Settings,
  orgName: string,
  keys: Pick<Profile, 'org_key' | 'sandbox_key'>,
): void {
  return saveProfile(settings, (profile) => {
    refuseOtherOrganisation(settings, profile, orgName);
    Object.assign(profile, { org_name: orgName, ...keys });
  });
}

/** Changes the profile of these settings; creates it if it is missing, bound to the registry's address. */
export function saveProfile(settings: Settings, change: (profile: Profile) => void): void {
  return updateConfig(settings.configFile, (config) => {
    const profile =
      (Object.hasOwn(config.profiles, settings.profileName) && config.profiles[settings.profileName]) || {};
    // Checked again: another command may have created the profile since `checkCanSave`.
    refuseOtherRegistry(settings, profile);
    profile.url = settings.url;
    change(profile);
    put(config.profiles, settings.profileName, profile);
  });
}

/** Saves what is known of an agent; the first saved agent is the one that acts from then on. */
export function saveAgent(settings: Settings, agentId: string, agent: StoredAgent, makeCurrent = false): void {
  return saveProfile(settings, (profile) => {
    profile.agents ??= {};
    const kept = Object.hasOwn(profile.agents, agentId) ? profile.agents[agentId] : {};
    put(profile.agents, agentId, { ...kept, ...agent });
    if (makeCurrent || profile.agent_id === undefined) profile.agent_id = agentId;
  });
}
