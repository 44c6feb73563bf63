import { type FormEvent, type ReactElement, useState } from 'react';
import { Choice, Field } from '../../ui/field.tsx';
import { protocols, type RegistrySearch } from './search.ts';

type Filters = Pick<RegistrySearch, 'capability' | 'rail' | 'org' | 'protocol'>;

/** What an agent must have. Asks when it is sent, not at each letter. */
export function FilterForm({ search, onFind }: { search: Filters; onFind: (filters: Filters) => void }): ReactElement {
  const [capability, setCapability] = useState(search.capability ?? '');
  const [rail, setRail] = useState(search.rail ?? '');
  const [org, setOrg] = useState(search.org ?? '');
  const [protocol, setProtocol] = useState(search.protocol ?? '');
  const find = (event: FormEvent): void => {
    event.preventDefault();
    onFind({
      capability: capability.trim() || undefined,
      rail: rail.trim() || undefined,
      org: org.trim() || undefined,
      protocol: protocol || undefined,
    });
  };
  return (
    <form role="search" aria-label="Agents" className="row" onSubmit={find}>
      <Field
        label="Capabilities"
        value={capability}
        onValue={setCapability}
        maxLength={400}
        hint="any words; several are divided by commas"
      />
      <Field label="Organisation" value={org} onValue={setOrg} maxLength={256} hint="its exact name" />
      <Field label="Settlement rail" value={rail} onValue={setRail} maxLength={100} hint="x402, stripe, manual" />
      <Choice
        label="Protocol"
        value={protocol}
        options={protocols.map((value) => ({ value, text: value === '' ? 'any' : value }))}
        onValue={setProtocol}
      />
      <button type="submit" className="primary">
        Find
      </button>
    </form>
  );
}
