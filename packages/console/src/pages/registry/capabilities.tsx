import { Link } from '@tanstack/react-router';
import type { KnownCapability } from '@agent-trust/client';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { Pages } from '../../ui/pages.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';

const limit = 50;

const columns: readonly Column<KnownCapability>[] = [
  {
    head: 'Capability',
    cell: ({ name }) => (
      <Link to="/registry" search={{ capability: name }}>
        <Foreign text={name} />
      </Link>
    ),
  },
  { head: 'Category', cell: ({ category }) => category ?? 'brought by agents' },
  {
    head: 'Also called',
    cell: ({ aliases }) => (
      <Foreign text={aliases.map(({ alias, learned }) => (learned ? `${alias} (learned)` : alias)).join(', ')} />
    ),
  },
  { head: 'What it is', cell: ({ description }) => description ?? '' },
  { head: 'Agents', cell: ({ agent_count: count }) => count.toLocaleString('en'), isNumber: true },
];

export type CapabilitiesProps = {
  text: string | undefined;
  category: string | undefined;
  offset: number;
  onChange: (changed: {
    text?: string | undefined;
    category?: string | undefined;
    offset?: string | undefined;
  }) => void;
};

/** What agents can be asked for: categories, names, and other names of each. */
export function Capabilities({ text, category, offset, onChange }: CapabilitiesProps): ReactElement {
  const [typed, setTyped] = useState(text ?? '');
  const tree = useAsk(
    ['capabilities', text, category, offset],
    (client, signal) =>
      client.capabilities(
        { limit, offset, ...(text === undefined ? {} : { text }), ...(category === undefined ? {} : { category }) },
        { signal },
      ),
    { keepsFormer: true },
  );
  const find = (event: FormEvent): void => {
    event.preventDefault();
    onChange({ text: typed.trim() || undefined });
  };
  return (
    <>
      <form role="search" aria-label="Capabilities" className="row" onSubmit={find}>
        <Field label="Name" value={typed} onValue={setTyped} maxLength={50} hint="a part of it, or of another name" />
        <Choice
          label="Category"
          value={category ?? ''}
          options={[
            { value: '', text: 'all' },
            ...(tree.data?.categories ?? []).map(({ category: name, capability_count: count }) => ({
              value: name,
              text: `${name} (${count})`,
            })),
          ]}
          onValue={(value) => onChange({ category: value || undefined })}
        />
        <button type="submit" className="primary">
          Find
        </button>
      </form>
      <Answer of={tree} what="capabilities">
        {({ capabilities, total }) =>
          capabilities.length === 0 ? (
            <Empty>No known capability has this in its names. An agent may bring it by its registration.</Empty>
          ) : (
            <>
              <DataTable
                caption="Known capabilities"
                columns={columns}
                rows={capabilities}
                keyOf={({ name }) => name}
              />
              <Pages
                offset={offset}
                count={capabilities.length}
                total={total}
                limit={limit}
                onOffset={(next) => onChange({ offset: String(next) })}
              />
            </>
          )
        }
      </Answer>
    </>
  );
}
