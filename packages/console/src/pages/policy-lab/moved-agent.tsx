import type { PolicyTrialAgentDetail } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { Chart } from '../../ui/chart.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Answer } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';

/** Why one agent would move, and the history of its score under both policies. */
export function MovedAgent({ trialId, agentId }: { trialId: string; agentId: string }): ReactElement {
  const detail = useAsk(['policy trial', trialId, 'agent', agentId], (client, signal) =>
    client.ops.policyTrialAgent(trialId, agentId, { signal }),
  );
  return (
    <Answer of={detail} what="why it moves">
      {(moved) => (
        <>
          <Why moved={moved} />
          <BothCourses moved={moved} />
        </>
      )}
    </Answer>
  );
}

const pointsText = (points: number): string => points.toFixed(1);

/** The parts of the score that differ, and what changed constants do by themselves. */
function Why({ moved }: { moved: PolicyTrialAgentDetail }): ReactElement {
  const { organisation, record, trial_record: trialRecord, parts, effects, basis, trial_basis: trialBasis } = moved;
  return (
    <>
      {organisation !== null && (
        <p>
          Record of its organisation <Foreign text={organisation} />: {record ?? 'none'} in force,{' '}
          {trialRecord ?? 'none'} on trial.
        </p>
      )}
      {basis !== trialBasis && (
        <p>
          {trialBasis === 'recent'
            ? 'On trial, its recent reviews alone count, which are worse.'
            : 'On trial, all of its reviews count, not the recent ones alone.'}
        </p>
      )}
      <DataTable
        caption="Parts of its score that differ, in points"
        columns={[
          { head: 'Part', cell: (part) => <PartName part={part} /> },
          { head: 'In force', cell: ({ points }) => pointsText(points), isNumber: true },
          { head: 'On trial', cell: ({ trial_points: points }) => pointsText(points), isNumber: true },
          {
            head: 'Of a root',
            cell: (part) =>
              [
                rootText('in force', part.cap, part.is_cut, part.established),
                rootText('on trial', part.trial_cap, part.trial_is_cut, part.trial_established),
              ]
                .filter((text) => text !== '')
                .join('; '),
          },
        ]}
        rows={parts}
        keyOf={({ kind, root }) => `${kind} ${root ?? ''}`}
      />
      {effects.length > 1 && (
        <DataTable
          caption="What each changed constant does alone, in points"
          columns={[
            { head: 'Constant', cell: ({ constant }) => constant },
            { head: 'Points', cell: ({ points }) => pointsText(points), isNumber: true },
          ]}
          rows={effects}
          keyOf={({ constant }) => constant}
        />
      )}
    </>
  );
}

const partWords = { prior: 'prior', record: 'record of', third_voice: 'third voice:', root: '' } as const;

function PartName({ part: { kind, root } }: { part: PolicyTrialAgentDetail['parts'][number] }): ReactElement {
  return (
    <>
      {partWords[kind]} {root !== null && <Foreign text={root} />}
    </>
  );
}

/** What is worth saying of a root: whether it is established, and whether the cap cuts it. */
const rootText = (when: string, cap: number | null, isCut: boolean, established: boolean | null): string => {
  const said = [
    ...(established === null ? [] : [established ? 'established' : 'not established']),
    ...(isCut && cap !== null ? [`cut at ${Math.round(cap * 1_000) / 10} %`] : []),
  ];
  return said.length === 0 ? '' : `${when}: ${said.join(', ')}`;
};

/** The history of one agent's score under both policies. */
function BothCourses({ moved: { history, is_thinned: isThinned } }: { moved: PolicyTrialAgentDetail }): ReactElement {
  return (
    <Chart
      label="Its score under the policy in force and under the one on trial"
      times={history.map(({ at }) => Date.parse(at))}
      range={[0, 100]}
      series={[
        { name: 'in force', values: history.map(({ trust_score: score }) => score), shape: 'steps' },
        { name: 'on trial', values: history.map(({ trial_score: score }) => score), shape: 'steps' },
      ]}
    >
      <DataTable
        caption={isThinned ? 'Some of its changes' : 'Its changes'}
        columns={[
          { head: 'At', cell: ({ at }) => <Moment at={at} /> },
          { head: 'In force', cell: ({ trust_score: score }) => score, isNumber: true },
          { head: 'On trial', cell: ({ trial_score: score }) => score, isNumber: true },
        ]}
        rows={history}
        keyOf={({ position }) => position}
      />
    </Chart>
  );
}
