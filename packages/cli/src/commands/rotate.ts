import { command } from '../program/command.ts';
import { flag } from '../program/option.ts';
import { actingAgent } from './acting-agent.ts';
import { prepareSave, redeem, showKey } from './redeem.ts';

export const rotate = command({
  path: ['rotate'],
  summary: 'Ask for a new bearer key, or a claim link for one.',
  description: [
    "With a private key (--key-file) the answer is the new key. With the agent's bearer key, its organisation's or the admin's key, or none, it is a claim link.",
    '--save redeems the link too and keeps the key. At most 5 times a minute. The former key works until the new one is minted.',
  ].join('\n'),
  arguments: [{ name: 'agent_id', description: 'the agent; default: the acting one', optional: true, values: 'agent' }],
  options: { save: flag('--save', 'redeem a claim link at once, and keep the key for the next commands') },
  examples: [
    { says: 'A new key for the saved agent, in place of the former', run: 'agent-trust rotate --save' },
    { says: 'By a signature', run: 'agent-trust rotate robot --key-file robot.pem' },
    { says: "By the organisation's key", run: 'agent-trust rotate acme-buyer --auth org' },
  ],
  run: async ({ args: [given], options, context }) => {
    const agentId = given === undefined || given === '' ? actingAgent(context) : given;
    prepareSave(context, options.save);
    const { client, options: asked } = await context.registry(
      context.global.sandbox === true ? ['sandbox'] : ['signature', 'agent', 'org', 'none'],
      agentId,
    );
    const rotated = await client.requestRotation({ agent_id: agentId }, asked);
    const isLink = options.save === true && rotated.agent_key === null && rotated.claim_link !== null;
    showKey(context, isLink ? await redeem(context, rotated.claim_link ?? '') : rotated, options.save);
  },
});
