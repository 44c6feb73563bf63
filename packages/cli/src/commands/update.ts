import { exitCodes } from '../exit-codes.ts';
import { showAgent } from '../output/agent-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { agentArgument, command, orSandbox } from '../program/command.ts';
import { flag, given, text, texts } from '../program/option.ts';
import { publicKeyText, readKeyFile } from '../settings/key-file.ts';
import { UsageError } from '../errors.ts';
import { agentFieldOptions, agentFields, askToConfirm } from './agent-fields.ts';

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

const update = command({
  path: ['update'],
  description: [
    "Only the fields that are named are changed, with the agent's own credential if there is one, else with its organisation's key.",
    "--auth agent,org sends both, which makes an agent without organisation the organisation's.",
  ].join('\n'),
  arguments: [agentArgument],
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
  examples: {
    'What it is good at': 'agent-trust update acme-buyer --specialty "Buys bolts"',
    'Clear a field': 'agent-trust update acme-buyer --clear specialty',
    'A field that has no option': `agent-trust update acme-buyer --fields '{"payload_schema":{"currency":"EUR"}}'`,
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    const cleared = options.clear ?? [];
    const unknown = cleared.find((field) => !(clearable as readonly string[]).includes(field));
    if (unknown !== undefined) throw new UsageError(`--clear takes ${clearable.join(', ')}; not "${unknown}"`);
    const fields = await agentFields(options, context.io);
    const both = cleared.find(
      (field) => field in fields || (field === 'public_key' && options.newKeyFile !== undefined),
    );
    if (both !== undefined) throw new UsageError(`${both} is given a value and cleared: say one of both`);
    const body = {
      ...fields,
      ...Object.fromEntries(cleared.map((field) => [field, null])),
      ...(options.newKeyFile === undefined ? {} : { public_key: publicKeyText(readKeyFile(options.newKeyFile)) }),
      ...given({ pull_from_agent_id: options.pullFrom }),
      agent_id: agentId,
    };
    if (Object.keys(body).length === 1) throw new UsageError('name at least one field to change');
    const order = orSandbox(context, 'agent', 'signature', 'org', 'admin');
    const { client, options: asked } = await context.registry(order, agentId);
    const updated = await client.update(body, asked);
    if ('status' in updated) return askToConfirm(updated, context);
    context.answer(updated, () => showAgent(updated, context.out));
    return exitCodes.ok;
  },
});

const retire = command({
  path: ['retire'],
  description: [
    "With the agent's own credential, else its organisation's key. The agent leaves match and the registry, is never called or paid again,",
    'and nobody can act as it. Its id stays taken.',
  ].join('\n'),
  arguments: [agentArgument],
  options: { yes: flag('--yes', 'really retire: it cannot be undone') },
  examples: { 'An agent that is replaced by another': 'agent-trust retire acme-helper --yes' },
  run: async ({ args: [agentId = ''], options, context }) => {
    if (options.yes !== true) throw new UsageError(`this takes ${agentId} out of service for good: add --yes to do it`);
    const { client, options: asked } = await context.registry(
      orSandbox(context, 'agent', 'signature', 'org', 'admin'),
      agentId,
    );
    const retired = await client.retire(agentId, asked);
    context.answer(retired, ({ agent_id: id, retired_at: at }) =>
      context.out.line(safeLine(`${id} is retired, since ${at}.`)),
    );
  },
});

export const commands = [update, retire];
