import type { Endpoint } from '../http/endpoint.ts';
import { a2a } from './agent-card/a2a.ts';
import { agentCard, olderAgentCard } from './agent-card/routes.ts';
import { importAgent } from './import-agent/import-agent.ts';
import { match } from './match/match.ts';
import { profile } from './discover/profile.ts';
import { redeemClaim } from './rotate/redeem-claim.ts';
import { register } from './register/register.ts';
import { registry } from './discover/registry.ts';
import { requestRotation } from './rotate/request-rotation.ts';
import { trust } from './trust/trust.ts';
import { trustHistory } from './trust/trust-history.ts';
import { update } from './update/update.ts';
import { verify } from './discover/verify.ts';
import { call } from './call/call.ts';
import { review } from './review/review.ts';
import { events } from './events/events.ts';
import { logCheckpoint } from './log/checkpoint.ts';
import { consistencyProof } from './log/consistency-proof.ts';
import { inclusionProof } from './log/inclusion-proof.ts';
import { logKey } from './log/key.ts';
import { receipt } from './log/receipt.ts';
import { tiles } from './log/tile.ts';
import { erasePersonalData } from './personal-data/erase-personal-data.ts';
import { docs, docsFile } from './docs/docs.ts';
import { health } from './health/health.ts';
import { openapi } from './docs/openapi.ts';
import { agentEvents } from './events/agent-events.ts';
import { orgAgent } from './organisation/agent.ts';
import { orgAgents } from './organisation/agents.ts';
import { createKey } from './organisation/create-key.ts';
import { issueSandboxKey } from './organisation/issue-sandbox-key.ts';
import { payments } from './organisation/payments.ts';
import { replaceKey } from './organisation/replace-key.ts';
import { revokeSandboxKey } from './organisation/revoke-sandbox-key.ts';
import { whoami } from './organisation/whoami.ts';
import { previewMatch } from './sandbox/preview-match.ts';
import { promote } from './sandbox/promote.ts';
import { publish, withdraw } from './sandbox/publish-withdraw.ts';
import { payByGet, payByPost } from './pay/pay.ts';
import { settlements } from './pay/settlements.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { registerWebhook } from './webhooks/register-webhook.ts';
import { replayWebhook } from './webhooks/replay-webhook.ts';
import { webhookDeliveries } from './webhooks/webhook-deliveries.ts';
import { webhook, webhooks } from './webhooks/webhooks.ts';

/** Every route that is answered. */
export const endpoints: readonly Endpoint[] = [
  health,
  verify,
  match,
  registry,
  profile,
  trust,
  trustHistory,
  importAgent,
  register,
  update,
  requestRotation,
  redeemClaim,
  call,
  review,
  createKey,
  whoami,
  orgAgents,
  orgAgent,
  agentEvents,
  payments,
  issueSandboxKey,
  revokeSandboxKey,
  replaceKey,
  registerWebhook,
  webhooks,
  webhook,
  deleteWebhook,
  replayWebhook,
  webhookDeliveries,
  publish,
  withdraw,
  promote,
  previewMatch,
  payByGet,
  payByPost,
  settlements,
  erasePersonalData,
  events,
  logCheckpoint,
  logKey,
  inclusionProof,
  consistencyProof,
  ...tiles,
  receipt,
  agentCard,
  olderAgentCard,
  a2a,
  openapi,
  docs,
  docsFile,
];
