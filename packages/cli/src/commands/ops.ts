import { safeLine } from '../output/safe-text.ts';
import { ask, command } from '../program/command.ts';

const erase = command({
  path: ['ops', 'erase'],
  summary: "Erase an agent's contact_email and contact_info for good, by the operator's token.",
  arguments: [{ name: 'agent_id', description: 'the agent, in either universe', values: 'agent' }],
  examples: {
    'Somebody asked to be forgotten': 'agent-trust ops erase acme-buyer --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [agentId = ''], context }) => {
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
