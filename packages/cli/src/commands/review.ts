import { showAgent } from '../output/agent-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { actingAgent, agentArgument, command, orSandbox } from '../program/command.ts';
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

const answer = command({
  path: ['answer'],
  description: [
    "Everybody who sees the rating sees the answer beside it. There is one, which cannot be changed. With the agent's own credential, else its",
    "organisation's key.",
  ].join('\n'),
  arguments: [agentArgument],
  options: {
    transaction: text('--transaction <id>', 'the exchange that was rated'),
    text: text('--text <text>', 'what to say, in one line of at most 500 characters'),
  },
  examples: {
    'What was done about it':
      'agent-trust answer acme-helper --transaction 0199c2f4-7a51-7c3e-9c0b-5d1f2e3a4b5c --text "We have refunded the call."',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    const { transaction, text: said } = options;
    if (transaction === undefined) throw new UsageError('say which rating: --transaction <id>');
    if (said === undefined) throw new UsageError('say what to answer: --text <text>');
    const order = orSandbox(context, 'agent', 'signature', 'org', 'admin');
    const { client, options: asked } = await context.registry(order, agentId);
    const answered = await client.answerReview({ agent_id: agentId, transaction_id: transaction, text: said }, asked);
    context.answer(answered, ({ transaction_id: id, answered_at: at }) =>
      context.out.line(safeLine(`The rating of ${id} is answered, since ${at}.`)),
    );
  },
});

export const commands = [review, answer];
