import { type FormEvent, type ReactElement, useState } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { Choice, Field } from '../../ui/field.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { CapabilityList } from './capability-list.tsx';
import { CapabilityTree } from './capability-tree.tsx';

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

/** What agents can be asked for: a tree of categories, or a list of what a filter finds, with other names of each. */
export function Capabilities({ text, category, offset, onChange }: CapabilitiesProps): ReactElement {
  const [typed, setTyped] = useState(text ?? '');
  // The categories come with any page, and how many capabilities there are.
  const known = useAsk(['capabilities'], (client, signal) => client.capabilities({ limit: 1 }, { signal }));
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
            ...(known.data?.categories ?? []).map(({ category: name, capability_count: count }) => ({
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
      {text === undefined && category === undefined ? (
        <Answer of={known} what="capabilities">
          {({ categories, total }) =>
            total === 0 ? (
              <Empty>No capability is known yet. An agent may bring one by its registration.</Empty>
            ) : (
              <CapabilityTree categories={categories} total={total ?? 0} />
            )
          }
        </Answer>
      ) : (
        <CapabilityList
          caption="Known capabilities"
          filter={{ ...(text === undefined ? {} : { text }), ...(category === undefined ? {} : { category }) }}
          offset={offset}
          onOffset={(next) => onChange({ offset: String(next) })}
        />
      )}
    </>
  );
}
