import * as contracts from '@agent-trust/contracts';
import type { Rpc } from '@agent-trust/nats-rpc';
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
export async function serveCommands(rpc: Rpc, deps: CommandDeps): Promise<void> {
  await rpc.serve(contracts.createOrganisation, createOrganisation(deps));
  await rpc.serve(contracts.issueSandboxKey, issueSandboxKey(deps));
  await rpc.serve(contracts.revokeSandboxKey, revokeSandboxKey(deps));
  await rpc.serve(contracts.replaceProductionKey, replaceProductionKey(deps));
  await rpc.serve(contracts.registerWebhook, registerWebhook(deps));
  await rpc.serve(contracts.deleteWebhook, deleteWebhook(deps));
  await rpc.serve(contracts.replayWebhook, replayWebhook(deps));
  await rpc.serve(contracts.registerAgent, registerAgent(deps));
  await rpc.serve(contracts.updateAgent, updateAgent(deps));
  await rpc.serve(contracts.publishAgent, publishAgent(deps));
  await rpc.serve(contracts.withdrawAgent, withdrawAgent(deps));
  await rpc.serve(contracts.promoteAgent, promoteAgent(deps));
  await rpc.serve(contracts.issueClaim, issueClaim(deps));
  await rpc.serve(contracts.redeemClaim, redeemClaim(deps));
  await rpc.serve(contracts.rotateBySignature, rotateBySignature(deps));
  await rpc.serve(contracts.erasePersonalData, erasePersonalData(deps));
  await rpc.serve(contracts.submitReview, submitReview(deps));
  await rpc.serve(contracts.activateTrustPolicy, activateTrustPolicy(deps));
}
