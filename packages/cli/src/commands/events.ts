import type { AgentEvent, EventsQuery, LoggedEvent, LogQuery, RegistryClient } from '@agent-trust/client';
import { UsageError } from '../errors.ts';
import { eventLine, exportEvents } from '../output/event-view.ts';
import { type Command, command, type Context, orSandbox } from '../program/command.ts';
import { choice, flag, given, integer, text } from '../program/option.ts';

type ListedEvent = AgentEvent | LoggedEvent;
type Query = EventsQuery & Pick<LogQuery, 'org'>;

/** The ways to read events, of an agent for its owner or of the log for operators. */
type Reader = {
  page: (query: Query) => Promise<{ events: readonly ListedEvent[]; next: unknown }>;
  follow: (query: Query) => AsyncIterable<ListedEvent>;
  export: (query: Query, onEnd: (end: object) => void) => AsyncIterable<ListedEvent>;
};

const readerOf = async (context: Context, agentId: string | undefined): Promise<Reader> => {
  const order = agentId === undefined ? (['admin'] as const) : orSandbox(context, 'org', 'admin');
  const { client, options } = await context.registry(order);
  const isOperator = options.as === 'admin' || (Array.isArray(options.as) && options.as.includes('admin'));
  return isOperator ? logReader(client, options, agentId) : ownReader(client, options, agentId ?? '');
};

type Asked = Parameters<RegistryClient['ops']['events']>[1];

const logReader = ({ ops }: RegistryClient, options: Asked, agentId: string | undefined): Reader => {
  const of = (query: Query): LogQuery => ({ ...query, ...given({ agent_id: agentId }) });
  return {
    page: (query) => ops.events(of(query), options),
    follow: (query) => ops.followEvents(of(query), options),
    export: (query, onEnd) => ops.exportEvents(of(query), { ...options, onEnd }),
  };
};

const ownReader = ({ org }: RegistryClient, options: Asked, agentId: string): Reader => {
  const of = ({ org: organisation, ...query }: Query): EventsQuery => {
    if (organisation === undefined) return query;
    throw new UsageError(
      "--org needs an operator's key or token: AGENT_TRUST_OPERATOR_KEY, --operator-key-file, AGENT_TRUST_ADMIN_TOKEN or --admin-token-file",
    );
  };
  return {
    page: (query) => org.agentEvents(agentId, of(query), options),
    follow: (query) => org.followAgentEvents(agentId, of(query), options),
    export: (query, onEnd) => org.exportAgentEvents(agentId, of(query), { ...options, onEnd }),
  };
};

/** @throws UsageError for options that the way of reading does not have; the registry would refuse them, too */
const refuse = (how: string, options: Record<string, unknown>): void => {
  const [name] = Object.keys(given(options));
  if (name !== undefined) throw new UsageError(`--${name} does not go together with ${how}`);
};

const events: Command = command({
  path: ['events'],
  description: [
    "What happened to an agent of your own, by the organisation's key; or, without an agent, everything in the log, by an operator's key or token.",
    'A page is newest first, unless --after is given or --order says otherwise. With --json, --follow and --export write one event on each line.',
    '--follow goes on after broken connections without losing or repeating an event, and ends with Ctrl-C: exit code 130. The first column is',
    'the position: --after continues from it at any time. --export writes to <file>.part and gives it its name when it is complete.',
  ].join('\n'),
  arguments: [{ name: 'agent_id', description: 'the agent', optional: true, values: 'agent' }],
  options: {
    follow: flag('-f, --follow', 'events as they happen; from --after on, else only new ones'),
    export: text(
      '--export <file>',
      'all events up to now, as JSON Lines, into a new file; - for standard output',
      'file',
    ),
    type: text('--type <names>', 'only these types, separated by commas'),
    call: text('--call <id>', 'only those of one call: its transaction id'),
    request: text('--request <id>', 'only those of one request: its X-Request-Id'),
    credential: text(
      '--credential <kind>',
      'only those that this kind of credential proved, or the named key of this id',
    ),
    org: text('--org <organisation>', 'only those of an organisation, by name or id; for operators'),
    after: text('--after <position>', 'only those after a position that was given out'),
    before: text('--before <position>', 'only those before a position'),
    from: text('--from <time>', 'only those recorded at or after this moment, RFC 3339'),
    to: text('--to <time>', 'only those recorded before this moment'),
    order: choice('--order <order>', 'oldest or newest first', ['asc', 'desc']),
    limit: integer('--limit <number>', 'at most this many on the page, up to 500', 1, 500),
  },
  examples: {
    'What happened to acme-buyer last': 'agent-trust events acme-buyer --limit 5',
    'Who registered agents, for operators':
      'agent-trust events --type AgentRegistered --limit 5 --admin-token-file .data/secrets.json',
    'All of it, for an auditor':
      'agent-trust events --export events.jsonl --admin-token-file .data/secrets.json && tail -n 1 events.jsonl',
  },
  run: async ({ args: [named = ''], options, context }) => {
    const agentId = named === '' ? undefined : named;
    const {
      type,
      request,
      call,
      credential,
      org,
      after,
      before,
      from,
      to,
      order,
      limit,
      follow,
      export: file,
    } = options;
    const { out } = context;
    const filters: Query = given({ type, correlation_id: request, transaction_id: call, credential, org, after });
    if (follow === true && file !== undefined) throw new UsageError('--follow does not go together with --export');
    if (follow === true) {
      refuse('--follow', { before, from, to, order, limit });
      const reader = await readerOf(context, agentId);
      for await (const event of reader.follow(filters)) {
        if (out.json) out.document(JSON.stringify(event));
        else out.line(eventLine(event, out));
      }
      return;
    }
    if (file !== undefined) {
      refuse('--export', { order, limit });
      const reader = await readerOf(context, agentId);
      const query = { ...filters, ...given({ before, from, to }) };
      await exportEvents(file, (onEnd) => reader.export(query, onEnd), out);
      return;
    }
    const reader = await readerOf(context, agentId);
    const usual = after === undefined ? 'desc' : 'asc';
    const query = { ...filters, ...given({ before, from, to, limit }), order: order ?? usual };
    const page = await reader.page(query);
    context.answer(page.events, (found) => {
      for (const event of found) out.line(eventLine(event, out));
      const last = found.at(-1)?.position;
      if (found.length === 0) out.note('No events.');
      else if (page.next !== null)
        out.note(`There may be more: continue with ${query.order === 'desc' ? '--before' : '--after'} ${last}`);
    });
  },
});

export const commands = [events];
