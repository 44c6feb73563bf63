import type { OperationsStatus } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Ago, Moment } from '../../ui/moment.tsx';
import { Facts, Section } from '../../ui/section.tsx';
import { Foreign } from '../../ui/text.tsx';
import { faultsOf, type Part, partsOf } from './parts.ts';

const partColumns: readonly Column<Part>[] = [
  { head: 'Part', cell: ({ name }) => name },
  { head: 'State', cell: ({ status }) => status },
  { head: 'Detail', cell: ({ detail }) => (detail === null ? '' : <Foreign text={detail} />) },
];

const instanceColumns: readonly Column<OperationsStatus['instances'][number]>[] = [
  { head: 'Instance', cell: ({ instance_id: id }) => <Foreign text={id} /> },
  { head: 'Service', cell: ({ service }) => service },
  { head: 'Version', cell: ({ version }) => version },
  { head: 'Running since', cell: ({ started_at: at }) => <Ago at={at} /> },
  { head: 'Role', cell: ({ role }) => role ?? 'all alike' },
  { head: 'Fault', cell: ({ fault }) => (fault === null ? 'none' : <Foreign text={fault} />) },
];

/** By whom and when the log was last found to have only grown. */
function Witnessed({ witnesses }: Pick<OperationsStatus, 'witnesses'>): ReactElement {
  if (witnesses === null) return <>unknown</>;
  if (witnesses.length === 0) return <>no witness is set (LOG_WITNESSES)</>;
  return (
    <ul>
      {witnesses.map(({ name, size, cosigned_at: at }) => (
        <li key={name}>
          {at === null ? 'not yet' : <Ago at={at} />}
          {size === null ? '' : `, ${size.toLocaleString('en')} events`}, by <Foreign text={name} />
        </li>
      ))}
    </ul>
  );
}

/** Faults first, then what runs, what it depends on, and what waits. */
export function Status({ status }: { status: OperationsStatus }): ReactElement {
  const { instances, health, lag_seconds: lag, checkpoint, webhooks, checked_at: at } = status;
  const faults = faultsOf(status);
  const oldest = webhooks?.oldest_pending_at ?? null;
  return (
    <>
      <Section title="State" aside={<Moment at={at} />}>
        {faults.length === 0 ? (
          <p>
            <strong>All is well.</strong> Every service and everything that they depend on answers.
          </p>
        ) : (
          <div role="alert">
            <ul>
              {faults.map((fault) => (
                <li key={fault}>
                  <Foreign text={fault} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <Facts
          facts={[
            ['Events in the log, up to', health.projection.head_position ?? 'none'],
            ['Read models at', health.projection.position ?? 'none'],
            ['Behind', lag === null ? 'unknown' : `${lag} s`],
            ['Last checkpoint', checkpoint === null ? 'none' : <Ago key="signed" at={checkpoint.signed_at} />],
            ['Events in it', checkpoint === null ? '' : checkpoint.size.toLocaleString('en')],
            ['Last witnessed', <Witnessed key="witnessed" witnesses={status.witnesses} />],
            ['Webhooks', webhooks === null ? 'unknown' : `${webhooks.webhooks}, ${webhooks.disabled} disabled`],
            ['Messages that wait', webhooks === null ? 'unknown' : webhooks.pending.toLocaleString('en')],
            ['Oldest of them', oldest === null ? 'none' : <Ago key="oldest" at={oldest} />],
          ]}
        />
      </Section>
      <Section title="Services">
        <DataTable
          caption="Instances that have answered"
          columns={instanceColumns}
          rows={instances}
          keyOf={({ service, instance_id: id }) => `${service} ${id}`}
        />
      </Section>
      <Section title="What they depend on">
        <DataTable
          caption="Parts"
          hidesCaption
          columns={partColumns}
          rows={partsOf(health)}
          keyOf={({ name }) => name}
        />
      </Section>
    </>
  );
}
