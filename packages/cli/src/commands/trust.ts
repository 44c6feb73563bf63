import { showTrust, showTrustHistory } from '../output/trust-view.ts';
import { agentArgument, ask, command, orSandbox } from '../program/command.ts';
import { given, limit, noteNext, offset, text } from '../program/option.ts';

const trust = command({
  path: ['trust'],
  description:
    'What the agent began with, what each root adds, and the reviews behind it, newest first. The points sum to the unrounded score.',
  arguments: [agentArgument],
  options: {
    asOf: text('--as-of <moment>', 'as it was then: an RFC 3339 time or a log position'),
    limit: limit(200),
    offset: offset(),
  },
  examples: {
    'Every part of a score': 'agent-trust trust corner-shop',
    'The reviews that have no part in it, and why':
      'agent-trust trust corner-shop --json | node -p "JSON.parse(fs.readFileSync(0)).reviews.filter(r => !r.counted).map(r => r.reason)"',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    const query = given({ as_of: options.asOf, limit: options.limit, offset: options.offset });
    await ask(
      context,
      orSandbox(context, 'none'),
      (client, asked) => client.trust(agentId, query, asked),
      (page, out) => {
        showTrust(page.trust, out);
        // By position, so that a new review moves nothing from one page to the next.
        noteNext(page, ' reviews', out, ` --as-of ${page.trust.as_of.position}`);
      },
    );
  },
});

const trustHistory = command({
  path: ['trust-history'],
  description: 'Oldest first.',
  arguments: [agentArgument],
  options: { limit: limit(500), offset: offset() },
  examples: {
    'How a score developed': 'agent-trust trust-history corner-shop',
    'Times and scores alone, for a plot':
      'agent-trust trust-history corner-shop --json | node -p "JSON.parse(fs.readFileSync(0)).history.map(h => [h.at, h.trust_score].join()).join(\'\\n\')"',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    const query = given({ limit: options.limit, offset: options.offset });
    await ask(
      context,
      orSandbox(context, 'none'),
      (client, asked) => client.trustHistory(agentId, query, asked),
      (page, out) => {
        showTrustHistory(page.history, out);
        noteNext(page, ' changes', out);
      },
    );
  },
});

export const commands = [trust, trustHistory];
