import type { Endpoint } from '../http/endpoint.ts';
import { a2a } from './agent/a2a.ts';
import { agentCard, olderAgentCard } from './agent/card.ts';
import { importAgent } from './agent/import-agent.ts';
import { match } from './agent/match.ts';
import { profile } from './agent/profile.ts';
import { redeemClaim } from './agent/redeem-claim.ts';
import { register } from './agent/register.ts';
import { registry } from './agent/registry.ts';
import { requestRotation } from './agent/request-rotation.ts';
import { trust } from './agent/trust.ts';
import { trustHistory } from './agent/trust-history.ts';
import { update } from './agent/update.ts';
import { verify } from './agent/verify.ts';
import { call } from './exchange/call.ts';
import { review } from './exchange/review.ts';
import { events } from './operations/events.ts';
import { logCheckpoint } from './log/checkpoint.ts';
import { consistencyProof } from './log/consistency-proof.ts';
import { inclusionProof } from './log/inclusion-proof.ts';
import { logKey } from './log/key.ts';
import { receipt } from './log/receipt.ts';
import { tiles } from './log/tile.ts';
import { erasePersonalData } from './operations/erase-personal-data.ts';
import { docs, docsFile } from './operations/docs.ts';
import { health } from './operations/health.ts';
import { openapi } from './operations/openapi.ts';
import { agentEvents } from './organisation/agent-events.ts';
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
import { publish } from './sandbox/publish.ts';
import { withdraw } from './sandbox/withdraw.ts';
import { payByGet, payByPost } from './settlement/pay.ts';
import { settlements } from './settlement/settlements.ts';
import { deleteWebhook } from './webhook/delete-webhook.ts';
import { registerWebhook } from './webhook/register-webhook.ts';
import { replayWebhook } from './webhook/replay-webhook.ts';
import { webhookDeliveries } from './webhook/webhook-deliveries.ts';
import { webhook, webhooks } from './webhook/webhooks.ts';

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
