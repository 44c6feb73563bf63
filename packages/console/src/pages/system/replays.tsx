import type { Replay } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { useAsk, useChange } from '../../session/use-ask.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Moment } from '../../ui/moment.tsx';
import { isReplaying, replayEveryMs, ReplayProgress } from '../../ui/replay-progress.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, Empty, ErrorNote } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import { durationText } from '../../ui/time.ts';

const idleEveryMs = 15_000;

const columns: readonly Column<Replay>[] = [
  { head: 'Asked for', cell: ({ requested_at: at }) => <Moment at={at} /> },
  { head: 'By', cell: ({ requested_by: by }) => <Foreign text={by ?? 'the command line'} /> },
  { head: 'State', cell: ({ state }) => state.replaceAll('_', ' ') },
  {
    head: 'What came of it',
    cell: ({ result, error }) => <Foreign text={error ?? (result === null ? '' : resultText(result))} />,
  },
];

const resultText = ({ events, duration_ms: ms, comparison }: NonNullable<Replay['result']>): string =>
  `${events.toLocaleString('en')} events in ${durationText(ms)}; ${
    comparison === null ? 'rows not compared' : `${comparison.rows_differing} of ${comparison.rows} rows differ`
  }`;

/** Replays of the read models: the one that runs with its progress, the last ones, and a new one after a confirmation. */
export function Replays(): ReactElement {
  const [asksFirst, setAsksFirst] = useState(false);
  const replays = useAsk(['replays'], (client, signal) => client.ops.replays({ signal }), {
    everyMs: (list) => (list?.some(isReplaying) === true ? replayEveryMs : idleEveryMs),
  });
  const start = useChange(
    (client, acceptDifferences: boolean) => client.ops.startReplay({ accept_differences: acceptDifferences }),
    [['replays']],
  );
  const cancel = useChange((client, id: string) => client.ops.cancelReplay(id), [['replays']]);
  const running = replays.data?.find(isReplaying);
  return (
    <Section
      title="Replays"
      aside={
        <button type="button" disabled={running !== undefined} onClick={() => setAsksFirst(true)}>
          Replay the read models
        </button>
      }
    >
      {start.error !== null && <ErrorNote error={start.error} />}
      {cancel.error !== null && <ErrorNote error={cancel.error} />}
      {running !== undefined && (
        <p className="row">
          <ReplayProgress replay={running} />
          <button type="button" className="danger" onClick={() => cancel.mutate(running.replay_id)}>
            Stop it
          </button>
        </p>
      )}
      <Answer of={replays} what="replays">
        {(list) =>
          list.length === 0 ? (
            <Empty>Nobody has replayed the read models of this registry yet.</Empty>
          ) : (
            <DataTable caption="The last replays" columns={columns} rows={list} keyOf={({ replay_id: id }) => id} />
          )
        }
      </Answer>
      <Dialog title="Replay the read models?" isOpen={asksFirst} onClose={() => setAsksFirst(false)}>
        <p>
          All read models are built again from the first event, beside the live ones, which go on answering. Every row
          is compared; if all are equal, the new ones take over.
        </p>
        <button
          type="button"
          className="primary"
          onClick={() => {
            setAsksFirst(false);
            start.mutate(false);
          }}
        >
          Replay
        </button>
      </Dialog>
    </Section>
  );
}
