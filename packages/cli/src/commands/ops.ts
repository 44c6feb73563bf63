import type { RegistryClient, RequestOptions } from '@agent-trust/client';
import { timeText } from '../output/agent-view.ts';
import type { Output } from '../output/output.ts';
import { safeLine } from '../output/safe-text.ts';
import { UsageError } from '../errors.ts';
import { operatorKeyCommands } from './operator-keys.ts';
import { signInCommand } from './sign-in.ts';
import { installationCommands } from './installation.ts';
import { policyLabCommands } from './policy-lab.ts';
import { limitCommands } from './quotas.ts';
import { operatorWebhookCommands } from './webhooks.ts';
import { ask, type Command, command } from '../program/command.ts';
import { flag, given, type OptionOf, type OptionValues, text, texts } from '../program/option.ts';

const erase = command({
  path: ['ops', 'erase'],
  summary: "Erase an agent's contact and its answers to reviews for good, by an operator's key or token.",
  arguments: [{ name: 'agent_id', description: 'the agent, in either universe', values: 'agent' }],
  options: { yes: flag('--yes', 'really erase: it cannot be undone') },
  examples: {
    'Somebody asked to be forgotten': 'agent-trust ops erase acme-buyer --yes --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [agentId = ''], options, context }) => {
    if (options.yes !== true)
      throw new UsageError(
        `this destroys the contact of ${agentId} and what it has answered to reviews for good: add --yes to do it`,
      );
    await ask(
      context,
      ['admin'],
      (client, asked) => client.ops.erasePersonalData(agentId, asked),
      ({ agent_id: id, erased_at: at }, out) =>
        out.line(
          safeLine(at === null ? `${id} has no personal data.` : `The personal data of ${id} is erased, since ${at}.`),
        ),
    );
  },
});

const reasonOption = text('--reason <text>', "why, for the log and the agent's owner; it cannot be erased");

type WithReason = { reason: OptionOf<string> };
type Given<Options extends WithReason> = { args: readonly string[]; options: OptionValues<Options>; reason: string };

/** A request of the operator that takes a reason. */
const withReason = <Options extends WithReason, Answer>({
  request,
  show,
  ...described
}: Pick<Command, 'path' | 'summary' | 'arguments' | 'examples'> & {
  options: Options;
  /** @throws UsageError before anything is sent */
  request: (given: Given<Options>) => (ops: RegistryClient['ops'], asked: RequestOptions) => Promise<Answer>;
  show: (answer: Answer, out: Output, given: Given<Options>) => void;
}): Command =>
  command({
    ...described,
    run: async ({ args, options, context }) => {
      const { reason } = options as OptionValues<WithReason>;
      if (reason === undefined || reason === '') throw new UsageError('say why: --reason <text>');
      const given = { args, options, reason };
      const send = request(given);
      await ask(
        context,
        ['admin'],
        ({ ops }, asked) => send(ops, asked),
        (answer, out) => show(answer, out, given),
      );
    },
  });

const suspend = withReason({
  path: ['ops', 'suspend'],
  summary: "Suspend an agent, by an operator's key or token: nobody reaches it or acts as it.",
  arguments: [{ name: 'agent_id', description: 'the agent, in either universe', values: 'agent' }],
  options: { reason: reasonOption },
  examples: {
    'An agent that does harm':
      'agent-trust ops suspend acme-buyer --reason "Answers with malware" --admin-token-file .data/secrets.json',
  },
  request:
    ({ args: [agentId = ''], reason }) =>
    (ops, asked) =>
      ops.suspendAgent(agentId, reason, asked),
  show: ({ agent_id: id, suspended_at: at, reason: why }, out) =>
    out.line(safeLine(`${id} is suspended since ${at}: ${why}`)),
});

const reinstate = withReason({
  path: ['ops', 'reinstate'],
  summary: "End an agent's suspension, by an operator's key or token.",
  arguments: [{ name: 'agent_id', description: 'the agent, in either universe', values: 'agent' }],
  options: { reason: reasonOption },
  examples: {
    'The harm is mended':
      'agent-trust ops reinstate acme-buyer --reason "Server replaced" --admin-token-file .data/secrets.json',
  },
  request:
    ({ args: [agentId = ''], reason }) =>
    (ops, asked) =>
      ops.reinstateAgent(agentId, reason, asked),
  show: ({ agent_id: id }, out) => out.line(safeLine(`${id} is not suspended.`)),
});

