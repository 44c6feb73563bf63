import { safeLine } from '../output/safe-text.ts';
import { type Command, command } from '../program/command.ts';

const erase = command({
  path: ['ops', 'erase'],
  summary: "Erase an agent's contact_email and contact_info for good, by the operator's token.",
  arguments: [{ name: 'agent_id', description: 'the agent, in either universe', values: 'agent' }],
  options: {},
  examples: [
    {
      says: 'Somebody asked to be forgotten',
      run: 'agent-trust ops erase acme-buyer --admin-token-file .data/secrets.json',
    },
  ],
  run: async ({ args: [agentId = ''], context }) => {
    const { client, options } = await context.registry(['admin']);
    const erased = await client.ops.erasePersonalData(agentId, options);
    context.answer(erased, () =>
      context.out.line(
        erased.erased_at === null
          ? safeLine(`${erased.agent_id} never had a contact.`)
          : safeLine(`The contact of ${erased.agent_id} is erased, since ${erased.erased_at}.`),
      ),
    );
  },
});

/** Everything under `agent-trust ops`. */
export const opsCommands: readonly Command[] = [erase];
