import { UsageError } from '../usage-error.ts';
import { listOr, showAgent, showAgents, timeText } from '../output/agent-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { right } from '../output/table.ts';
import { type Command, command } from '../program/command.ts';
import type { Context } from '../program/context.ts';
import { flag, given, limit, offset, text } from '../program/option.ts';
import { refuseOtherOrganisation, saveOrganisation } from '../settings/save.ts';
import { prepareSave } from './redeem.ts';

const listMax = 1_000;

/** With the production key, or with --sandbox the sandbox key. */
const asOrg = (context: Context) => context.registry(context.global.sandbox === true ? ['sandbox'] : ['org']);

type Secret = readonly [name: string, value: string];

/** Saves keys that are shown once, or shows them. */
const keepOrShow = (
  context: Context,
  save: boolean | undefined,
  answer: unknown,
  keep: () => void,
  secrets: readonly Secret[],
): void => {
  const { out } = context;
  let isKept = false;
  let fault: Error | undefined;
  if (save === true) {
    try {
      keep();
      isKept = true;
    } catch (error) {
      fault = error as Error;
    }
  }
  context.answer(answer, () => {
    if (isKept) {
      const { configFile, profileName } = context.settings();
      out.line(
        `Saved in ${safeLine(configFile)}, profile ${profileName}: ${secrets.map(([name]) => name).join(', ')}.`,
      );
      return;
    }
    out.fields(secrets.map(([name, value]) => [name, { text: value, paint: (plain) => out.paint('bold', plain) }]));
    out.note('Shown this once. --save keeps them for the next commands.');
  });
  // The keys are valid already: showing them is better than losing them.
  if (fault !== undefined)
    throw new UsageError(`they could not be saved and are shown instead (${fault.message})`, { cause: fault });
};

const create = command({
  path: ['org', 'create'],
  summary: 'Create an organisation with its two keys, one for production and one for its sandbox.',
  description:
    "Takes the operator's key: --admin-key-file or AGENT_TRUST_ADMIN_KEY. npm start keeps it in .data/secrets.json.",
  arguments: [{ name: 'name', description: 'name of the organisation' }],
  options: {
    contactEmail: text('--contact-email <address>', 'who answers for it'),
    save: flag('--save', 'save both keys for the next commands instead of showing them'),
  },
  examples: [
    {
      says: 'On the registry that npm start runs here',
      run: 'agent-trust org create "Acme" --contact-email ops@acme.test --admin-key-file .data/secrets.json --save',
    },
  ],
  run: async ({ args: [name = ''], options, context }) => {
    if (options.contactEmail === undefined) throw new UsageError('--contact-email is missing');
    prepareSave(context, options.save);
    const settings = context.settings();
    if (options.save === true) refuseOtherOrganisation(settings, settings.profile, name);
    const { client, options: asked } = await context.registry('admin_key');
    const made = await client.org.createKey({ org_name: name, contact_email: options.contactEmail }, asked);
    context.out.note(`${made.org_name} is there.`);
    keepOrShow(
      context,
      options.save,
      made,
      () => saveOrganisation(settings, made.org_name, { org_key: made.api_key, sandbox_key: made.sandbox_api_key }),
      [
        ['production key', made.api_key],
        ['sandbox key', made.sandbox_api_key],
      ],
    );
  },
});

const whoami = command({
  path: ['org', 'whoami'],
  summary: 'Which organisation and universe the key belongs to.',
  arguments: [],
  options: {},
  examples: [{ says: 'Whose key is saved?', run: 'agent-trust org whoami' }],
  run: async ({ context }) => {
    const { client, options } = await asOrg(context);
    const who = await client.org.whoami(options);
    context.answer(who, () =>
      context.out.fields([
        ['organisation', who.org_name],
        ['universe', who.is_sandbox ? 'sandbox' : 'production'],
      ]),
    );
  },
});

const agents = command({
  path: ['org', 'agents'],
  summary: "The organisation's own agents; with --sandbox those of its sandbox.",
  arguments: [],
  options: { limit: limit(listMax), offset: offset() },
  examples: [{ says: 'All in production', run: 'agent-trust org agents' }],
  run: async ({ options, context }) => {
    const { client, options: asked } = await asOrg(context);
    const page = await client.org.agents(given({ limit: options.limit, offset: options.offset }), asked);
    context.answer(page.agents, () => {
      if (page.agents.length === 0) context.out.note('No agents.');
      else showAgents(page.agents, context.out);
    });
  },
});

