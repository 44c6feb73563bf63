import type { OrgNamedKey } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Ago, Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyStep } from './key-step.tsx';

const keysAsked = ['org', 'keys'] as const;

type Step = { kind: 'create' } | { kind: 'replace' | 'revoke'; named: OrgNamedKey };

/** The organisation's named keys: created and replaced with their secret shown once, revoked after a confirmation. */
export function Keys(): ReactElement {
  const [step, setStep] = useState<Step | null>(null);
  const keys = useAsk(keysAsked, (client, signal) => client.org.namedKeys({ signal }));
  const columns: readonly Column<OrgNamedKey>[] = [
    { head: 'Name', cell: ({ name }) => <Foreign text={name} /> },
    { head: 'May', cell: ({ scopes }) => scopes.join(', ') },
    { head: 'State', cell: ({ status }) => status },
    { head: 'Ends', cell: ({ expires_at: at }) => <Moment at={at} /> },
    { head: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : <Ago at={at} />) },
    {
      head: 'Change',
      cell: (named) =>
        named.status === 'active' && (
          <span className="row">
            <button type="button" className="small" onClick={() => setStep({ kind: 'replace', named })}>
              Replace<span className="visually-hidden"> {named.name}</span>
            </button>
            <button type="button" className="small danger" onClick={() => setStep({ kind: 'revoke', named })}>
              Revoke<span className="visually-hidden"> {named.name}</span>
            </button>
          </span>
        ),
    },
  ];
  return (
    <Section
      title="Named keys"
      aside={
        <button type="button" onClick={() => setStep({ kind: 'create' })}>
          Create a key
        </button>
      }
    >
      <Answer of={keys} what="keys">
        {(rows) =>
          rows.length === 0 ? (
            <Empty>No named key. Give each machine one of its own, with no more rights than it needs.</Empty>
          ) : (
            <DataTable
              caption="Each named key"
              hidesCaption
              columns={columns}
              rows={rows}
              keyOf={({ key_id: id }) => id}
            />
          )
        }
      </Answer>
      {step !== null && (
        <Dialog title={titleOf(step)} isOpen onClose={() => setStep(null)}>
          {step.kind === 'create' && <CreateKey changes={keysAsked} />}
          {step.kind === 'replace' && (
            <KeyStep
              effect="It gets a new secret. The former one goes on working for the overlap that the registry sets."
              action="Replace"
              change={async (client) => (await client.org.replaceNamedKey(step.named.key_id)).api_key}
              changes={[keysAsked]}
            />
          )}
          {step.kind === 'revoke' && (
            <KeyStep
              effect="From now on it works nowhere. This cannot be undone."
              action="Revoke"
              isDangerous
              change={async (client) => {
                await client.org.revokeNamedKey(step.named.key_id);
                return null;
              }}
              changes={[keysAsked]}
            />
          )}
        </Dialog>
      )}
    </Section>
  );
}

const titleOf = (step: Step): string => {
  if (step.kind === 'create') return 'Create a key';
  return step.kind === 'replace' ? `Replace ${step.named.name}?` : `Revoke ${step.named.name}?`;
};
