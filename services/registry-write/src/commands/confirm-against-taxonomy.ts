import {
  type CapabilityResolution,
  resolveCapabilities,
  type Universe,
  type WeightedCapability,
} from '@agent-trust/contracts';
import { type CapabilityConfirmation, confirmCapabilities, type ConfirmationAnswers } from '@agent-trust/domain';
import { askProjection } from '../ask-projection.ts';
import type { CommandDeps } from '../command-deps.ts';
import type { RunningCommand } from '../run-command.ts';

/** Capabilities as a client submitted them, names in normal form. */
export type SubmittedCapabilities = {
  /** Where the agent lives: the taxonomy as it is known there counts. */
  universe: Universe;
  capabilities: readonly WeightedCapability[];
  /** Names that are not looked up: those that the agent has already, or all of the admin's. */
  isTakenAsGiven: (name: string) => boolean;
  answers: ConfirmationAnswers;
};

/**
 * Has the taxonomy resolve what was submitted, and holds it to the answers; see `confirmCapabilities`. Nothing to look up asks nobody, so
 * that such a command does not need trust-projection.
 */
export async function confirmAgainstTaxonomy(
  deps: CommandDeps,
  running: RunningCommand,
  { universe, capabilities, isTakenAsGiven, answers }: SubmittedCapabilities,
): Promise<CapabilityConfirmation> {
  const names = [...new Set(capabilities.map(({ name }) => name))].filter((name) => !isTakenAsGiven(name));
  const resolutions: CapabilityResolution[] =
    names.length === 0
      ? []
      : (await askProjection(deps, running, resolveCapabilities, { universe, names })).resolutions;
  return confirmCapabilities({ submitted: capabilities, resolutions, answers });
}
