import type { Endpoint } from '../http/endpoint.ts';
import { activity } from './activity/activity.ts';
import { agentCardEndpoints } from './agent-card/agent-card.ts';
import { call } from './call/call.ts';
import { capabilities } from './capabilities/capabilities.ts';
import { consoleEndpoints } from './console/console.ts';
import { demoEndpoints } from './demo/demo.ts';
import { discoveryEndpoints } from './discover/discover.ts';
import { docsEndpoints } from './docs/docs.ts';
import { eventEndpoints } from './events/events.ts';
import { health } from './health/health.ts';
import { importAgent } from './import-agent/import-agent.ts';
import { logEndpoints } from './log/log.ts';
import { match } from './match/match.ts';
import { operationsEndpoints } from './operations/replays.ts';
import { policyLabEndpoints } from './policy-lab/policies.ts';
import { capabilityAliasEndpoints } from './operator/capability-aliases.ts';
import { operatorKeyEndpoints } from './operator/keys.ts';
import { operatorAgentEndpoints } from './operator/agents.ts';
import { orgDomainEndpoints } from './org-domains/org-domains.ts';
import { operatorOrganisationEndpoints } from './operator/organisations.ts';
import { voidReviewsEndpoint } from './operator/reviews.ts';
import { organisationKeyEndpoints } from './organisation/keys.ts';
import { organisationNamedKeyEndpoints } from './organisation/named-keys.ts';
import { organisationEndpoints } from './organisation/organisation.ts';
import { paymentEndpoints } from './pay/pay.ts';
import { erasePersonalData } from './personal-data/erase-personal-data.ts';
import { limitEndpoints } from './quota/limits.ts';
import { usageEndpoints } from './quota/usage.ts';
import { register } from './register/register.ts';
import { answerReview } from './review/answer-review.ts';
import { review } from './review/review.ts';
import { rotationEndpoints } from './rotate/rotate.ts';
import { sandboxEndpoints } from './sandbox/sandbox.ts';
import { signInEndpoints } from './sign-in/sign-in.ts';
import { organisationRecordEndpoints } from './trust/organisation-record.ts';
import { trustEndpoints } from './trust/trust.ts';
import { retire } from './update/retire.ts';
import { update } from './update/update.ts';
import { operatorWebhookEndpoints } from './webhooks/operator-webhooks.ts';
import { webhookEndpoints } from './webhooks/webhooks.ts';
import { whoamiEndpoints } from './whoami/whoami.ts';

/** All routes. A feature lists its own, so that a new route of an existing feature needs no change here. */
export const endpoints: readonly Endpoint[] = [
  health,
  match,
  capabilities,
  activity,
  importAgent,
  register,
  update,
  retire,
  call,
  review,
  answerReview,
  erasePersonalData,
  ...discoveryEndpoints,
  ...rotationEndpoints,
  ...paymentEndpoints,
  ...eventEndpoints,
  ...logEndpoints,
  ...organisationKeyEndpoints,
  ...organisationNamedKeyEndpoints,
  ...operatorAgentEndpoints,
  ...capabilityAliasEndpoints,
  ...orgDomainEndpoints,
  ...operatorOrganisationEndpoints,
  ...limitEndpoints,
  ...usageEndpoints,
  ...whoamiEndpoints,
  ...operatorKeyEndpoints,
  ...signInEndpoints,
  voidReviewsEndpoint,
  ...operationsEndpoints,
  ...demoEndpoints,
  ...policyLabEndpoints,
  ...organisationEndpoints,
  ...trustEndpoints,
  ...organisationRecordEndpoints,
  ...docsEndpoints,
  ...consoleEndpoints,
  ...agentCardEndpoints,
  ...sandboxEndpoints,
  ...webhookEndpoints,
  ...operatorWebhookEndpoints,
];