const agent = command({
  path: ['org', 'agent'],
  summary: "One of the organisation's agents, with its endpoint.",
  arguments: [{ name: 'agent_id', description: 'the agent', values: 'agent' }],
  options: {},
  examples: [{ says: 'With its endpoint, which nobody else sees', run: 'agent-trust org agent acme-buyer' }],
  run: async ({ args: [agentId = ''], context }) => {
    const { client, options } = await asOrg(context);
    const profile = await client.org.agent(agentId, options);
    context.answer(profile, () => showAgent(profile, context.out));
  },
});

const payments = command({
  path: ['org', 'payments'],
  summary: "What the organisation's agents were paid through the registry, newest first.",
  arguments: [],
  options: { limit: limit(listMax), offset: offset() },
  examples: [{ says: 'The latest ten', run: 'agent-trust org payments --limit 10' }],
  run: async ({ options, context }) => {
    const { client, options: asked } = await asOrg(context);
    const page = await client.org.payments(given({ limit: options.limit, offset: options.offset }), asked);
    context.answer(page.payments, () => {
      if (page.payments.length === 0) context.out.note('No payments.');
      else
        context.out.table(
          ['SETTLED', right('AMOUNT'), 'CURRENCY', 'AGENT', 'FROM', 'REFERENCE'],
          page.payments.map((payment) => [
            timeText(payment.settled_at),
            String(payment.amount ?? payment.amount_atomic ?? ''),
            listOr(
              [payment.currency, payment.network].filter((one) => one !== null),
              '',
            ),
            payment.receiver_agent_id,
            payment.caller_agent_id ?? '',
            payment.confirmation_ref ?? '',
          ]),
        );
    });
  },
});

const issue = command({
  path: ['org', 'sandbox-key', 'issue'],
  summary: 'Issue a sandbox key, by the production key. Only after the former one was revoked.',
  arguments: [],
  options: { save: flag('--save', 'keep it for the next commands instead of showing it') },
  examples: [{ says: 'Anew', run: 'agent-trust org sandbox-key revoke && agent-trust org sandbox-key issue --save' }],
  run: async ({ options, context }) => {
    prepareSave(context, options.save);
    const { client, options: asked } = await context.registry(['org']);
    const issued = await client.org.issueSandboxKey(asked);
    keepOrShow(
      context,
      options.save,
      issued,
      () => saveOrganisation(context.settings(), issued.org_name, { sandbox_key: issued.sandbox_api_key }),
      [['sandbox key', issued.sandbox_api_key]],
    );
  },
});

const revoke = command({
  path: ['org', 'sandbox-key', 'revoke'],
  summary: 'Revoke the sandbox key, by the production key. The sandbox and its agents stay.',
  arguments: [],
  options: {},
  examples: [],
  run: async ({ context }) => {
    const { client, options } = await context.registry(['org']);
    const revoked = await client.org.revokeSandboxKey(options);
    context.answer(revoked, () =>
      context.out.line(`The sandbox key of ${safeLine(revoked.org_name)} has stopped working.`),
    );
  },
});

const rotateKey = command({
  path: ['org', 'rotate-key'],
  summary: 'Replace the production key. The former one stops working at once.',
  arguments: [],
  options: { save: flag('--save', 'keep it for the next commands instead of showing it') },
  examples: [{ says: 'In place of the saved one', run: 'agent-trust org rotate-key --save' }],
  run: async ({ options, context }) => {
    prepareSave(context, options.save);
    const { client, options: asked } = await context.registry(['org']);
    const rotated = await client.org.rotateKey(asked);
    keepOrShow(
      context,
      options.save,
      rotated,
      () => saveOrganisation(context.settings(), rotated.org_name, { org_key: rotated.api_key }),
      [['production key', rotated.api_key]],
    );
  },
});

/** Everything under `agent-trust org`. */
export const orgCommands: readonly Command[] = [create, whoami, agents, agent, payments, issue, revoke, rotateKey];
