import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import { Choice, Field } from '../../ui/field.tsx';
import { protocols, type RegistrySearch } from './search.ts';

type Filters = Pick<RegistrySearch, 'capability' | 'rail' | 'org' | 'protocol' | 'live'>;
type Texts = Record<keyof Filters, string>;

const textsOf = ({ capability = '', rail = '', org = '', protocol = '', live }: Filters): Texts => ({
  capability,
  rail,
  org,
  protocol,
  live: live ?? '',
});

/** What an agent must have. Asks when it is sent, not at each letter. */
export function FilterForm({ search, onFind }: { search: Filters; onFind: (filters: Filters) => void }): ReactElement {
  const asked = textsOf(search);
  const [typed, setTyped] = useState(asked);
  const question = JSON.stringify(asked);
  // A link or the way back brings other filters than those that were typed; the form stays, and with it the focus.
  useEffect(() => setTyped(JSON.parse(question) as Texts), [question]);
  const find = (event: FormEvent): void => {
    event.preventDefault();
    onFind({
      capability: typed.capability.trim() || undefined,
      rail: typed.rail.trim() || undefined,
      org: typed.org.trim() || undefined,
      protocol: typed.protocol || undefined,
      live: typed.live === 'yes' ? 'yes' : undefined,
    });
  };
  return (
    <form role="search" aria-label="Agents" className="row" onSubmit={find}>
      <Field
        label="Capabilities"
        value={typed.capability}
        onValue={(capability) => setTyped({ ...typed, capability })}
        maxLength={400}
        hint="any words; several are divided by commas"
      />
      <Field
        label="Organisation"
        value={typed.org}
        onValue={(org) => setTyped({ ...typed, org })}
        maxLength={256}
        hint="its exact name"
      />
      <Field
        label="Settlement rail"
        value={typed.rail}
        onValue={(rail) => setTyped({ ...typed, rail })}
        maxLength={100}
        hint="x402, stripe, manual"
      />
      <Choice
        label="Protocol"
        value={typed.protocol}
        options={protocols.map((value) => ({ value, text: value === '' ? 'any' : value }))}
        onValue={(protocol) => setTyped({ ...typed, protocol })}
        hint="of its messages"
      />
      <Choice
        label="Answers calls"
        value={typed.live}
        options={[
          { value: '', text: 'any' },
          { value: 'yes', text: 'only those that do' },
        ]}
        onValue={(live) => setTyped({ ...typed, live })}
        hint="as its last calls went"
      />
      <button type="submit" className="primary">
        Find
      </button>
    </form>
  );
}
