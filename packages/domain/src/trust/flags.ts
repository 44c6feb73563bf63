import type { AgentFlag, Universe } from '@agent-trust/contracts';
import { cautionScoreMin } from './decision-rule.ts';

/** What the flags of an agent are made from; `trustScore` is rounded, 0–100. */
export type FlaggedAgent = {
  verified: boolean;
  transactionCount: number;
  endpointUrl: string | null;
  trustScore: number;
  universe: Universe;
};

/** The flags of a registered agent, in the order of the closed list. */
export function flagsOf(agent: FlaggedAgent): AgentFlag[] {
  const flags: [AgentFlag, boolean][] = [
    ['unverified', !agent.verified],
    ['no_transactions', agent.transactionCount === 0],
    ['no_endpoint', agent.endpointUrl === null],
    ['low_trust', agent.trustScore < cautionScoreMin],
    ['sandbox', agent.universe.kind === 'sandbox'],
  ];
  return flags.filter(([, holds]) => holds).map(([flag]) => flag);
}

/** The flags of an agent that nobody has registered. */
export const unregisteredFlags: readonly AgentFlag[] = ['unregistered'];
