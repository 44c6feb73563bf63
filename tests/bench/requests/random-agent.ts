/**
 * For `LoadTarget.eachRequest`: POST /verify of another agent each time. The body of the load's target says of which:
 * `RandomAgents` as JSON. autocannon loads this file in its worker, by `require`.
 */
export type RandomAgents = { prefix: string; agents: number };

let population: RandomAgents | undefined;

function randomAgent(request: { body: string }): { body: string } {
  population ??= JSON.parse(request.body) as RandomAgents;
  const { prefix, agents } = population;
  return { ...request, body: `{"agent_id":"${prefix}${Math.floor(Math.random() * agents)}"}` };
}

export { randomAgent as 'module.exports' };
