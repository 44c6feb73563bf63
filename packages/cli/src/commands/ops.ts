import { safeLine } from '../output/safe-text.ts';
import { UsageError } from '../errors.ts';
import { ask, command } from '../program/command.ts';
import { flag, text } from '../program/option.ts';

const erase = command({
  path: ['ops', 'erase'],
  summary: "Erase an agent's contact_email and contact_info for good, by the operator's token.",
  arguments: [{ name: 'agent_id', description: 'the agent, in either universe', values: 'agent' }],
  options: { yes: flag('--yes', 'really erase: it cannot be undone') },
  examples: {
    'Somebody asked to be forgotten': 'agent-trust ops erase acme-buyer --yes --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    if (options.yes !== true)
      throw new UsageError(
        `this destroys the contact_email and contact_info of ${agentId} for good: add --yes to do it`,
      );
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.erasePersonalData(agentId, asked),
      ({ agent_id: id, erased_at: at }, out) =>
        out.line(safeLine(at === null ? `${id} never had a contact.` : `The contact of ${id} is erased, since ${at}.`)),
    );
  },
});

const reasonOption = text('--reason <text>', "why, for the log and the agent's owner; it cannot be erased");

const reasonOf = (reason: string | undefined): string => {
  if (reason === undefined || reason === '') throw new UsageError('say why: --reason <text>');
  return reason;
};

const suspend = command({
  path: ['ops', 'suspend'],
  summary: "Suspend an agent, by the operator's token: nobody reaches it or acts as it.",
  arguments: [{ name: 'agent_id', description: 'the agent, in either universe', values: 'agent' }],
  options: { reason: reasonOption },
  examples: {
    'An agent that does harm':
      'agent-trust ops suspend acme-buyer --reason "Answers with malware" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    const reason = reasonOf(options.reason);
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.suspendAgent(agentId, reason, asked),
      ({ agent_id: id, suspended_at: at, reason: why }, out) =>
        out.line(safeLine(`${id} is suspended since ${at}: ${why}`)),
    );
  },
});

const reinstate = command({
  path: ['ops', 'reinstate'],
  summary: "End an agent's suspension, by the operator's token.",
  arguments: [{ name: 'agent_id', description: 'the agent, in either universe', values: 'agent' }],
  options: { reason: reasonOption },
  examples: {
    'The harm is mended':
      'agent-trust ops reinstate acme-buyer --reason "Server replaced" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    const reason = reasonOf(options.reason);
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.reinstateAgent(agentId, reason, asked),
      ({ agent_id: id }, out) => out.line(safeLine(`${id} is not suspended.`)),
    );
  },
});

export const commands = [erase, suspend, reinstate];
