import type { OrgPayment, OrgPaymentTotal } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { installation } from '../../installation.ts';
import { chainLink } from '../../links.ts';
import { useAsk } from '../../session/use-ask.ts';
import { AgentLink } from '../../ui/agent-link.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Elsewhere } from '../../ui/elsewhere.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Pages } from '../../ui/pages.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Code, Foreign } from '../../ui/text.tsx';

const limit = 50;

const amountText = (amount: number | null, atomic: string | null, currency: string | null): string =>
  `${amount ?? (atomic === null ? 'unknown' : `${atomic} atomic units`)} ${currency ?? ''}`;

const totalColumns: readonly Column<OrgPaymentTotal>[] = [
  { head: 'Network', cell: ({ network }) => <Foreign text={network ?? 'unknown'} /> },
  { head: 'Currency', cell: ({ currency, asset }) => <Foreign text={currency ?? asset ?? 'unknown'} /> },
  { head: 'Payments', cell: ({ payment_count: count }) => count.toLocaleString('en'), isNumber: true },
  {
    head: 'Received',
    cell: ({ amount, amount_atomic: atomic, currency }) => <Foreign text={amountText(amount, atomic, currency)} />,
    isNumber: true,
  },
];

const columns: readonly Column<OrgPayment>[] = [
  { head: 'Exchange', cell: ({ transaction_id: id }) => <Code text={id} /> },
  { head: 'Received by', cell: ({ receiver_agent_id: agentId }) => <AgentLink agentId={agentId} /> },
  {
    head: 'Paid by',
    cell: ({ caller_agent_id: payer }) => (payer === null ? 'unknown' : <AgentLink agentId={payer} />),
  },
  {
    head: 'Amount',
    cell: ({ amount, amount_atomic: atomic, currency }) => <Foreign text={amountText(amount, atomic, currency)} />,
    isNumber: true,
  },
  { head: 'Settled', cell: ({ settled_at: at }) => (at === null ? 'unknown' : <Moment at={at} />) },
  {
    head: 'To the account',
    cell: ({ network, payee_address: payee }) => <OnChain kind="address" network={network} reference={payee} />,
  },
  {
    head: 'Transaction',
    cell: ({ network, confirmation_ref: ref }) => <OnChain kind="transaction" network={network} reference={ref} />,
  },
];

type OnChainProps = { kind: 'transaction' | 'address'; network: string | null; reference: string | null };

/** What a payment says is on a chain, with a link to where that can be looked up. */
function OnChain({ kind, network, reference }: OnChainProps): ReactElement {
  if (reference === null) return <>not reported</>;
  return (
    <Elsewhere href={chainLink(installation, kind, { network, reference })}>
      <Code text={reference} />
    </Elsewhere>
  );
}

/** What the organisation's agents received through the registry: totals for each currency, then each payment. */
export function Payments(): ReactElement {
  const [offset, setOffset] = useState(0);
  const totals = useAsk(['org', 'payment totals'], (client, signal) => client.org.paymentTotals({ signal }));
  const payments = useAsk(
    ['org', 'payments', offset],
    (client, signal) => client.org.payments({ limit, offset }, { signal }),
    { keepsFormer: true },
  );
  return (
    <Section title="Payments received">
      <Answer of={totals} what="totals">
        {(rows) =>
          rows.length === 0 ? (
            <Empty>No payment was received through the registry. Transfers past it are not known here.</Empty>
          ) : (
            <DataTable
              caption="In all"
              columns={totalColumns}
              rows={rows}
              keyOf={({ network, asset }) => `${network} ${asset}`}
            />
          )
        }
      </Answer>
      <Answer of={payments} what="payments">
        {({ payments: rows, total }) =>
          rows.length > 0 && (
            <>
              <DataTable
                caption="Each payment, newest first"
                columns={columns}
                rows={rows}
                keyOf={({ transaction_id: id, confirmation_ref: ref }) => `${id} ${ref}`}
              />
              <Pages
                label="Pages of the payments"
                offset={offset}
                count={rows.length}
                total={total}
                limit={limit}
                isFormer={payments.isPlaceholderData}
                onOffset={setOffset}
              />
            </>
          )
        }
      </Answer>
    </Section>
  );
}
