import type { Endpoint } from '../http/endpoint.ts';
import { agentCardEndpoints } from './agent-card/agent-card.ts';
import { importAgent } from './import-agent/import-agent.ts';
import { match } from './match/match.ts';
import { profile, registry, verify } from './discover/discover.ts';
import { redeemClaim, requestRotation } from './rotate/rotate.ts';
import { register } from './register/register.ts';
import { trustEndpoints } from './trust/trust.ts';
import { update } from './update/update.ts';
import { call } from './call/call.ts';
import { review } from './review/review.ts';
import { eventEndpoints } from './events/events.ts';
import { logEndpoints } from './log/log.ts';
import { erasePersonalData } from './personal-data/erase-personal-data.ts';
import { docsEndpoints } from './docs/docs.ts';
import { health } from './health/health.ts';
import { organisationEndpoints, orgAgents } from './organisation/organisation.ts';
import { organisationKeyEndpoints } from './organisation/keys.ts';
import { previewMatch, promote, moveEndpoints } from './sandbox/sandbox.ts';
import { payByGet, payByPost, settlements } from './pay/pay.ts';
import { webhookEndpoints, registerWebhook } from './webhooks/webhooks.ts';

/** Every route that is answered. A feature lists its own, so that a route of a feature that exists needs no change here. */
export const endpoints: readonly Endpoint[] = [
  health,
  verify,
  match,
  registry,
  profile,
  importAgent,
  register,
  update,
  requestRotation,
  redeemClaim,
  call,
  review,
  orgAgents,
  registerWebhook,
  promote,
  previewMatch,
  payByGet,
  payByPost,
  settlements,
  erasePersonalData,
  ...eventEndpoints,
  ...logEndpoints,
  ...organisationKeyEndpoints,
  ...organisationEndpoints,
  ...trustEndpoints,
  ...docsEndpoints,
  ...agentCardEndpoints,
  ...moveEndpoints,
  ...webhookEndpoints,
];