const domainArgument = { name: 'domain', description: 'the domain' };

const vouch = withReason({
  path: ['ops', 'domain', 'vouch'],
  summary: "Vouch for an organisation's domain, by an operator's key or token: it counts as proved.",
  arguments: [domainArgument],
  options: { orgName: text('--org-name <name>', 'name of the organisation'), reason: reasonOption },
  examples: {
    'Known from a contract':
      'agent-trust ops domain vouch acme.example --org-name Acme --reason "Contract of May" --admin-token-file .data/secrets.json',
  },
  request: ({ args: [domain = ''], options: { orgName }, reason }) => {
    if (orgName === undefined) throw new UsageError('--org-name is missing');
    return (ops, asked) => ops.vouchForDomain(domain, { org_name: orgName, reason }, asked);
  },
  show: (proved, out, { options: { orgName = '' } }) =>
    out.line(`${safeLine(proved.domain)} counts as proved by ${safeLine(orgName)}.`),
});

const withdraw = withReason({
  path: ['ops', 'domain', 'withdraw'],
  summary: "Withdraw the proof that a domain has, by an operator's key or token.",
  arguments: [domainArgument],
  options: { reason: reasonOption },
  examples: {
    'The domain was sold':
      'agent-trust ops domain withdraw acme.example --reason "It was sold" --admin-token-file .data/secrets.json',
  },
  request:
    ({ args: [domain = ''], reason }) =>
    (ops, asked) =>
      ops.withdrawDomainProof(domain, reason, asked),
  show: (withdrawn, out) => out.line(`${safeLine(withdrawn.domain)} is proved by nobody.`),
});

const organisationArgument = { name: 'organisation', description: 'id or name of the organisation' } as const;

const disable = withReason({
  path: ['ops', 'disable-org'],
  summary: "Disable an organisation, by an operator's key or token: its keys fail, its agents count as suspended.",
  arguments: [organisationArgument],
  options: { reason: reasonOption },
  examples: {
    'An organisation that does harm':
      'agent-trust ops disable-org "Acme" --reason "Spreads malware" --admin-token-file .data/secrets.json',
  },
  request:
    ({ args: [organisation = ''], reason }) =>
    (ops, asked) =>
      ops.disableOrganisation(organisation, reason, asked),
  show: ({ org_name: name, disabled_at: at, reason: why }, out) =>
    out.line(safeLine(`${name} is disabled since ${at}: ${why}`)),
});

const enable = withReason({
  path: ['ops', 'enable-org'],
  summary: "Enable a disabled organisation, by an operator's key or token.",
  arguments: [organisationArgument],
  options: { reason: reasonOption },
  examples: {
    'The harm is mended':
      'agent-trust ops enable-org "Acme" --reason "Cleaned up" --admin-token-file .data/secrets.json',
  },
  request:
    ({ args: [organisation = ''], reason }) =>
    (ops, asked) =>
      ops.enableOrganisation(organisation, reason, asked),
  show: ({ org_name: name }, out) => out.line(safeLine(`${name} is not disabled.`)),
});

const reissueKeys = withReason({
  path: ['ops', 'reissue-org-keys'],
  summary: "Replace both keys of an organisation, by an operator's key or token.",
  arguments: [organisationArgument],
  options: { reason: reasonOption, yes: flag('--yes', 'really replace them: the former keys fail at once') },
  examples: {
    'A key was stolen':
      'agent-trust ops reissue-org-keys Globex --reason "Key stolen" --yes --admin-token-file .data/secrets.json',
  },
  request: ({ args: [organisation = ''], options, reason }) => {
    if (options.yes !== true) throw new UsageError(`the keys of ${organisation} fail at once: add --yes to do it`);
    return (ops, asked) => ops.reissueOrganisationKeys(organisation, reason, asked);
  },
  show: (keys, out) => {
    out.line(safeLine(`api_key ${keys.api_key}`));
    out.line(safeLine(`sandbox_api_key ${keys.sandbox_api_key}`));
  },
});

