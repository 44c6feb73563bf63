import type { Webhook, WebhookDelivery } from '@agent-trust/client';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useAsk, useChange } from '../../session/use-ask.ts';
import { AgentLink } from '../../ui/agent-link.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, Empty, ErrorNote } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';

const limit = 50;
const webhooksAsked = ['org', 'webhooks'] as const;

/** The organisation's webhooks, what of theirs is undelivered, and a replay. */
export function Webhooks(): ReactElement {
  const [open, setOpen] = useState<Webhook | null>(null);
  const webhooks = useAsk(webhooksAsked, (client, signal) => client.org.webhooks.list({ signal }));
  const columns: readonly Column<Webhook>[] = [
    { head: 'Address', cell: ({ url }) => <Foreign text={url} /> },
    { head: 'State', cell: ({ status }) => status },
    { head: 'Pending', cell: ({ pending }) => pending, isNumber: true },
    { head: 'Dead letters', cell: ({ dead_letters: dead }) => dead, isNumber: true },
    { head: 'Last delivered', cell: ({ last_delivered_at: at }) => (at === null ? 'never' : <Ago at={at} />) },
    {
      head: 'Deliveries',
      cell: (webhook) => (
        <button type="button" className="small" onClick={() => setOpen(webhook)}>
          Open<span className="visually-hidden"> {webhook.url}</span>
        </button>
      ),
    },
  ];
  return (
    <Section title="Webhooks">
      <Answer of={webhooks} what="webhooks">
        {(rows) =>
          rows.length === 0 ? (
            <Empty>No webhook. One is registered by POST /org/webhooks, or agent-trust webhooks.</Empty>
          ) : (
            <DataTable
              caption="Webhooks"
              hidesCaption
              columns={columns}
              rows={rows}
              keyOf={({ webhook_id: id }) => id}
            />
          )
        }
      </Answer>
      {open !== null && (
        <Dialog title="Deliveries" isOpen onClose={() => setOpen(null)} place="side">
          <Deliveries webhook={open} />
        </Dialog>
      )}
    </Section>
  );
}

const deliveryColumns: readonly Column<WebhookDelivery>[] = [
  { head: 'Position', cell: ({ position }) => position },
  { head: 'What', cell: ({ type }) => type },
  { head: 'Agent', cell: ({ agent_id: agentId }) => (agentId === null ? '' : <AgentLink agentId={agentId} />) },
  { head: 'State', cell: ({ status }) => (status === 'dead' ? 'dead letter' : status) },
  { head: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true },
  { head: 'Why', cell: ({ last_failure: failure }) => <Foreign text={failure ?? ''} /> },
];

function Deliveries({ webhook: { webhook_id: id, url } }: { webhook: Webhook }): ReactElement {
  const [from, setFrom] = useState('');
  const deliveries = useAsk(['org', 'webhooks', id], (client, signal) =>
    client.org.webhooks.deliveries(id, { limit }, { signal }),
  );
  const replay = useChange((client, position: string) => client.org.webhooks.replay(id, position), [webhooksAsked]);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    replay.mutate(from.trim());
  };
  return (
    <>
      <p>
        <Foreign text={url} />
      </p>
      <Answer of={deliveries} what="deliveries">
        {({ deliveries: rows }) =>
          rows.length === 0 ? (
            <Empty>Everything was delivered.</Empty>
          ) : (
            <DataTable
              caption={`Undelivered, in the order of the log; the first ${rows.length}`}
              columns={deliveryColumns}
              rows={rows}
              keyOf={({ webhook_message_id: message }) => message}
            />
          )
        }
      </Answer>
      <form className="row" onSubmit={send}>
        <Field
          label="Send everything again from position"
          value={from}
          onValue={setFrom}
          inputMode="numeric"
          pattern="[0-9]{1,20}"
          required
          maxLength={20}
        />
        <button type="submit" className="primary" disabled={replay.isPending || from.trim() === ''}>
          Replay
        </button>
      </form>
      {replay.error !== null && <ErrorNote error={replay.error} />}
      {replay.isSuccess && <p role="status">It is sent again, with the same ids: consumers must take each once.</p>}
    </>
  );
}
