import { Link } from '@tanstack/react-router';
import type { CapabilitiesQuery, KnownCapability } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Pages } from '../../ui/pages.tsx';
import { Answer, Empty, Loading } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';

const limit = 50;

/** What capabilities are called that no category has. */
export const broughtByAgents = 'brought by agents';

const columns: readonly Column<KnownCapability>[] = [
  {
    head: 'Capability',
    cell: ({ name }) => (
      <Link to="/registry" search={{ capability: name }}>
        <Foreign text={name} />
      </Link>
    ),
  },
  { head: 'Category', cell: ({ category }) => category ?? broughtByAgents },
  {
    head: 'Also called',
    cell: ({ aliases }) => (
      <Foreign text={aliases.map(({ alias, learned }) => (learned ? `${alias} (learned)` : alias)).join(', ')} />
    ),
  },
  { head: 'What it is', cell: ({ description }) => description ?? '' },
  { head: 'Agents', cell: ({ agent_count: count }) => count.toLocaleString('en'), isNumber: true },
];
const columnsOfCategory = columns.filter(({ head }) => head !== 'Category');

export type CapabilityListProps = {
  caption: string;
  /** Which capabilities. */
  filter: Pick<CapabilitiesQuery, 'text' | 'category'>;
  /** So many come before those of this list. */
  skipped?: number;
  /** Whether the caption says their category. */
  isOfCategory?: boolean;
  offset: number;
  onOffset: (offset: number) => void;
};

/** Capabilities with their other names, a page at a time. */
export function CapabilityList({
  caption,
  filter,
  skipped = 0,
  isOfCategory = false,
  offset,
  onOffset,
}: CapabilityListProps): ReactElement {
  const page = useAsk(
    ['capabilities', filter, skipped, offset],
    (client, signal) => client.capabilities({ ...filter, limit, offset: skipped + offset }, { signal }),
    { keepsFormer: true },
  );
  return (
    <Answer of={page} what="capabilities">
      {({ capabilities, total }) =>
        capabilities.length === 0 && page.isPlaceholderData ? (
          <Loading what="capabilities" />
        ) : capabilities.length === 0 ? (
          <Empty>No known capability has this in its names. An agent may bring it by its registration.</Empty>
        ) : (
          <>
            <DataTable
              caption={caption}
              columns={isOfCategory ? columnsOfCategory : columns}
              rows={capabilities}
              keyOf={({ name }) => name}
            />
            <Pages
              label={`Pages of the list: ${caption}`}
              offset={offset}
              count={capabilities.length}
              total={total === null ? null : total - skipped}
              limit={limit}
              isFormer={page.isPlaceholderData}
              onOffset={onOffset}
            />
          </>
        )
      }
    </Answer>
  );
}
