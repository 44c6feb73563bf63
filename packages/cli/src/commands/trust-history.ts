import { showTrustHistory } from '../output/trust-view.ts';
import { command } from '../program/command.ts';
import { given, limit, offset } from '../program/option.ts';
import { readAs } from './read-as.ts';

/** The registry's own limit of a page. */
const changesMax = 500;

export const trustHistory = command({
  path: ['trust-history'],
  summary: 'Every change of a trust score with what caused it, oldest first.',
  arguments: [{ name: 'agent_id', description: 'the agent', values: 'agent' }],
  options: { limit: limit(changesMax), offset: offset() },
  examples: [
    { says: 'How a score came about', run: 'agent-trust trust-history corner-shop' },
    {
      says: 'Times and scores alone, for a plot',
      run: 'agent-trust trust-history corner-shop --json | node -p "JSON.parse(fs.readFileSync(0)).history.map(h => [h.at, h.trust_score].join()).join(\'\\n\')"',
    },
  ],
  run: async ({ args: [agentId = ''], options, context }) => {
    const { client, options: asked } = await readAs(context);
    const page = await client.trustHistory(agentId, given({ limit: options.limit, offset: options.offset }), asked);
    context.answer(page.history, () => {
      if (page.history.length === 0) context.out.note('No changes on this page.');
      else showTrustHistory(page.history, context.out);
      if (page.next !== null)
        context.out.note(`${page.total ?? 'More'} changes in all: go on with --offset ${page.next.offset ?? 0}`);
    });
  },
});
