import { safeLine } from '../output/safe-text.ts';
import { UsageError } from '../errors.ts';
import { ask, command } from '../program/command.ts';
import { flag, text } from '../program/option.ts';

const erase = command({
  path: ['ops', 'erase'],
  summary: "Erase an agent's contact_email and contact_info for good, by the operator's token.",
  arguments: [{ name: 'agent_id', description: 'the agent, in either universe', values: 'agent' }],
  options: { yes: flag('--yes', 'really erase: it cannot be undone') },
  examples: {
    'Somebody asked to be forgotten': 'agent-trust ops erase acme-buyer --yes --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    if (options.yes !== true)
      throw new UsageError(
        `this destroys the contact_email and contact_info of ${agentId} for good: add --yes to do it`,
      );
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.erasePersonalData(agentId, asked),
      ({ agent_id: id, erased_at: at }, out) =>
        out.line(safeLine(at === null ? `${id} never had a contact.` : `The contact of ${id} is erased, since ${at}.`)),
    );
  },
});

const reasonOption = text('--reason <text>', "why, for the log and the agent's owner; it cannot be erased");

const reasonOf = (reason: string | undefined): string => {
  if (reason === undefined || reason === '') throw new UsageError('say why: --reason <text>');
  return reason;
};

const suspend = command({
  path: ['ops', 'suspend'],
  summary: "Suspend an agent, by the operator's token: nobody reaches it or acts as it.",
  arguments: [{ name: 'agent_id', description: 'the agent, in either universe', values: 'agent' }],
  options: { reason: reasonOption },
  examples: {
    'An agent that does harm':
      'agent-trust ops suspend acme-buyer --reason "Answers with malware" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    const reason = reasonOf(options.reason);
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.suspendAgent(agentId, reason, asked),
      ({ agent_id: id, suspended_at: at, reason: why }, out) =>
        out.line(safeLine(`${id} is suspended since ${at}: ${why}`)),
    );
  },
});

const reinstate = command({
  path: ['ops', 'reinstate'],
  summary: "End an agent's suspension, by the operator's token.",
  arguments: [{ name: 'agent_id', description: 'the agent, in either universe', values: 'agent' }],
  options: { reason: reasonOption },
  examples: {
    'The harm is mended':
      'agent-trust ops reinstate acme-buyer --reason "Server replaced" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    const reason = reasonOf(options.reason);
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.reinstateAgent(agentId, reason, asked),
      ({ agent_id: id }, out) => out.line(safeLine(`${id} is not suspended.`)),
    );
  },
});

const domainArgument = { name: 'domain', description: 'the domain' };

const vouch = command({
  path: ['ops', 'domain', 'vouch'],
  summary: "Vouch for an organisation's domain, by the operator's token: it counts as proved.",
  arguments: [domainArgument],
  options: { orgName: text('--org-name <name>', 'name of the organisation'), reason: reasonOption },
  examples: {
    'Known from a contract':
      'agent-trust ops domain vouch acme.example --org-name Acme --reason "Contract of May" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [domain = ''], options, context }) => {
    const { orgName } = options;
    const reason = reasonOf(options.reason);
    if (orgName === undefined) throw new UsageError('--org-name is missing');
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.vouchForDomain(domain, { org_name: orgName, reason }, asked),
      (proved, out) => out.line(`${safeLine(proved.domain)} counts as proved by ${safeLine(orgName)}.`),
    );
  },
});

const withdraw = command({
  path: ['ops', 'domain', 'withdraw'],
  summary: "Withdraw the proof that a domain has, by the operator's token.",
  arguments: [domainArgument],
  options: { reason: reasonOption },
  examples: {
    'The domain was sold':
      'agent-trust ops domain withdraw acme.example --reason "It was sold" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [domain = ''], options, context }) => {
    const reason = reasonOf(options.reason);
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.withdrawDomainProof(domain, reason, asked),
      (withdrawn, out) => out.line(`${safeLine(withdrawn.domain)} is proved by nobody.`),
    );
  },
});

