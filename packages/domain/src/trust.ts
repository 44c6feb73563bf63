import type { AgentBlock, AgentFlag, RecommendedAction, Universe } from '@agent-trust/contracts';

/** The lowest score at which a consumer should proceed, and proceed with limits; below both it should abort. */
export const trustedScoreMin = 70;
export const cautionScoreMin = 50;

/** What is shown of an agent's trust: a blocked one is shown like an unregistered one, whatever it has earned. */
export function shownTrustOf(
  agent: Parameters<typeof flagsOf>[0],
  block: AgentBlock | null,
): { trustScore: number; flags: AgentFlag[]; recommendedAction: RecommendedAction } {
  if (block !== null) return { trustScore: 0, flags: [block], recommendedAction: 'block' };
  const { trustScore } = agent;
  return { trustScore, flags: flagsOf(agent), recommendedAction: recommendedActionOf(trustScore) };
}

/** The recommendation for a registered agent (specification, "Decision rule for consumers"). */
export function recommendedActionOf(trustScore: number): RecommendedAction {
  if (trustScore >= trustedScoreMin) return 'proceed';
  return trustScore >= cautionScoreMin ? 'proceed_with_limits' : 'abort';
}

/** The flags of a registered agent, in the order of the closed list. `trustScore` is rounded, 0–100. */
export function flagsOf(agent: {
  verified: boolean;
  transactionCount: number;
  endpointUrl: string | null;
  trustScore: number;
  /** The proof of its org_domain is missing, and ends unless it is found again. */
  hasLapsedDomain: boolean;
  universe: Universe;
}): AgentFlag[] {
  const flags: [AgentFlag, boolean][] = [
    ['unverified', !agent.verified],
    ['no_transactions', agent.transactionCount === 0],
    ['no_endpoint', agent.endpointUrl === null],
    ['low_trust', agent.trustScore < cautionScoreMin],
    ['domain_proof_lapsed', agent.hasLapsedDomain],
    ['sandbox', agent.universe.kind === 'sandbox'],
  ];
  return flags.filter(([, holds]) => holds).map(([flag]) => flag);
}
