import { listOr } from '../output/agent-view.ts';
import { safeLines } from '../output/safe-text.ts';
import { command } from '../program/command.ts';

export const importAgent = command({
  path: ['import'],
  summary: 'Preview a registration from the agent card that a domain publishes. Nothing is stored.',
  arguments: [{ name: 'domain', description: 'a domain or address, like agents.example.com' }],
  options: {},
  examples: [
    { says: 'What does the card say, and what is missing?', run: 'agent-trust import agents.example.com' },
    {
      says: 'Register what it says, with what is missing; the note of the preview tells whether it is --a2a-compliant',
      run: 'agent-trust import agents.example.com --json | node -p "JSON.stringify(JSON.parse(fs.readFileSync(0)).preview)" | agent-trust register my-agent --a2a-compliant yes --fields -',
    },
  ],
  run: async ({ args: [domain = ''], context }) => {
    const { out } = context;
    const { client, options } = await context.registry(['none']);
    const found = await client.importAgent({ domain_url: domain }, options);
    context.answer(found, () => {
      const { preview } = found;
      out.fields([
        ['card', found.source_url],
        ['organisation', preview.org_name ?? 'none'],
        ['specialty', preview.specialty ?? 'none'],
        ['endpoint', preview.endpoint_url ?? 'none'],
        ['capabilities', listOr(preview.capabilities.map(({ name }) => String(name)))],
        ['missing', listOr(found.missing_fields, 'nothing')],
      ]);
      out.line();
      out.line(safeLines(found.note));
    });
  },
});
