import { showAgents } from '../output/agent-view.ts';
import { command } from '../program/command.ts';
import { given, integer, limit, offset } from '../program/option.ts';
import { readAs } from './read-as.ts';

/** The registry's own limit of a page. */
const limitMax = 200;

export const registry = command({
  path: ['registry'],
  summary: 'List all agents that can be called, most trusted first.',
  arguments: [],
  options: {
    limit: limit(limitMax),
    offset: offset(),
    minScore: integer('--min-score <score>', 'only agents with this trust score or more', 0, 100),
  },
  examples: [
    { says: 'The ten most trusted', run: 'agent-trust registry --limit 10' },
    {
      says: 'Trusted ones only, their ids',
      run: 'agent-trust registry --min-score 70 --json | node -p "JSON.parse(fs.readFileSync(0)).map(a => a.agent_id).join()"',
    },
  ],
  run: async ({ options, context }) => {
    const { client, options: asked } = await readAs(context);
    const page = await client.listRegistry(
      given({ limit: options.limit, offset: options.offset, min_trust_score: options.minScore }),
      asked,
    );
    context.answer(page.agents, () => {
      if (page.agents.length === 0) context.out.note('No agents.');
      else showAgents(page.agents, context.out);
      if (page.next != null)
        context.out.note(`${page.total ?? 'More'} in all: go on with --offset ${page.next.offset ?? 0}`);
    });
  },
});
