import {
  activatePolicyRoute,
  knownPolicy,
  listPolicies,
  listPoliciesRoute,
  replay,
  startPolicyActivation,
  toWire,
  trustPolicyJsonSchemas,
} from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { policySimulationEndpoints } from './simulations.ts';
import { policyTrialEndpoints } from './trials.ts';

const policies = endpoint(listPoliciesRoute, async ({ request }, gateway) => {
  const { policies: known } = await ask(gateway, request, listPolicies, {});
  return {
    in_force: known.find(({ inForce }) => inForce)?.name,
    policies: known.map(({ document, ...one }) => ({ ...toWire(knownPolicy, one), document })),
    schema: trustPolicyJsonSchemas.v1,
    schemas: trustPolicyJsonSchemas,
  };
});

const activate = endpoint(activatePolicyRoute, async ({ body, actor, request }, gateway) => {
  const begun = await ask(gateway, request, startPolicyActivation, { policy: body.policy, actor });
  return toWire(replay, begun.replay);
});

export const policyLabEndpoints: readonly Endpoint[] = [
  policies,
  ...policyTrialEndpoints,
  ...policySimulationEndpoints,
  activate,
];
