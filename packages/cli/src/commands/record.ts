import type { RegistryClient, RequestOptions } from '@agent-trust/client';
import { showRecord, showRecordHistory } from '../output/record-view.ts';
import { ask, command, orSandbox } from '../program/command.ts';
import { given, limit, noteNext, offset, text } from '../program/option.ts';

const organisation = {
  name: 'organisation',
  description: 'its org_id, as its agents show it, or its name (32 hex digits are an org_id)',
} as const;

/** An org_id has this form; anything else is a name. */
const orgIdPattern = /^[0-9a-f]{32}$/u;

const orgIdOf = async (client: RegistryClient, given: string, options: RequestOptions): Promise<string> =>
  orgIdPattern.test(given) ? given : (await client.findOrganisation(given, options)).org_id;

const record = command({
  path: ['record'],
  description:
    'What others say of its agents, which root is left out, who vouches for it, and what it answers for. Only under a trust policy of formula v2.',
  arguments: [organisation],
  options: {
    asOf: text('--as-of <moment>', 'as it was then: an RFC 3339 time or a log position'),
    limit: limit(200),
    offset: offset(),
  },
  examples: { 'Every part of a record': 'agent-trust record "Acme"' },
  run: async ({ args: [name = ''], options, context }) => {
    const query = given({ as_of: options.asOf, limit: options.limit, offset: options.offset });
    await ask(
      context,
      orSandbox(context, 'none'),
      async (client, asked) => client.organisationRecord(await orgIdOf(client, name, asked), query, asked),
      (page, out) => {
        showRecord(page.record, out);
        // By position, so that a new review moves nothing from one page to the next.
        noteNext(page, ' reviews', out, ` --as-of ${page.record.as_of.position}`);
      },
    );
  },
});

const recordHistory = command({
  path: ['record-history'],
  description: 'Oldest first. Only under a trust policy of formula v2.',
  arguments: [organisation],
  options: { limit: limit(500), offset: offset() },
  examples: { 'How a record developed': 'agent-trust record-history "Acme"' },
  run: async ({ args: [name = ''], options, context }) => {
    const query = given({ limit: options.limit, offset: options.offset });
    await ask(
      context,
      orSandbox(context, 'none'),
      async (client, asked) => client.organisationRecordHistory(await orgIdOf(client, name, asked), query, asked),
      (page, out) => {
        showRecordHistory(page.history, out);
        noteNext(page, ' changes', out);
      },
    );
  },
});

export const commands = [record, recordHistory];
