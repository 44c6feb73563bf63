import { safeLine } from '../output/safe-text.ts';
import { right } from '../output/table.ts';
import { type Command, command } from '../program/command.ts';
import { given, text, texts } from '../program/option.ts';
import type { MoveAgentResponse } from '@agent-trust/client';
import type { Context } from '../program/context.ts';

const showMove = (moved: MoveAgentResponse, context: Context): void =>
  context.answer(moved, () => {
    const seen = moved.discoverable ? ', and can be found by everybody' : '';
    context.out.line(
      safeLine(
        `${moved.agent_id} is in ${moved.moved_to} now${seen}; trust ${moved.trust_score}, ${moved.transaction_count} transactions.`,
      ),
    );
  });

const publish = command({
  path: ['sandbox', 'publish'],
  summary: 'Move a sandbox agent into production, with what it has earned.',
  arguments: [{ name: 'agent_id', description: 'the sandbox agent', values: 'agent' }],
  options: {},
  examples: [{ says: 'From the sandbox to everybody', run: 'agent-trust sandbox publish acme-draft' }],
  run: async ({ args: [agentId = ''], context }) => {
    const { client, options } = await context.registry(['sandbox']);
    showMove(await client.sandbox.publish({ agent_id: agentId }, options), context);
  },
});

const withdraw = command({
  path: ['sandbox', 'withdraw'],
  summary: "Move a live agent into its organisation's sandbox, with what it has earned.",
  arguments: [{ name: 'agent_id', description: 'the live agent', values: 'agent' }],
  options: {},
  examples: [{ says: 'Out of sight', run: 'agent-trust sandbox withdraw acme-draft' }],
  run: async ({ args: [agentId = ''], context }) => {
    const { client, options } = await context.registry(['sandbox']);
    showMove(await client.sandbox.withdraw({ agent_id: agentId }, options), context);
  },
});

const promote = command({
  path: ['sandbox', 'promote'],
  summary: 'Copy the configuration of a sandbox clone to the live agent that it is paired with.',
  arguments: [{ name: 'agent_id', description: 'the sandbox clone', values: 'agent' }],
  options: { to: text('--to <agent_id>', 'the live agent; default: the one that it is paired with', 'agent') },
  examples: [
    {
      says: 'Try a change in the sandbox, then make it live',
      run: 'agent-trust register acme-clone --sandbox --clone-from acme-buyer --specialty "Buys bolts and nuts" && agent-trust sandbox promote acme-clone',
    },
  ],
  run: async ({ args: [agentId = ''], options, context }) => {
    const { client, options: asked } = await context.registry(['sandbox']);
    const promoted = await client.sandbox.promote(
      { sandbox_agent_id: agentId, ...given({ real_agent_id: options.to }) },
      asked,
    );
    context.answer(promoted, () =>
      context.out.line(
        safeLine(
          `${promoted.real_agent_id} has the configuration of ${promoted.sandbox_agent_id}: ${promoted.fields_copied.join(', ')}.`,
        ),
      ),
    );
  },
});

const preview = command({
  path: ['sandbox', 'preview'],
  summary: 'How a sandbox agent would rank among live agents.',
  arguments: [{ name: 'agent_id', description: 'the sandbox agent', values: 'agent' }],
  options: {
    capability: texts('-c, --capability <name>', "what is looked for; default: the agent's own capabilities"),
    rail: texts('--settlement-rail <rail>', 'rail that is looked for', ['x402', 'stripe', 'manual']),
  },
  examples: [{ says: 'Before it is published', run: 'agent-trust sandbox preview acme-draft' }],
  run: async ({ args: [agentId = ''], options, context }) => {
    const { out } = context;
    const { client, options: asked } = await context.registry(['sandbox']);
    const ranked = await client.sandbox.previewMatch(
      {
        sandbox_agent_id: agentId,
        ...given({ required_capabilities: options.capability, settlement_rail: options.rail }),
      },
      asked,
    );
    context.answer(ranked, () => {
      out.line(
        `${out.paint('bold', safeLine(ranked.draft_agent_id))} would be number ${safeLine(`${ranked.draft_rank} of ${ranked.total}`)}.`,
      );
      out.table(
        [right('MATCH'), 'AGENT', right('TRUST'), ''],
        ranked.results.map((result) => [
          result.match_score.toFixed(4),
          result.agent_id,
          String(result.trust_score),
          result.is_draft ? '← the draft' : '',
        ]),
      );
      if (ranked.explanation !== null) out.line(safeLine(ranked.explanation));
      out.note(ranked.disclaimer);
    });
  },
});

/** Everything under `agent-trust sandbox`. */
export const sandboxCommands: readonly Command[] = [publish, withdraw, promote, preview];
