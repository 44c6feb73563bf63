import {
  cancelPolicyTrial,
  cancelPolicyTrialRoute,
  DomainError,
  findPolicyTrialAgent,
  getPolicyTrialAgentRoute,
  getPolicyTrialRoute,
  listPolicyTrialAgents,
  listPolicyTrialAgentsRoute,
  listPolicyTrials,
  listPolicyTrialsRoute,
  policyTrial,
  policyTrialAgent,
  policyTrialDetail,
  startPolicyTrial,
  startPolicyTrialRoute,
  toWire,
} from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { setPageHeaders } from '../../http/public-document.ts';

const start = endpoint(startPolicyTrialRoute, async ({ body, actor, request }, gateway) => {
  const { trial } = await ask(gateway, request, startPolicyTrial, { policy: body.policy, actor });
  return toWire(policyTrial, trial);
});

const list = endpoint(listPolicyTrialsRoute, async ({ request }, gateway) => {
  const { trials } = await ask(gateway, request, listPolicyTrials, { trialId: null });
  return trials.map((one) => toWire(policyTrial, one));
});

const one = endpoint(getPolicyTrialRoute, async ({ params, request }, gateway) => {
  const { trials } = await ask(gateway, request, listPolicyTrials, { trialId: params.trial_id });
  const [found] = trials;
  if (found === undefined)
    throw new DomainError('policy_job_not_found', `there is no trial ${params.trial_id}; only the newest are kept`);
  return toWire(policyTrial, found);
});

const cancel = endpoint(cancelPolicyTrialRoute, async ({ params, request }, gateway) => {
  const { trial } = await ask(gateway, request, cancelPolicyTrial, { trialId: params.trial_id });
  return toWire(policyTrial, trial);
});

const agents = endpoint(listPolicyTrialAgentsRoute, async ({ params, query, request, reply }, gateway) => {
  const { trial_id: trialId } = params;
  const page = await ask(gateway, request, listPolicyTrialAgents, { trialId, ...query });
  setPageHeaders(reply, `${gateway.baseUrl}/ops/policy-trials/${trialId}/agents`, query, page.total);
  return page.agents.map((each) => toWire(policyTrialAgent, each));
});

const agent = endpoint(getPolicyTrialAgentRoute, async ({ params, request }, gateway) => {
  const { trial_id: trialId, agent_id: agentId } = params;
  const found = await ask(gateway, request, findPolicyTrialAgent, { trialId, agentId });
  if (found.agent === null)
    throw new DomainError(
      'policy_trial_agent_not_found',
      `the trial keeps no agent ${JSON.stringify(agentId)}: it would not move, or others would move further`,
    );
  return toWire(policyTrialDetail, found.agent);
});

export const policyTrialEndpoints: readonly Endpoint[] = [start, list, one, cancel, agents, agent];
