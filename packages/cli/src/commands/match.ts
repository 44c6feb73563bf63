import { UsageError } from '../usage-error.ts';
import { showMatches } from '../output/agent-view.ts';
import { command } from '../program/command.ts';
import { choice, given, limit, text, texts } from '../program/option.ts';
import { readAs } from './read-as.ts';

/** The registry's own limit of a page. */
const limitMax = 200;

export const match = command({
  path: ['match'],
  summary: 'Find agents that can be called, best first.',
  description:
    'At least one condition is needed, and an agent must meet all of them; of several capabilities one is enough. Names of capabilities are resolved by meaning.',
  arguments: [{ name: 'capability', description: 'what the agent should be able to do', optional: true }],
  options: {
    capability: texts('-c, --capability <name>', 'a further capability'),
    rail: texts('--settlement-rail <rail>', 'accepts this rail', ['x402', 'stripe', 'manual']),
    orgName: text('--org-name <name>', 'belongs to this organisation'),
    messageProtocol: choice('--message-protocol <protocol>', 'speaks', ['a2a', 'mcp', 'raw']),
    limit: limit(limitMax),
  },
  examples: [
    { says: 'Who quotes prices?', run: 'agent-trust match "price quote"' },
    {
      says: 'Who translates over MCP and takes x402?',
      run: 'agent-trust match translation --message-protocol mcp --settlement-rail x402',
    },
    { says: 'All of one organisation', run: 'agent-trust match --org-name Acme --limit 10' },
  ],
  run: async ({ args: [capability = ''], options, context }) => {
    const required = [...(capability === '' ? [] : [capability]), ...(options.capability ?? [])];
    const body = {
      ...(required.length === 0 ? {} : { required_capabilities: required }),
      ...given({ settlement_rail: options.rail, org_name: options.orgName, message_protocol: options.messageProtocol }),
    };
    if (Object.keys(body).length === 0)
      throw new UsageError('name a capability, --settlement-rail, --org-name or --message-protocol');
    const { client, options: asked } = await readAs(context);
    const found = await client.match({ ...body, ...given({ limit: options.limit }) }, asked);
    context.answer(found, () => {
      if (found.length === 0) context.out.note('No agent meets this.');
      else showMatches(found, context.out);
    });
  },
});
