import type { PublicAgent, Universe, VerdictClaims } from '@agent-trust/contracts';
import { toHex } from '@agent-trust/transparency-log';
import type { SignedCheckpoint } from './checkpoints.ts';

/** What a signed verdict says of an agent, and of the log that it was computed from. */
export function verdictClaims(facts: {
  origin: string;
  agent: Pick<PublicAgent, 'agentId' | 'trustScore' | 'trustPolicy' | 'recommendedAction'>;
  universe: Universe;
  position: bigint;
  checkpoint: Pick<SignedCheckpoint, 'size' | 'root'>;
  now: Date;
}): VerdictClaims {
  return {
    iss: facts.origin,
    iat: Math.floor(facts.now.getTime() / 1_000),
    agent_id: facts.agent.agentId,
    universe: facts.universe.kind,
    trust_score: facts.agent.trustScore,
    trust_policy: facts.agent.trustPolicy,
    recommended_action: facts.agent.recommendedAction,
    position: String(facts.position),
    log: { origin: facts.origin, size: facts.checkpoint.size, root: toHex(facts.checkpoint.root) },
  };
}
