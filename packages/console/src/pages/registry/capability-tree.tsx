import type { CapabilityTree as Known } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { broughtByAgents, CapabilityList } from './capability-list.tsx';
import styles from './capability-tree.module.css';

export type CapabilityTreeProps = {
  categories: Known['categories'];
  /** Number of capabilities, with those that no category has. */
  total: number;
};

/** The categories, each of which opens to its capabilities. What agents brought comes after all of them, as in the registry's list. */
export function CapabilityTree({ categories, total }: CapabilityTreeProps): ReactElement {
  const defined = categories.reduce((sum, { capability_count: count }) => sum + count, 0);
  return (
    <ul className={styles['tree']} aria-label="Capabilities by category">
      {categories.map(({ category, capability_count: count }) => (
        <Branch key={category} title={category} count={count} filter={{ category }} />
      ))}
      {total > defined && <Branch title={broughtByAgents} count={total - defined} filter={{}} skipped={defined} />}
    </ul>
  );
}

type BranchProps = { title: string; count: number; filter: { category?: string }; skipped?: number };

/** One category. Its capabilities are asked for when it is opened. */
function Branch({ title, count, filter, skipped = 0 }: BranchProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  const [offset, setOffset] = useState(0);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          {title} ({count.toLocaleString('en')})
        </summary>
        {isOpen && (
          <CapabilityList
            caption={`Capabilities, ${title}`}
            isOfCategory
            filter={filter}
            skipped={skipped}
            offset={offset}
            onOffset={setOffset}
          />
        )}
      </details>
    </li>
  );
}
