import type { ExplainedTrust, TrustContribution } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { DataTable } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { Foreign } from '../../ui/text.tsx';
import { barLengths } from './bar-lengths.ts';
import { partName } from './part-name.ts';
import { reviewersOf } from './reviewers-of.ts';
import styles from './contributions.module.css';

/** A record and a third voice have points and no weight. */
const isWeighed = ({ kind }: TrustContribution): boolean => kind === 'prior' || kind === 'root';
/** Reviewers that one row names; the table of reviews has all. */
const reviewersShown = 3;
const points = (value: number): string => value.toFixed(2);

/** The parts of a score: a bar whose segments add up to it, and the same as a table. */
export function Contributions({ trust }: { trust: ExplainedTrust }): ReactElement {
  const { contributions, unrounded, trust_score: score, basis } = trust;
  const lengths = barLengths(contributions);
  return (
    <Section title="Why this score">
      <p>
        The score is the sum of the parts below: {points(unrounded)}, rounded to {score}.{' '}
        {basis === 'recent' && 'It follows the recent reviews, which are clearly worse than all.'} As of{' '}
        <Moment at={trust.as_of.time} />, position {trust.as_of.position}.
      </p>
      <div className={styles['bar']} aria-hidden="true">
        {contributions.map((one, index) => (
          <span
            key={`${one.kind} ${one.root}`}
            className={styles[one.kind]}
            style={{ width: `${lengths[index] ?? 0}%` }}
            title={`${partName(one)}: ${points(one.points)}`}
          />
        ))}
      </div>
      <DataTable
        caption={`Parts of the score; their points add up to ${points(unrounded)}`}
        columns={[
          { head: 'Part', cell: (one) => <Foreign text={partName(one)} /> },
          { head: 'Points', cell: (one) => points(one.points), isNumber: true },
          { head: 'Weight', cell: (one) => (isWeighed(one) ? one.weight.toFixed(2) : ''), isNumber: true },
          {
            head: 'Weight after the cap',
            cell: (one) => (isWeighed(one) ? one.capped_weight.toFixed(2) : ''),
            isNumber: true,
          },
          {
            head: 'Says of the agent',
            cell: (one) => (isWeighed(one) ? `${Math.round(one.mean * 100)} of 100` : ''),
            isNumber: true,
          },
          {
            head: 'Newest reviewers',
            cell: ({ kind, root }) => {
              if (kind !== 'root' || root === null) return '';
              return <Foreign text={reviewersOf(root, trust.reviews).slice(0, reviewersShown).join(', ')} />;
            },
          },
        ]}
        rows={contributions}
        keyOf={(one) => `${one.kind} ${one.root}`}
      />
    </Section>
  );
}
