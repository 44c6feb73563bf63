import {
  type CapabilityResolution,
  resolveCapabilities,
  type Universe,
  type WeightedCapability,
} from '@agent-trust/contracts';
import {
  type CapabilityConfirmation,
  confirmCapabilities,
  type ConfirmationAnswers,
  type OwnAlias,
} from '@agent-trust/domain';
import { askProjection, type CommandDeps, type RunningCommand } from '../run-command.ts';

/** Capabilities as submitted, with names in normal form. */
type SubmittedCapabilities = {
  /** The agent's universe, which has its own view of the taxonomy. */
  universe: Universe;
  capabilities: readonly WeightedCapability[];
  /** True for names that are not looked up: those that the agent has already, or all of the admin's. */
  isTakenAsGiven: (name: string) => boolean;
  /** What the agent's owner has confirmed before. It holds for this agent, also while it is no alias for others. */
  ownAliases?: readonly OwnAlias[];
  answers: ConfirmationAnswers;
};

/** Resolves the names by the taxonomy; see `confirmCapabilities`. Only names beyond the seed need trust-projection. */
export async function confirmAgainstTaxonomy(
  deps: CommandDeps,
  running: RunningCommand,
  { universe, capabilities, isTakenAsGiven, ownAliases = [], answers }: SubmittedCapabilities,
): Promise<CapabilityConfirmation> {
  const names = [...new Set(capabilities.map(({ name }) => name))].filter((name) => !isTakenAsGiven(name));
  const seed = names.flatMap((name) => deps.seed.resolve(name) ?? []);
  const own = names.flatMap((name): CapabilityResolution[] => {
    const known = ownAliases.find(({ alias }) => alias === name);
    return known === undefined ? [] : [{ name, outcome: 'alias', canonical: known.name }];
  });
  const known = new Set([...seed, ...own].map(({ name }) => name));
  const others = names.filter((name) => !known.has(name));
  const learned = await resolveLearned(deps, running, universe, others);
  // The seed's meaning of a name precedes all others.
  return confirmCapabilities({ submitted: capabilities, resolutions: [...own, ...learned, ...seed], answers });
}

/** Learned names and new ones: they grow with the agents, and are ranked in Postgres. */
const resolveLearned = async (
  deps: CommandDeps,
  running: RunningCommand,
  universe: Universe,
  names: string[],
): Promise<CapabilityResolution[]> =>
  names.length === 0 ? [] : (await askProjection(deps, running, resolveCapabilities, { universe, names })).resolutions;
