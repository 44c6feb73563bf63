import { UsageError } from '../errors.ts';
import { listOr, showAgent, showAgents, timeText } from '../output/agent-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { right } from '../output/table.ts';
import { agentArgument, ask, command, type Context, orSandbox } from '../program/command.ts';
import { flag, given, limit, offset, text } from '../program/option.ts';
import { refuseOtherOrganisation, saveOrganisation } from '../settings/save.ts';
import { prepareSave } from './keys.ts';
import { orgUsageCommands } from './quotas.ts';
import { organisationKeyCommands } from './org-keys.ts';

const paging = { limit: limit(1_000), offset: offset() };
const saveKey = { save: flag('--save', 'keep it for the next commands instead of showing it') };

type Keys = Parameters<typeof saveOrganisation>[2];
const keyNames = { org_key: 'production key', sandbox_key: 'sandbox key' } as const;

const keepOrShow = (context: Context, save: boolean | undefined, answer: { org_name: string }, keys: Keys): void => {
  const { out } = context;
  const secrets = Object.entries(keys).map(([name, value]) => [keyNames[name as keyof Keys], value] as const);
  let isKept = false;
  let fault: Error | undefined;
  if (save === true) {
    try {
      saveOrganisation(context.settings(), answer.org_name, keys);
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
    "Takes the key of the installation, --admin-key-file or AGENT_TRUST_ADMIN_KEY, or an operator's of the role admin, --operator-key-file. npm start keeps it in .data/secrets.json.",
  arguments: [{ name: 'name', description: 'name of the organisation' }],
  options: {
    contactEmail: text('--contact-email <address>', 'who answers for it'),
    save: flag('--save', 'save both keys for the next commands instead of showing them'),
  },
  examples: {
    'On the registry that npm start runs here':
      'agent-trust org create "Acme" --contact-email ops@acme.test --admin-key-file .data/secrets.json --save',
  },
  run: async ({ args: [name = ''], options, context }) => {
    if (options.contactEmail === undefined) throw new UsageError('--contact-email is missing');
    prepareSave(context, options.save);
    const settings = context.settings();
    if (options.save === true) refuseOtherOrganisation(settings, settings.profile, name);
    const { client, options: asked } = await context.registry('admin_key');
    const made = await client.org.createKey({ org_name: name, contact_email: options.contactEmail }, asked);
    context.out.note(`${made.org_name} is created.`);
    keepOrShow(context, options.save, made, { org_key: made.api_key, sandbox_key: made.sandbox_api_key });
  },
});

const whoami = command({
  path: ['org', 'whoami'],
  summary: 'Which organisation and universe the key belongs to.',
  examples: { 'Whose key is saved?': 'agent-trust org whoami' },
  run: async ({ context }) => {
    await ask(
      context,
      orSandbox(context, 'org'),
      (client, asked) => client.org.whoami(asked),
      (who, out) =>
        out.fields([
          ['organisation', who.org_name],
          ['universe', who.is_sandbox ? 'sandbox' : 'production'],
        ]),
    );
  },
});

const agents = command({
  path: ['org', 'agents'],
  summary: "The organisation's own agents; with --sandbox those of its sandbox.",
  options: paging,
  examples: { 'All in production': 'agent-trust org agents' },
  run: async ({ options, context }) => {
    await ask(
      context,
      orSandbox(context, 'org'),
      (client, asked) => client.org.agents(given(options), asked),
      (page, out) => showAgents(page.agents, out),
    );
  },
});

const agent = command({
  path: ['org', 'agent'],
  summary: "One of the organisation's agents, with its endpoint.",
  arguments: [agentArgument],
  examples: { 'With its endpoint, which nobody else sees': 'agent-trust org agent acme-buyer' },
  run: async ({ args: [agentId = ''], context }) => {
    await ask(context, orSandbox(context, 'org'), (client, asked) => client.org.agent(agentId, asked), showAgent);
  },
});

const payments = command({
  path: ['org', 'payments'],
  summary: "What the organisation's agents were paid through the registry, newest first.",
  options: paging,
  examples: { 'The latest ten': 'agent-trust org payments --limit 10' },
  run: async ({ options, context }) => {
    await ask(
      context,
      orSandbox(context, 'org'),
      (client, asked) => client.org.payments(given(options), asked),
      (page, out) => {
        if (page.payments.length === 0) return out.note('No payments.');
        return out.table(
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
      },
    );
  },
});

const domainArgument = { name: 'domain', description: 'the domain' };

const domains = command({
  path: ['org', 'domain', 'list'],
  summary: "The organisation's domains, and how far they are proved.",
  options: { limit: limit(500), offset: offset() },
  examples: { 'Which are proved?': 'agent-trust org domain list' },
  run: async ({ options, context }) => {
    await ask(
      context,
      orSandbox(context, 'org'),
      (client, asked) => client.org.domains(given(options), asked),
      (page, out) => {
        if (page.domains.length === 0) return out.note('No domains.');
        return out.table(
          ['DOMAIN', 'STATUS', 'METHOD', 'CHECKED', 'ENDS'],
          page.domains.map((one) => [
            one.domain,
            one.status,
            one.method ?? '',
            timeText(one.checked_at),
            timeText(one.ends_at),
          ]),
        );
      },
    );
  },
});

const requestDomain = command({
  path: ['org', 'domain', 'request'],
  summary: 'What to publish to prove a domain, by the production key.',
  arguments: [domainArgument],
  examples: { 'The record or the page': 'agent-trust org domain request acme.example' },
  run: async ({ args: [domain = ''], context }) => {
    await ask(
      context,
      ['org'],
      (client, asked) => client.org.requestDomain(domain, asked),
      ({ dns_record: record, page }, out) => {
        out.fields([
          ['TXT record', safeLine(record.name)],
          ['or page', safeLine(page.url)],
          ['with', safeLine(page.line)],
        ]);
        out.note('One of the two is enough. Leave it there: it is looked for again every 30 days.');
      },
    );
  },
});

const verifyDomain = command({
  path: ['org', 'domain', 'verify'],
  summary: 'Have the token of a domain looked for now, by the production key.',
  arguments: [domainArgument],
  examples: { 'After the record is published': 'agent-trust org domain verify acme.example' },
  run: async ({ args: [domain = ''], context }) => {
    await ask(
      context,
      ['org'],
      (client, asked) => client.org.verifyDomain(domain, asked),
      (proved, out) => out.line(`${safeLine(proved.domain)} is proved, by ${safeLine(proved.method ?? '')}.`),
    );
  },
});

const issue = command({
  path: ['org', 'sandbox-key', 'issue'],
  summary: 'Issue a sandbox key, by the production key. Only after the former one was revoked.',
  options: saveKey,
  examples: { Anew: 'agent-trust org sandbox-key revoke && agent-trust org sandbox-key issue --save' },
  run: async ({ options, context }) => {
    prepareSave(context, options.save);
    const { client, options: asked } = await context.registry(['org']);
    const issued = await client.org.issueSandboxKey(asked);
    keepOrShow(context, options.save, issued, { sandbox_key: issued.sandbox_api_key });
  },
});

const revoke = command({
  path: ['org', 'sandbox-key', 'revoke'],
  summary: 'Revoke the sandbox key, by the production key. The sandbox and its agents stay.',
  run: async ({ context }) => {
    await ask(
      context,
      ['org'],
      (client, asked) => client.org.revokeSandboxKey(asked),
      (revoked, out) => out.line(`The sandbox key of ${safeLine(revoked.org_name)} has stopped working.`),
    );
  },
});

const rotateKey = command({
  path: ['org', 'rotate-key'],
  summary: 'Replace the production key. The former one stops working at once.',
  options: saveKey,
  examples: { 'In place of the saved one': 'agent-trust org rotate-key --save' },
  run: async ({ options, context }) => {
    prepareSave(context, options.save);
    const { client, options: asked } = await context.registry(['org']);
    const rotated = await client.org.rotateKey(asked);
    keepOrShow(context, options.save, rotated, { org_key: rotated.api_key });
  },
});

export const commands = [
  create,
  whoami,
  agents,
  agent,
  payments,
  domains,
  requestDomain,
  verifyDomain,
  issue,
  revoke,
  rotateKey,
  ...orgUsageCommands,
  ...organisationKeyCommands,
];
