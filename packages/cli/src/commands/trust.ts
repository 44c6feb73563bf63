import { showTrust } from '../output/trust-view.ts';
import { command } from '../program/command.ts';
import { given, limit, offset, text } from '../program/option.ts';
import { readAs } from './read-as.ts';

/** The registry's own limit of a page. */
const reviewsMax = 200;

export const asOf = text('--as-of <moment>', 'as it was then: an RFC 3339 time or a log position');

export const trust = command({
  path: ['trust'],
  summary: 'Why a trust score is what it is, or was at any moment.',
  description:
    'What the agent began with, what each root domain adds, and the reviews behind it, newest first. The points sum to the unrounded score.',
  arguments: [{ name: 'agent_id', description: 'the agent', values: 'agent' }],
  options: { asOf, limit: limit(reviewsMax), offset: offset() },
  examples: [
    { says: 'Every part of a score', run: 'agent-trust trust corner-shop' },
    {
      says: 'The reviews that have no part in it, and why',
      run: 'agent-trust trust corner-shop --json | node -p "JSON.parse(fs.readFileSync(0)).reviews.filter(r => !r.counted).map(r => r.reason)"',
    },
  ],
  run: async ({ args: [agentId = ''], options, context }) => {
    const { client, options: asked } = await readAs(context);
    const page = await client.trust(
      agentId,
      given({ as_of: options.asOf, limit: options.limit, offset: options.offset }),
      asked,
    );
    context.answer(page.trust, () => {
      showTrust(page.trust, context.out);
      // By position, so that a new review moves nothing from one page to the next.
      if (page.next !== null)
        context.out.note(
          `${page.total ?? 'More'} reviews in all: go on with --offset ${page.next.offset ?? 0} --as-of ${page.trust.as_of.position}`,
        );
    });
  },
});
