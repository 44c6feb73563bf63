import { showAgent } from '../output/agent-view.ts';
import { actingAgent, command } from '../program/command.ts';
import { flag, given, integer, text } from '../program/option.ts';
import { UsageError } from '../errors.ts';

const review = command({
  path: ['review'],
  description:
    'Each executed call can be rated once; without --transaction it is the latest one that is not rated. The reviewer needs a trust score of 50 or more.',
  arguments: [{ name: 'agent_id', description: 'the agent that was called', values: 'agent' }],
  options: {
    score: integer('-s, --score <1-10>', '1 very bad, 10 excellent', 1, 10),
    success: flag('--success', 'it did what was asked'),
    failure: flag('--failure', 'it did not'),
    transaction: text('--transaction <id>', 'which exchange'),
  },
  examples: {
    'It went well': 'agent-trust review corner-shop --success --score 9',
    'It did not': 'agent-trust review corner-shop --failure --score 2',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    if (options.score === undefined) throw new UsageError('--score is missing: 1 very bad, 10 excellent');
    if ((options.success === true) === (options.failure === true))
      throw new UsageError('say either --success or --failure');
    const callerAgentId = actingAgent(context);
    const { client, options: asked } = await context.registry(['agent', 'signature'], callerAgentId);
    const after = await client.review(
      {
        caller_agent_id: callerAgentId,
        receiver_agent_id: agentId,
        success: options.success === true,
        score: options.score,
        ...given({ transaction_id: options.transaction }),
      },
      asked,
    );
    context.answer(after, () => showAgent(after, context.out));
  },
});

export const commands = [review];