const organisationArgument = { name: 'organisation', description: 'id or name of the organisation' } as const;

const disable = command({
  path: ['ops', 'disable-org'],
  summary: "Disable an organisation, by the operator's token: its keys fail, its agents count as suspended.",
  arguments: [organisationArgument],
  options: { reason: reasonOption },
  examples: {
    'An organisation that does harm':
      'agent-trust ops disable-org "Acme" --reason "Spreads malware" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [organisation = ''], options, context }) => {
    const reason = reasonOf(options.reason);
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.disableOrganisation(organisation, reason, asked),
      ({ org_name: name, disabled_at: at, reason: why }, out) =>
        out.line(safeLine(`${name} is disabled since ${at}: ${why}`)),
    );
  },
});

const enable = command({
  path: ['ops', 'enable-org'],
  summary: "Enable a disabled organisation, by the operator's token.",
  arguments: [organisationArgument],
  options: { reason: reasonOption },
  examples: {
    'The harm is mended':
      'agent-trust ops enable-org "Acme" --reason "Cleaned up" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [organisation = ''], options, context }) => {
    const reason = reasonOf(options.reason);
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.enableOrganisation(organisation, reason, asked),
      ({ org_name: name }, out) => out.line(safeLine(`${name} is not disabled.`)),
    );
  },
});

const reissueKeys = command({
  path: ['ops', 'reissue-org-keys'],
  summary: "Replace both keys of an organisation, by the operator's token.",
  arguments: [organisationArgument],
  options: { reason: reasonOption, yes: flag('--yes', 'really replace them: the former keys fail at once') },
  examples: {
    'A key was stolen':
      'agent-trust ops reissue-org-keys Globex --reason "Key stolen" --yes --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [organisation = ''], options, context }) => {
    const reason = reasonOf(options.reason);
    if (options.yes !== true) throw new UsageError(`the keys of ${organisation} fail at once: add --yes to do it`);
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.reissueOrganisationKeys(organisation, reason, asked),
      (keys, out) => {
        out.line(safeLine(`api_key ${keys.api_key}`));
        out.line(safeLine(`sandbox_api_key ${keys.sandbox_api_key}`));
      },
    );
  },
});

const aliasArgument = { name: 'alias', description: 'the alias, in any spelling' };

const confirmAlias = command({
  path: ['ops', 'alias', 'confirm'],
  summary: "Make a name an alias of a capability, by the operator's token.",
  arguments: [aliasArgument, { name: 'capability', description: 'the capability that is meant' }],
  options: { reason: reasonOption },
  examples: {
    'A usual word':
      'agent-trust ops alias confirm "text translating" machine_translation --reason "Usual" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [alias = '', name = ''], options, context }) => {
    const reason = reasonOf(options.reason);
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.confirmCapabilityAlias(alias, { name, reason }, asked),
      (made, out) => out.line(safeLine(`${made.alias} is an alias of ${made.name ?? ''}.`)),
    );
  },
});

const undoAlias = command({
  path: ['ops', 'alias', 'undo'],
  summary: "Undo an alias that the registry has learned, by the operator's token; it is not learned again.",
  arguments: [aliasArgument],
  options: { reason: reasonOption },
  examples: {
    'It misleads':
      'agent-trust ops alias undo "cheap flights" --reason "Leads to hotels" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [alias = ''], options, context }) => {
    const reason = reasonOf(options.reason);
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.undoCapabilityAlias(alias, reason, asked),
      (undone, out) => out.line(safeLine(`${undone.alias} is no alias.`)),
    );
  },
});

export const commands = [
  erase,
  suspend,
  reinstate,
  disable,
  enable,
  reissueKeys,
  vouch,
  withdraw,
  confirmAlias,
  undoAlias,
];
