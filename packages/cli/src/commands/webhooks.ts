import type { Webhook, WebhookReplay } from '@agent-trust/client';
import { UsageError } from '../errors.ts';
import { timeText } from '../output/agent-view.ts';
import type { Output } from '../output/output.ts';
import { safeLine } from '../output/safe-text.ts';
import { right } from '../output/table.ts';
import { type Argument, ask, type Command, command } from '../program/command.ts';
import { choice, given, limit, noteNext, offset, type OptionValues, text, texts } from '../program/option.ts';

const webhookArgument: Argument = { name: 'webhook_id', description: 'the webhook: "agent-trust webhooks list"' };

/** Most agents that one webhook names, and most deliveries on a page: as in the registry. */
const deliveriesPageMax = 500;

const agentsText = (ids: readonly string[] | null): string =>
  ids === null ? "all of the organisation's own" : ids.join(', ');

const stateText = ({ status, resume_from: from }: Webhook): string =>
  status === 'active' ? 'active' : `disabled, resume with: replay --from ${from ?? 0}`;

const showWebhook = (webhook: Webhook, out: Output): void => {
  out.line(out.paint('bold', safeLine(webhook.webhook_id)));
  out.fields([
    ['address', webhook.url],
    ['agents', agentsText(webhook.agent_ids)],
    ['status', stateText(webhook)],
    ['pending', String(webhook.pending)],
    ['dead letters', String(webhook.dead_letters)],
    ['created', timeText(webhook.created_at)],
    ['last delivered', timeText(webhook.last_delivered_at)],
    [
      'last failure',
      webhook.last_failure === null ? 'none' : `${timeText(webhook.last_failure.at)} ${webhook.last_failure.reason}`,
    ],
  ]);
};

const list = command({
  path: ['webhooks', 'list'],
  summary: "The organisation's webhooks, oldest first.",
  examples: { 'Which addresses are told of changes?': 'agent-trust webhooks list' },
  run: async ({ context }) => {
    await ask(
      context,
      ['org'],
      (client, asked) => client.org.webhooks.list(asked),
      (webhooks, out) => {
        if (webhooks.length === 0) return out.note('No webhooks.');
        return out.table(
          ['WEBHOOK', 'STATUS', right('PENDING'), right('DEAD'), 'LAST DELIVERED', 'ADDRESS'],
          webhooks.map((one) => [
            one.webhook_id,
            one.status,
            String(one.pending),
            String(one.dead_letters),
            timeText(one.last_delivered_at),
            one.url,
          ]),
        );
      },
    );
  },
});

const show = command({
  path: ['webhooks', 'show'],
  summary: 'A webhook and the state of its deliveries.',
  arguments: [webhookArgument],
  examples: {
    'Why does nothing arrive?': 'agent-trust webhooks show 5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b',
  },
  run: async ({ args: [webhookId = ''], context }) => {
    await ask(context, ['org'], (client, asked) => client.org.webhooks.get(webhookId, asked), showWebhook);
  },
});

const create = command({
  path: ['webhooks', 'create'],
  summary: 'Have changes of trust scores and notices sent to an https address.',
  description:
    'The secret signs the messages; webhooks secret shows it again. To try it on this machine: agent-trust listen.',
  arguments: [{ name: 'url', description: 'https and public, without user information' }],
  options: {
    agent: texts('--agent <agent_id>', "only of this agent, of any organisation; default: all one's own", 'agent'),
  },
  examples: { 'All agents of the organisation': 'agent-trust webhooks create https://hooks.example.com/trust' },
  run: async ({ args: [url = ''], options, context }) => {
    await ask(
      context,
      ['org'],
      (client, asked) => client.org.webhooks.register({ url, ...given({ agent_ids: options.agent }) }, asked),
      (made, out) => {
        out.fields([
          ['webhook', made.webhook_id],
          ['address', made.url],
          ['agents', agentsText(made.agent_ids)],
          ['secret', { text: made.secret, paint: (plain) => out.paint('bold', plain) }],
        ]);
        out.note('Your receiver verifies messages with the secret; "agent-trust webhooks secret" shows it again.');
      },
    );
  },
});

const secret = command({
  path: ['webhooks', 'secret'],
  summary: 'The secret that signs the messages of a webhook.',
  description: 'While the registry replaces its secrets, messages are signed with the previous one as well.',
  arguments: [webhookArgument],
  examples: { 'The receiver lost it': 'agent-trust webhooks secret 5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b' },
  run: async ({ args: [webhookId = ''], context }) => {
    await ask(
      context,
      ['org'],
      (client, asked) => client.org.webhooks.signingSecret(webhookId, asked),
      (found, out) => {
        out.fields([
          ['webhook', found.webhook_id],
          ['secret', { text: found.secret, paint: (plain) => out.paint('bold', plain) }],
          ['previous', found.previous_secret ?? 'none'],
        ]);
        if (found.previous_secret !== null)
          out.note('The registry replaces its secrets: give your receiver the new one before the previous one ends.');
      },
    );
  },
});

const remove = command({
  path: ['webhooks', 'delete'],
  summary: 'End a webhook; undelivered messages are dropped.',
  arguments: [webhookArgument],
  examples: {
    'It is no longer wanted': 'agent-trust webhooks delete 5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b',
  },
  run: async ({ args: [webhookId = ''], context }) => {
    await ask(
      context,
      ['org'],
      (client, asked) => client.org.webhooks.delete(webhookId, asked),
      ({ webhook_id: id, deleted_at: at }, out) => out.line(safeLine(`${id} is ended since ${timeText(at)}.`)),
    );
  },
});

const paging = { limit: limit(deliveriesPageMax), offset: offset() };

