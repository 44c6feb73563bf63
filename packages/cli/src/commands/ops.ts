import { safeLine } from '../output/safe-text.ts';
import { UsageError } from '../errors.ts';
import { ask, command } from '../program/command.ts';
import { flag } from '../program/option.ts';

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

export const commands = [erase];
