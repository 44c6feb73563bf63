import { unaryMethodsOf } from '@agent-trust/contracts';
import { type Rpc, serveAll } from '@agent-trust/nats-rpc';
import type { CommandDeps } from './command-deps.ts';
import { activateTrustPolicy } from './commands/activate-trust-policy.ts';
import { createOrganisation } from './commands/create-organisation.ts';
import { erasePersonalData } from './commands/erase-personal-data.ts';
import { deleteWebhook } from './commands/delete-webhook.ts';
import { issueClaim } from './commands/issue-claim.ts';
import { issueSandboxKey } from './commands/issue-sandbox-key.ts';
import { publishAgent, withdrawAgent } from './commands/move-agent.ts';
import { promoteAgent } from './commands/promote-agent.ts';
import { redeemClaim } from './commands/redeem-claim.ts';
import { registerAgent } from './commands/register-agent.ts';
import { registerWebhook } from './commands/register-webhook.ts';
import { replaceProductionKey } from './commands/replace-production-key.ts';
import { replayWebhook } from './commands/replay-webhook.ts';
import { revokeSandboxKey } from './commands/revoke-sandbox-key.ts';
import { rotateBySignature } from './commands/rotate-by-signature.ts';
import { submitReview } from './commands/submit-review.ts';
import { updateAgent } from './commands/update-agent.ts';

/** Serves every command; resolves when all of them are taken. */
export function serveCommands(rpc: Rpc, deps: CommandDeps): Promise<void> {
  return serveAll(rpc, unaryMethodsOf('registry-write'), {
    createOrganisation: createOrganisation(deps),
    issueSandboxKey: issueSandboxKey(deps),
    revokeSandboxKey: revokeSandboxKey(deps),
    replaceProductionKey: replaceProductionKey(deps),
    registerWebhook: registerWebhook(deps),
    deleteWebhook: deleteWebhook(deps),
    replayWebhook: replayWebhook(deps),
    registerAgent: registerAgent(deps),
    updateAgent: updateAgent(deps),
    publishAgent: publishAgent(deps),
    withdrawAgent: withdrawAgent(deps),
    promoteAgent: promoteAgent(deps),
    issueClaim: issueClaim(deps),
    redeemClaim: redeemClaim(deps),
    rotateBySignature: rotateBySignature(deps),
    erasePersonalData: erasePersonalData(deps),
    submitReview: submitReview(deps),
    activateTrustPolicy: activateTrustPolicy(deps),
  });
}
