import type { AgentConfiguration, ConfigurationPatch } from '@agent-trust/contracts';

/** A configuration with the fields of `patch` in place of its own; fields that the patch does not name stay. */
export function patchConfiguration(configuration: AgentConfiguration, patch: ConfigurationPatch): AgentConfiguration {
  const named = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...configuration, ...(Object.fromEntries(named) as Partial<AgentConfiguration>) };
}
