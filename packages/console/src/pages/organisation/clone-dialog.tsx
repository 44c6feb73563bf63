import { isConfirmationRequired, type OwnerTrustObject } from '@agent-trust/client';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useAsk, useChange } from '../../session/use-ask.ts';
import { useSession } from '../../session/use-session.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Answer } from '../../ui/states.tsx';
import { Foreign, Name } from '../../ui/text.tsx';
import { type Copied, copiedOf } from './changes-of.ts';
import { KeyRefusal, NewSecret } from './new-secret.tsx';

export type CloneDialogProps = { agent: OwnerTrustObject; onClose: () => void };

/** Shows what a clone of a live agent will be, and makes it once it is confirmed: with the sandbox key, as a registration. */
export function CloneDialog({ agent: { agent_id: liveId }, onClose }: CloneDialogProps): ReactElement {
  const { sandbox } = useSession();
  const [id, setId] = useState(`${liveId}-draft`);
  const cloneId = id.trim();
  const live = useAsk(['org', 'agents', 'live', liveId], (client, signal) => client.org.agent(liveId, { signal }));
  const clone = useChange(
    async (client, agentId: string) => {
      const answer = await client
        .with({ orgKey: sandbox?.key })
        .register({ agent_id: agentId, clone_from_agent_id: liveId });
      // The registry asks about new names only, and all of these are copied.
      if (isConfirmationRequired(answer)) throw new Error(answer.message);
      return answer;
    },
    [['org', 'agents']],
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    clone.mutate(cloneId);
  };
  return (
    <Dialog title="Clone this agent?" isOpen onClose={onClose}>
      {clone.isSuccess ? (
        <>
          <p>
            <strong>
              <Name text={clone.data.agent_id} />
            </strong>{' '}
            is in the sandbox. Whoever opens its claim link first gets its key.
          </p>
          <NewSecret what="claim link" secret={clone.data.claim_link} />
        </>
      ) : (
        <form onSubmit={submit}>
          <p>
            <strong>
              <Name text={liveId} />
            </strong>{' '}
            is copied into your sandbox, to try changes on. Its domain, contacts, keys and what it has earned are not
            copied. The two stay a pair: from then on neither can be moved to the other universe.
          </p>
          <Field label="Id of the clone" value={id} onValue={setId} required hint="no other agent may have it" />
          <Answer of={live} what="the live agent">
            {(profile) => (
              <DataTable<Copied>
                caption="What will be made"
                columns={[
                  { head: 'Field', cell: ({ what }) => what },
                  { head: 'Value', cell: ({ value }) => <Foreign text={value} /> },
                ]}
                rows={[
                  { what: 'Agent', value: cloneId },
                  { what: 'In the sandbox of', value: sandbox?.organisation ?? '' },
                  { what: 'Paired with', value: liveId },
                  ...copiedOf(profile),
                ]}
                keyOf={({ what }) => what}
              />
            )}
          </Answer>
          {clone.error !== null && <KeyRefusal error={clone.error} />}
          <p>
            <button
              type="submit"
              className="primary"
              disabled={clone.isPending || cloneId === '' || live.data === undefined}
            >
              {clone.isPending ? 'Asking the registry…' : 'Clone'}
            </button>
          </p>
        </form>
      )}
    </Dialog>
  );
}
