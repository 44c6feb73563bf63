import type { Endpoint } from '../http/endpoint.ts';
import { a2a, agentCard, olderAgentCard } from './agent-card/agent-card.ts';
import { importAgent } from './import-agent/import-agent.ts';
import { match } from './match/match.ts';
import { profile } from './discover/profile.ts';
import { redeemClaim } from './rotate/redeem-claim.ts';
import { register } from './register/register.ts';
import { registry } from './discover/registry.ts';
import { requestRotation } from './rotate/request-rotation.ts';
import { trust, trustHistory } from './trust/trust.ts';
import { update } from './update/update.ts';
import { verify } from './discover/verify.ts';
import { call } from './call/call.ts';
import { review } from './review/review.ts';
import { events } from './events/events.ts';
import { consistencyProof, inclusionProof, logCheckpoint, logKey, receipt, tiles } from './log/log.ts';
import { erasePersonalData } from './personal-data/erase-personal-data.ts';
import { docs, docsFile, openapi } from './docs/docs.ts';
import { health } from './health/health.ts';
import { agentEvents } from './events/agent-events.ts';
import { orgAgent, payments, whoami } from './organisation/organisation.ts';
import { orgAgents } from './organisation/agents.ts';
import { createKey, issueSandboxKey, replaceKey, revokeSandboxKey } from './organisation/keys.ts';
import { previewMatch } from './sandbox/preview-match.ts';
import { promote } from './sandbox/promote.ts';
import { publish, withdraw } from './sandbox/publish-withdraw.ts';
import { payByGet, payByPost } from './pay/pay.ts';
import { settlements } from './pay/settlements.ts';
import { deleteWebhook, replayWebhook, webhook, webhookDeliveries, webhooks } from './webhooks/webhooks.ts';
import { registerWebhook } from './webhooks/register-webhook.ts';

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
