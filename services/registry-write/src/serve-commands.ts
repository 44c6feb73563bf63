import { unaryMethodsOf } from '@agent-trust/contracts';
import { type Rpc, serveAll } from '@agent-trust/nats-rpc';
import { activateTrustPolicy } from './commands/activate-trust-policy.ts';
import { answerReview } from './commands/answer-review.ts';
import { blockCommands } from './commands/block-agent.ts';
import { capabilityAliasCommands } from './commands/capability-aliases.ts';
import { claimCommands } from './commands/claims.ts';
import { erasePersonalData } from './commands/erase-personal-data.ts';
import { moveAgent } from './commands/move-agent.ts';
import { operatorKeyCommands } from './commands/operator-keys.ts';
import { organisationCommands } from './commands/organisations.ts';
import { orgDomainProofCommands } from './commands/org-domain-proofs.ts';
import { promoteAgent } from './commands/promote-agent.ts';
import { registerAgent } from './commands/register-agent.ts';
import { submitReview } from './commands/submit-review.ts';
import { voidReviews } from './commands/void-reviews.ts';
import { updateAgent } from './commands/update-agent.ts';
import { webhookCommands } from './commands/webhooks.ts';
import type { CommandDeps } from './run-command.ts';

/** Serves every command; resolves when the server has confirmed all subscriptions. A missing handler is a type error. */
export function serveCommands(rpc: Rpc, deps: CommandDeps): Promise<void> {
  return serveAll(rpc, unaryMethodsOf('registry-write'), {
    ...organisationCommands(deps),
    ...webhookCommands(deps),
    ...operatorKeyCommands(deps),
    ...claimCommands(deps),
    ...capabilityAliasCommands(deps),
    ...orgDomainProofCommands(deps),
    ...blockCommands(deps),
    registerAgent: registerAgent(deps),
    updateAgent: updateAgent(deps),
    publishAgent: moveAgent(deps, 'PublishAgent'),
    withdrawAgent: moveAgent(deps, 'WithdrawAgent'),
    promoteAgent: promoteAgent(deps),
    erasePersonalData: erasePersonalData(deps),
    submitReview: submitReview(deps),
    voidReviews: voidReviews(deps),
    answerReview: answerReview(deps),
    activateTrustPolicy: activateTrustPolicy(deps),
    getWriterStatus: () => Promise.resolve({}),
  });
}
