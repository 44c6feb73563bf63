import {
  cancelPolicySimulation,
  cancelPolicySimulationRoute,
  DomainError,
  findSimulatedCourse,
  getPolicySimulationRoute,
  getSimulatedCourseRoute,
  listPolicySimulations,
  listPolicySimulationsRoute,
  policySimulation,
  simulatedCourse,
  startPolicySimulation,
  startPolicySimulationRoute,
  toWire,
} from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

const start = endpoint(startPolicySimulationRoute, async ({ body, actor, request }, gateway) => {
  const { simulation } = await ask(gateway, request, startPolicySimulation, { ...body, actor });
  return toWire(policySimulation, simulation);
});

const list = endpoint(listPolicySimulationsRoute, async ({ request }, gateway) => {
  const { simulations } = await ask(gateway, request, listPolicySimulations, { simulationId: null });
  return simulations.map((one) => toWire(policySimulation, one));
});

const one = endpoint(getPolicySimulationRoute, async ({ params, request }, gateway) => {
  const { simulation_id: simulationId } = params;
  const { simulations } = await ask(gateway, request, listPolicySimulations, { simulationId });
  const [found] = simulations;
  if (found === undefined)
    throw new DomainError('policy_job_not_found', `there is no simulation ${simulationId}; only the newest are kept`);
  return toWire(policySimulation, found);
});

const cancel = endpoint(cancelPolicySimulationRoute, async ({ params, request }, gateway) => {
  const { simulation_id: simulationId } = params;
  const { simulation } = await ask(gateway, request, cancelPolicySimulation, { simulationId });
  return toWire(policySimulation, simulation);
});

const course = endpoint(getSimulatedCourseRoute, async ({ params, request }, gateway) => {
  const { simulation_id: simulationId, attack } = params;
  const found = await ask(gateway, request, findSimulatedCourse, { simulationId, attack });
  if (found.course === null)
    throw new DomainError('policy_attack_not_found', `the simulation has not run an attack "${attack}"`);
  return toWire(simulatedCourse, found.course);
});

export const policySimulationEndpoints: readonly Endpoint[] = [start, list, one, cancel, course];