const voidReviews = withReason({
  path: ['ops', 'void-reviews'],
  summary: "Take reviews out of scores for good, by an operator's key or token: those of a stolen key or of a ring.",
  arguments: [],
  options: {
    reason: reasonOption,
    transaction: texts('--transaction <id>', 'only the review of this exchange'),
    reviewer: texts('--reviewer <agent_id>', 'only reviews by this agent', 'agent'),
    agent: texts('--agent <agent_id>', 'only reviews of this agent', 'agent'),
    from: text('--from <time>', 'only reviews made at or after this moment, RFC 3339'),
    until: text('--until <time>', 'only reviews made before this moment'),
    yes: flag('--yes', 'really void them; without it they are only shown'),
  },
  examples: {
    'What a stolen key has said, shown first':
      'agent-trust ops void-reviews --reviewer acme-buyer --from 2026-01-14T00:00:00Z --reason "Key stolen" --admin-token-file .data/secrets.json',
    'The same, in earnest':
      'agent-trust ops void-reviews --reviewer acme-buyer --from 2026-01-14T00:00:00Z --reason "Key stolen" --yes --admin-token-file .data/secrets.json',
  },
  request: ({ options, reason }) => {
    const { transaction, reviewer, agent, from, until, yes } = options;
    if (transaction === undefined && reviewer === undefined && agent === undefined)
      throw new UsageError('say which: --transaction, --reviewer or --agent');
    const selected = given({
      transaction_ids: transaction,
      reviewer_agent_ids: reviewer,
      agent_ids: agent,
      reviewed_from: from,
      reviewed_until: until,
    });
    return (ops, asked) => ops.voidReviews({ ...selected, reason, dry_run: yes !== true }, asked);
  },
  show: ({ dry_run: isDryRun, reviews, remaining }, out) => {
    out.table(
      ['REVIEWED AT', 'AGENT', 'REVIEWER', 'SCORE', 'EXCHANGE'],
      reviews.map((review) => [
        timeText(review.reviewed_at),
        safeLine(review.agent_id),
        safeLine(review.reviewer_agent_id),
        String(review.score),
        safeLine(review.transaction_id),
      ]),
    );
    if (isDryRun) out.note(`Nothing is void yet: ${reviews.length + remaining} would be. Add --yes to do it.`);
    else {
      const more = remaining === 0 ? '' : ` ${remaining} remain: repeat the command.`;
      out.note(`${reviews.length} ${reviews.length === 1 ? 'review is' : 'reviews are'} void now.${more}`);
    }
  },
});

const aliasArgument = { name: 'alias', description: 'the alias, in any spelling' };

const confirmAlias = withReason({
  path: ['ops', 'alias', 'confirm'],
  summary: "Make a name an alias of a capability, by an operator's key or token.",
  arguments: [aliasArgument, { name: 'capability', description: 'the capability that is meant' }],
  options: { reason: reasonOption },
  examples: {
    'A usual word':
      'agent-trust ops alias confirm "text translating" machine_translation --reason "Usual" --admin-token-file .data/secrets.json',
  },
  request:
    ({ args: [alias = '', name = ''], reason }) =>
    (ops, asked) =>
      ops.confirmCapabilityAlias(alias, { name, reason }, asked),
  show: (made, out) => out.line(safeLine(`${made.alias} is an alias of ${made.name ?? ''}.`)),
});

const undoAlias = withReason({
  path: ['ops', 'alias', 'undo'],
  summary: "Undo an alias that the registry has learned, by an operator's key or token; it is not learned again.",
  arguments: [aliasArgument],
  options: { reason: reasonOption },
  examples: {
    'It misleads':
      'agent-trust ops alias undo "cheap flights" --reason "Leads to hotels" --admin-token-file .data/secrets.json',
  },
  request:
    ({ args: [alias = ''], reason }) =>
    (ops, asked) =>
      ops.undoCapabilityAlias(alias, reason, asked),
  show: (undone, out) => out.line(safeLine(`${undone.alias} is no alias.`)),
});

export const commands = [
  ...installationCommands,
  ...policyLabCommands,
  erase,
  suspend,
  reinstate,
  disable,
  enable,
  reissueKeys,
  voidReviews,
  vouch,
  withdraw,
  confirmAlias,
  undoAlias,
  ...operatorKeyCommands,
  signInCommand,
  ...limitCommands,
  ...operatorWebhookCommands,
];
