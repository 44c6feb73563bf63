import type { MoveAgentResponse } from '@agent-trust/client';
import type { Output } from '../output/output.ts';
import { safeLine } from '../output/safe-text.ts';
import { right } from '../output/table.ts';
import { ask, command } from '../program/command.ts';
import { given, text, texts } from '../program/option.ts';

const showMove = (moved: MoveAgentResponse, out: Output): void => {
  const seen = moved.discoverable ? ', and can be found by everybody' : '';
  out.line(
    safeLine(
      `${moved.agent_id} is in ${moved.moved_to} now${seen}; trust ${moved.trust_score}, ${moved.transaction_count} transactions.`,
    ),
  );
};

const sandboxAgent = { name: 'agent_id', description: 'the sandbox agent', values: 'agent' } as const;

const publish = command({
  path: ['sandbox', 'publish'],
  summary: 'Move a sandbox agent into production, with what it has earned.',
  arguments: [sandboxAgent],
  examples: { 'From the sandbox to everybody': 'agent-trust sandbox publish acme-draft' },
  run: async ({ args: [agentId = ''], context }) => {
    await ask(context, ['sandbox'], (client, asked) => client.sandbox.publish({ agent_id: agentId }, asked), showMove);
  },
});

const withdraw = command({
  path: ['sandbox', 'withdraw'],
  summary: "Move a live agent into its organisation's sandbox, with what it has earned.",
  arguments: [{ name: 'agent_id', description: 'the live agent', values: 'agent' }],
  examples: { 'Out of sight': 'agent-trust sandbox withdraw acme-draft' },
  run: async ({ args: [agentId = ''], context }) => {
    await ask(context, ['sandbox'], (client, asked) => client.sandbox.withdraw({ agent_id: agentId }, asked), showMove);
  },
});

const promote = command({
  path: ['sandbox', 'promote'],
  summary: 'Copy the configuration of a sandbox clone to the live agent that it is paired with.',
  arguments: [{ name: 'agent_id', description: 'the sandbox clone', values: 'agent' }],
  options: { to: text('--to <agent_id>', 'the live agent; default: the one that it is paired with', 'agent') },
  examples: {
    'Try a change in the sandbox, then make it live':
      'agent-trust register acme-clone --sandbox --clone-from acme-buyer --specialty "Buys bolts and nuts" && agent-trust sandbox promote acme-clone',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    const body = { sandbox_agent_id: agentId, ...given({ real_agent_id: options.to }) };
    await ask(
      context,
      ['sandbox'],
      (client, asked) => client.sandbox.promote(body, asked),
      ({ real_agent_id: real, sandbox_agent_id: clone, fields_copied: fields }, out) =>
        out.line(safeLine(`${real} has the configuration of ${clone}: ${fields.join(', ')}.`)),
    );
  },
});

const preview = command({
  path: ['sandbox', 'preview'],
  summary: 'How a sandbox agent would rank among live agents.',
  arguments: [sandboxAgent],
  options: {
    capability: texts('-c, --capability <name>', "what is looked for; default: the agent's own capabilities"),
    rail: texts('--settlement-rail <rail>', 'rail that is looked for', ['x402', 'stripe', 'manual']),
  },
  examples: { 'Before it is published': 'agent-trust sandbox preview acme-draft' },
  run: async ({ args: [agentId = ''], options: { capability, rail }, context }) => {
    const wanted = given({ required_capabilities: capability, settlement_rail: rail });
    await ask(
      context,
      ['sandbox'],
      (client, asked) => client.sandbox.previewMatch({ sandbox_agent_id: agentId, ...wanted }, asked),
      (ranked, out) => {
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
      },
    );
  },
});

export const commands = [publish, withdraw, promote, preview];
