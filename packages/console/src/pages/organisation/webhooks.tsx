import type { Webhook, WebhookDelivery } from '@agent-trust/client';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useAsk, useAskAgain, useChange } from '../../session/use-ask.ts';
import { AgentLink } from '../../ui/agent-link.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, Empty, ErrorNote } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';

const limit = 50;

/** How soon the page looks again at what is being sent, here and after a replay. */
const lookEveryMs = 5_000;
const webhooksAsked = ['org', 'webhooks'] as const;

/** The organisation's webhooks, what of theirs is undelivered, and a replay. */
export function Webhooks(): ReactElement {
  const [openId, setOpenId] = useState<string | null>(null);
  const webhooks = useAsk(webhooksAsked, (client, signal) => client.org.webhooks.list({ signal }), {
    // What a replay sends again is queued after its answer, so an open webhook is looked at whatever waits.
    everyMs: (rows) => (openId !== null || rows?.some(({ pending }) => pending > 0) === true ? lookEveryMs : undefined),
  });
  const open = webhooks.data?.find(({ webhook_id: id }) => id === openId);
  const askAgain = useAskAgain();
  const close = (): void => {
    setOpenId(null);
    askAgain(webhooksAsked);
  };
  const columns: readonly Column<Webhook>[] = [
    { head: 'Address', cell: ({ url }) => <Foreign text={url} /> },
    { head: 'State', cell: ({ status }) => status },
    { head: 'Pending', cell: ({ pending }) => pending, isNumber: true },
    { head: 'Dead letters', cell: ({ dead_letters: dead }) => dead, isNumber: true },
    { head: 'Last delivered', cell: ({ last_delivered_at: at }) => (at === null ? 'never' : <Ago at={at} />) },
    {
      head: 'Deliveries',
      cell: ({ webhook_id: id, url }) => (
        <button type="button" className="small" onClick={() => setOpenId(id)}>
          Open<span className="visually-hidden"> {url}</span>
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
              caption="Each webhook"
              hidesCaption
              columns={columns}
              rows={rows}
              keyOf={({ webhook_id: id }) => id}
            />
          )
        }
      </Answer>
      {open !== undefined && (
        <Dialog title="Deliveries" isOpen onClose={close} place="side">
          <Deliveries webhook={open} />
        </Dialog>
      )}
    </Section>
  );
}

const messageColumns: readonly Column<WebhookDelivery>[] = [
  {
    head: 'Position',
    // The event that the message reports.
    cell: ({ position, agent_id: agentId }) =>
      agentId === null ? (
        position
      ) : (
        <Link to="/audit" search={{ agent_id: agentId, position }}>
          {position}
        </Link>
      ),
  },
  { head: 'What', cell: ({ type }) => type },
  { head: 'Agent', cell: ({ agent_id: agentId }) => (agentId === null ? '' : <AgentLink agentId={agentId} />) },
];
const undeliveredColumns: readonly Column<WebhookDelivery>[] = [
  ...messageColumns,
  { head: 'State', cell: ({ status }) => (status === 'dead' ? 'dead letter' : status) },
  { head: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true },
  { head: 'Why', cell: ({ last_failure: failure }) => <Foreign text={failure ?? ''} /> },
];
const deliveredColumns: readonly Column<WebhookDelivery>[] = [
  ...messageColumns,
  { head: 'Delivered', cell: ({ delivered_at: at }) => (at === null ? '' : <Ago at={at} />) },
  { head: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true },
];

function Deliveries({ webhook }: { webhook: Webhook }): ReactElement {
  const { webhook_id: id, url, status, resume_from: resumeFrom } = webhook;
  const [from, setFrom] = useState(resumeFrom ?? '');
  const deliveries = useAsk(
    ['org', 'webhooks', id],
    (client, signal) => client.org.webhooks.deliveries(id, { limit }, { signal }),
    { everyMs: lookEveryMs },
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
      {status === 'disabled' && (
        <p>
          Its consumer answered 410, so nothing is sent any more. A replay enables it again
          {resumeFrom !== null && `; from position ${resumeFrom} on it misses nothing`}.
        </p>
      )}
      <Answer of={deliveries} what="deliveries">
        {({ deliveries: rows }) =>
          rows.length === 0 ? (
            <Empty>{status === 'disabled' ? 'Nothing waits.' : 'Everything was delivered.'}</Empty>
          ) : (
            <DataTable
              caption={`Undelivered, in the order of the log; the first ${rows.length}`}
              columns={undeliveredColumns}
              rows={rows}
              keyOf={({ webhook_message_id: message }) => message}
            />
          )
        }
      </Answer>
      <Delivered webhookId={id} />
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

/** What the consumer has taken last: the registry keeps a few. */
function Delivered({ webhookId }: { webhookId: string }): ReactElement {
  const delivered = useAsk(
    ['org', 'webhooks', webhookId, 'delivered'],
    (client, signal) => client.org.webhooks.deliveries(webhookId, { status: 'delivered' }, { signal }),
    { everyMs: lookEveryMs },
  );
  return (
    <Answer of={delivered} what="what was delivered">
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <p>Nothing was delivered lately.</p>
        ) : (
          <DataTable
            caption="Delivered last, the newest first"
            columns={deliveredColumns}
            rows={deliveries}
            keyOf={({ webhook_message_id: message, delivered_at: at }) => `${message} ${at}`}
          />
        )
      }
    </Answer>
  );
}
