import { showAgent } from '../output/agent-view.ts';
import { command } from '../program/command.ts';
import { readAs } from './read-as.ts';

export const show = command({
  path: ['show'],
  summary: 'The profile of an agent, with the ratings it received, newest first.',
  arguments: [{ name: 'agent_id', description: 'the agent', values: 'agent' }],
  options: {},
  examples: [
    { says: 'Who rated it, and how', run: 'agent-trust show corner-shop' },
    { says: 'One of your sandbox', run: 'agent-trust show acme-draft --sandbox' },
  ],
  run: async ({ args: [agentId = ''], context }) => {
    const { client, options } = await readAs(context);
    const agent = await client.getAgent(agentId, options);
    context.answer(agent, () => showAgent(agent, context.out));
  },
});
