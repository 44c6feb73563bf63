import type { OwnerTrustObject, RegistryClient } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { useAsk, useChange } from '../../session/use-ask.ts';
import { useSession } from '../../session/use-session.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Answer, Empty, ErrorNote } from '../../ui/states.tsx';
import { Foreign, Name } from '../../ui/text.tsx';
import { type Change, changesOf } from './changes-of.ts';
import { moveEffects } from './move-effects.ts';

export type Move = { kind: 'publish' | 'withdraw' | 'promote'; agent: OwnerTrustObject };

const titles = {
  publish: 'Publish this agent?',
  withdraw: 'Withdraw this agent?',
  promote: 'Promote this draft?',
} as const;

const effects = {
  publish: 'It becomes a production agent under the same id.',
  withdraw: 'It becomes an agent of your sandbox under the same id, and is gone for everybody else.',
  promote: 'Its live agent gets these values. Scores, exchanges and everything else that was earned stay as they are.',
} as const;

/** Shows what a move changes, and makes it once it is confirmed. Moves are made with the sandbox key. */
export function MoveDialog({ move: { kind, agent }, onClose }: { move: Move; onClose: () => void }): ReactElement {
  const { sandbox } = useSession();
  const { agent_id: agentId } = agent;
  const change = useChange(
    async (client, chosen: Move['kind']) => make(client.with({ orgKey: sandbox?.key }), chosen, agentId),
    [['org', 'agents'], ['agent'], ['registry']],
  );
  return (
    <Dialog title={titles[kind]} isOpen onClose={onClose}>
      <p>
        <strong>
          <Name text={agentId} />
        </strong>
        . {effects[kind]}
      </p>
      {kind === 'promote' ? <Preview agent={agent} /> : <Changes now="Now" changes={moveEffects(kind, agent)} />}
      {change.error !== null && <ErrorNote error={change.error} />}
      {change.isSuccess ? (
        <p role="status">
          <strong>Done.</strong>
        </p>
      ) : (
        <button type="button" className="primary" disabled={change.isPending} onClick={() => change.mutate(kind)}>
          {change.isPending ? 'Asking the registry…' : 'Confirm'}
        </button>
      )}
    </Dialog>
  );
}

const make = async (client: RegistryClient, kind: Move['kind'], agentId: string): Promise<unknown> => {
  switch (kind) {
    case 'publish':
      return client.sandbox.publish({ agent_id: agentId });
    case 'withdraw':
      return client.sandbox.withdraw({ agent_id: agentId });
    case 'promote':
      return client.sandbox.promote({ sandbox_agent_id: agentId });
    default:
      return kind satisfies never;
  }
};

function Changes({ now, changes }: { now: string; changes: readonly Change[] }): ReactElement {
  return (
    <DataTable<Change>
      caption="What changes"
      columns={[
        { head: 'Field', cell: ({ what }) => what },
        { head: now, cell: ({ before }) => <Foreign text={before} /> },
        { head: 'Afterwards', cell: ({ after }) => <Foreign text={after} /> },
      ]}
      rows={changes}
      keyOf={({ what }) => what}
    />
  );
}

/** What a promotion changes; needs the production key, too, since the live agent is compared. */
function Preview({ agent }: { agent: OwnerTrustObject }): ReactElement {
  const { organisation } = useSession();
  const { related_agent_id: liveId } = agent;
  const live = useAsk(
    ['org', 'agents', 'live', liveId],
    (client, signal) => client.with({ orgKey: organisation?.key }).org.agent(liveId ?? '', { signal }),
    { enabled: organisation !== null && liveId !== null },
  );
  if (organisation === null) return <Empty>Sign in with the production key, too, to see what changes.</Empty>;
  return (
    <Answer of={live} what="the live agent">
      {(profile) => {
        const changes = changesOf(profile, agent);
        return changes.length === 0 ? (
          <Empty>Both are configured alike: nothing changes.</Empty>
        ) : (
          <Changes now="Live now" changes={changes} />
        );
      }}
    </Answer>
  );
}