const nothing = {
  pending: 'Nothing waits.',
  dead: 'No dead letters.',
  delivered: 'Nothing was delivered lately.',
} as const;

const listDeliveries =
  (status: 'dead' | undefined): Command['run'] =>
  async ({ args: [webhookId = ''], options, context }) => {
    const {
      limit: countMax,
      offset: from,
      status: asked = status,
    } = options as OptionValues<typeof paging> & {
      status?: 'pending' | 'dead' | 'delivered';
    };
    await ask(
      context,
      ['org'],
      (client, options) =>
        client.org.webhooks.deliveries(webhookId, given({ limit: countMax, offset: from, status: asked }), options),
      (page, out) => {
        if (page.deliveries.length === 0) return out.note(nothing[asked ?? 'pending']);
        out.table(
          [
            right('POSITION'),
            'TYPE',
            'AGENT',
            'STATUS',
            right('TRIES'),
            'LAST FAILURE',
            'NEXT',
            'DELIVERED',
            'MESSAGE',
          ],
          page.deliveries.map((one) => [
            one.position,
            one.type,
            one.agent_id ?? '',
            one.status,
            String(one.attempts),
            one.last_failure ?? '',
            one.next_attempt_at === null ? '' : timeText(one.next_attempt_at),
            one.delivered_at === null ? '' : timeText(one.delivered_at),
            one.webhook_message_id,
          ]),
        );
        return noteNext(page, ' messages', out);
      },
    );
  };

const deliveries = command({
  path: ['webhooks', 'deliveries'],
  summary: 'Messages that a webhook has not received, in the order of the log, or those that it received last.',
  arguments: [webhookArgument],
  options: {
    ...paging,
    status: choice('--status <status>', 'only these; default: all that are not delivered', [
      'pending',
      'dead',
      'delivered',
    ]),
  },
  examples: {
    'What waits?': 'agent-trust webhooks deliveries 5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b --status pending',
    'Does anything arrive?': 'agent-trust webhooks deliveries 5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b --status delivered',
  },
  run: listDeliveries(undefined),
});

const deadLetters = command({
  path: ['webhooks', 'dead-letters'],
  summary: 'Messages that were given up after the last attempt; a replay sends them again.',
  arguments: [webhookArgument],
  options: paging,
  examples: {
    'What was given up?': 'agent-trust webhooks dead-letters 5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b --limit 20',
  },
  run: listDeliveries('dead'),
});

const sayFrom = 'say from where: --from <position>, 0 for everything';
const showReplay = (asked: WebhookReplay, out: Output): void =>
  out.line(safeLine(`${asked.webhook_id} is sent everything from position ${asked.from_position} on.`));

const replay = command({
  path: ['webhooks', 'replay'],
  summary: 'Send everything from a log position on once more; a disabled webhook is enabled.',
  arguments: [webhookArgument],
  options: { from: text('--from <position>', 'log position of the first message; 0 is the beginning') },
  examples: {
    'After the receiver was mended': 'agent-trust webhooks replay 5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b --from 48213',
  },
  run: async ({ args: [webhookId = ''], options, context }) => {
    const { from } = options;
    if (from === undefined) throw new UsageError(sayFrom);
    await ask(context, ['org'], (client, asked) => client.org.webhooks.replay(webhookId, from, asked), showReplay);
  },
});

/** Those of any organisation, for operators. */
export const operatorWebhookCommands = [
  command({
    path: ['ops', 'webhooks'],
    summary:
      "Webhooks of all organisations, by an operator's key or token; those for which most messages wait come first.",
    options: { org: text('--org <org_id>', 'only those of this organisation'), ...paging },
    examples: { 'Whose messages wait?': 'agent-trust ops webhooks --limit 10 --admin-token-file .data/secrets.json' },
    run: async ({ options, context }) => {
      const { org, limit: countMax, offset: from } = options;
      await ask(
        context,
        ['admin'],
        ({ ops }, asked) => ops.webhooks(given({ org_id: org, limit: countMax, offset: from }), asked),
        (page, out) => {
          if (page.webhooks.length === 0) return out.note('No webhooks.');
          out.table(
            ['WEBHOOK', 'ORGANISATION', 'STATUS', right('PENDING'), right('DEAD'), 'LAST DELIVERED', 'LAST FAILURE'],
            page.webhooks.map((one) => [
              one.webhook_id,
              one.org_id,
              one.status,
              String(one.pending),
              String(one.dead_letters),
              timeText(one.last_delivered_at),
              one.last_failure === null ? '' : `${timeText(one.last_failure.at)} ${one.last_failure.reason}`,
            ]),
          );
          return noteNext(page, ' webhooks', out);
        },
      );
    },
  }),
  command({
    path: ['ops', 'replay-webhook'],
    summary:
      "Send everything of a webhook of any organisation from a log position on once more, by an operator's key or token.",
    arguments: [{ name: 'webhook_id', description: 'the webhook: "agent-trust ops webhooks"' }],
    options: { from: text('--from <position>', 'log position of the first message; 0 is the beginning') },
    examples: {
      'The organisation asks for it':
        'agent-trust ops replay-webhook 5b0c9f4e-2f6b-4c1e-9a57-0c1d2e3f4a5b --from 48213 --admin-token-file .data/secrets.json',
    },
    run: async ({ args: [webhookId = ''], options, context }) => {
      const { from } = options;
      if (from === undefined) throw new UsageError(sayFrom);
      await ask(context, ['admin'], ({ ops }, asked) => ops.replayWebhook(webhookId, from, asked), showReplay);
    },
  }),
];

export const commands = [list, show, create, secret, remove, deliveries, deadLetters, replay];
