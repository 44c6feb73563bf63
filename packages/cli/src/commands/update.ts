import { exitCodes } from '../exit-codes.ts';
import { showAgent } from '../output/agent-view.ts';
import { command } from '../program/command.ts';
import { given, text, texts } from '../program/option.ts';
import { publicKeyText, readKeyFile } from '../settings/key-file.ts';
import { UsageError } from '../usage-error.ts';
import { agentFieldOptions, agentFields } from './agent-fields.ts';
import { askToConfirm } from './confirmation.ts';

const clearable = [
  'accepted_terms_format',
  'auth_header_name',
  'capabilities',
  'contact_email',
  'contact_info',
  'endpoint_url',
  'http_methods',
  'org_domain',
  'org_name',
  'payload_schema',
  'payment_asset',
  'payment_network',
  'payment_pay_to',
  'price_schedule',
  'protocol',
  'public_key',
  'settlement_rail',
  'signup_help',
  'specialty',
] as const;

export const update = command({
  path: ['update'],
  summary: 'Change the fields of an agent.',
  description: [
    "Only the fields that are named are changed, with the agent's own credential if there is one, else with its organisation's key.",
    "--auth agent,org sends both, which makes an agent without organisation the organisation's.",
  ].join('\n'),
  arguments: [{ name: 'agent_id', description: 'the agent', values: 'agent' }],
  options: {
    ...agentFieldOptions,
    clear: texts('--clear <field>', `set a field to nothing: ${clearable.join(', ')}`, clearable),
    newKeyFile: text('--new-key-file <file>', 'private key whose public half replaces the stored one', 'file'),
    pullFrom: text(
      '--pull-from <agent_id>',
      'take over the configuration of the live agent that this clone is paired with',
      'agent',
    ),
  },
  examples: [
    { says: 'What it is good at', run: 'agent-trust update acme-buyer --specialty "Buys bolts"' },
    { says: 'Clear a field', run: 'agent-trust update acme-buyer --clear specialty' },
    {
      says: 'A field that has no option',
      run: `agent-trust update acme-buyer --fields '{"payload_schema":{"currency":"EUR"}}'`,
    },
  ],
  run: async ({ args: [agentId = ''], options, context }) => {
    const { global } = context;
    const unknown = (options.clear ?? []).find((field) => !(clearable as readonly string[]).includes(field));
    if (unknown !== undefined) throw new UsageError(`--clear takes ${clearable.join(', ')}; not "${unknown}"`);
    const fields = await agentFields(options, context.io);
    const both = (options.clear ?? []).find(
      (field) => field in fields || (field === 'public_key' && options.newKeyFile !== undefined),
    );
    if (both !== undefined) throw new UsageError(`${both} is given a value and cleared: say one of both`);
    const body = {
      ...fields,
      ...Object.fromEntries((options.clear ?? []).map((field) => [field, null])),
      ...(options.newKeyFile === undefined ? {} : { public_key: publicKeyText(readKeyFile(options.newKeyFile)) }),
      ...given({ pull_from_agent_id: options.pullFrom }),
      agent_id: agentId,
    };
    if (Object.keys(body).length === 1) throw new UsageError('name at least one field to change');
    const { client, options: asked } = await context.registry(
      global.sandbox === true ? ['sandbox'] : ['agent', 'signature', 'org', 'admin'],
      agentId,
    );
    const updated = await client.update(body, asked);
    if ('status' in updated) return askToConfirm(updated, context);
    context.answer(updated, () => showAgent(updated, context.out));
    return exitCodes.ok;
  },
});
