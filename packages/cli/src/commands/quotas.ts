import type { OrganisationLimits, OrgUsage } from '@agent-trust/client';
import { UsageError } from '../errors.ts';
import type { Output } from '../output/output.ts';
import { safeLine } from '../output/safe-text.ts';
import { right } from '../output/table.ts';
import { ask, command, orSandbox } from '../program/command.ts';
import { given, integer, text } from '../program/option.ts';

const days = {
  from: text('--from <day>', 'the first day, such as 2026-01-01'),
  to: text('--to <day>', 'the last day; default today, in UTC'),
};
const perDay = (flags: string, what: string) => integer(flags, `${what} in a UTC day; 0: no limit`, 0, 1_000_000_000);
const organisationArgument = { name: 'organisation', description: 'id or name of the organisation' } as const;

const limitText = (limit: number): string => (limit === 0 ? 'no limit' : String(limit));

const showUsage = ({ limits, days: used }: OrgUsage, out: Output): void => {
  out.fields([
    ['calls per day', limitText(limits.calls_per_day)],
    ['registrations per day', limitText(limits.registrations_per_day)],
    ['reads per day', limitText(limits.reads_per_day)],
  ]);
  out.table(
    ['DAY', 'KIND', right('USED'), right('PRODUCTION'), right('SANDBOX'), right('FAILED'), right('REFUSED')],
    used.flatMap((day) =>
      (['calls', 'registrations', 'reads'] as const).map((kind) => [
        safeLine(day.day),
        kind,
        ...(['used', 'in_production', 'in_sandbox', 'failed', 'refused'] as const).map((name) =>
          String(day[kind][name]),
        ),
      ]),
    ),
  );
};

const showLimits = (limits: OrganisationLimits, out: Output): void => {
  const textOf = (name: 'calls_per_day' | 'registrations_per_day' | 'reads_per_day'): string =>
    `${limitText(limits[name])}${limits.own[name] === null ? ' (default)' : ''}`;
  out.fields([
    ['organisation', safeLine(limits.org_name)],
    ['calls per day', textOf('calls_per_day')],
    ['registrations per day', textOf('registrations_per_day')],
    ['reads per day', textOf('reads_per_day')],
    ...(limits.reason === null ? [] : ([['reason', safeLine(limits.reason)]] as [string, string][])),
  ]);
};

const usage = command({
  path: ['org', 'usage'],
  summary: 'What the organisation did by days, and what it may do.',
  options: days,
  examples: {
    'The last 30 days': 'agent-trust org usage',
    'A month': 'agent-trust org usage --from 2026-01-01 --to 2026-01-31',
  },
  run: async ({ options, context }) => {
    await ask(
      context,
      orSandbox(context, 'org'),
      (client, asked) => client.org.usage(given(options), asked),
      showUsage,
    );
  },
});

const operatorUsage = command({
  path: ['ops', 'usage'],
  summary: "What an organisation did by days, by an operator's key or token.",
  arguments: [organisationArgument],
  options: days,
  examples: { 'The last 30 days': 'agent-trust ops usage "Acme" --admin-token-file .data/secrets.json' },
  run: async ({ args: [organisation = ''], options, context }) => {
    await ask(
      context,
      ['admin'],
      ({ ops }, asked) => ops.organisationUsage(organisation, given(options), asked),
      showUsage,
    );
  },
});

const limits = command({
  path: ['ops', 'limits'],
  summary: "How much an organisation may do in a day, by an operator's key or token.",
  arguments: [organisationArgument],
  examples: { 'What holds?': 'agent-trust ops limits "Acme" --admin-token-file .data/secrets.json' },
  run: async ({ args: [organisation = ''], context }) => {
    await ask(context, ['admin'], ({ ops }, asked) => ops.organisationLimits(organisation, asked), showLimits);
  },
});

const setLimits = command({
  path: ['ops', 'set-limits'],
  summary: "Set how much an organisation may do in a day, by an operator's key or token: all three limits.",
  description: 'A limit that is not given is the default of the installation from then on.',
  arguments: [organisationArgument],
  options: {
    calls: perDay('--calls <number>', 'calls and payments'),
    registrations: perDay('--registrations <number>', 'registrations'),
    reads: perDay('--reads <number>', 'reads'),
    reason: text('--reason <text>', "why, for the log's readers; it cannot be erased: name no person"),
  },
  examples: {
    'As a contract says':
      'agent-trust ops set-limits "Acme" --calls 10000 --reads 0 --reason "Contract of May" --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [organisation = ''], options: { calls, registrations, reads, reason }, context }) => {
    if (reason === undefined || reason === '') throw new UsageError('say why: --reason <text>');
    const body = {
      reason,
      ...given({ calls_per_day: calls, registrations_per_day: registrations, reads_per_day: reads }),
    };
    await ask(context, ['admin'], ({ ops }, asked) => ops.setOrganisationLimits(organisation, body, asked), showLimits);
  },
});

export const orgUsageCommands = [usage];
export const limitCommands = [operatorUsage, limits, setLimits];
