import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { type AuditSearch, type FilterName, filters } from './search.ts';

export type FiltersProps = {
  search: AuditSearch;
  /** Those that the reader's credential may use. */
  names: readonly FilterName[];
  onFind: (search: AuditSearch) => void;
};

/** In which spaces at the ends count: they belong to the id or the name, and without them it is another's. */
const exact: readonly FilterName[] = ['agent_id', 'org'];

/** Which events to show. Asks when it is sent, not at each letter. */
export function Filters({ search, names, onFind }: FiltersProps): ReactElement {
  const [values, setValues] = useState<AuditSearch>(search);
  const question = JSON.stringify(search);
  // A link brings other filters than those that were typed; the form stays, and with it the focus.
  useEffect(() => setValues(JSON.parse(question) as AuditSearch), [question]);
  const find = (event: FormEvent): void => {
    event.preventDefault();
    const asked = (name: FilterName): string | undefined =>
      exact.includes(name) ? values[name] : values[name]?.trim();
    onFind(Object.fromEntries(names.map((name) => [name, asked(name) || undefined])));
  };
  return (
    <form role="search" aria-label="Events" className="row" onSubmit={find}>
      {filters
        .filter(({ name }) => names.includes(name))
        .map(({ name, label, hint }) => (
          <Field
            key={name}
            label={label}
            hint={hint}
            value={values[name] ?? ''}
            onValue={(value) => setValues({ ...values, [name]: value })}
            maxLength={400}
          />
        ))}
      <button type="submit" className="primary">
        Show
      </button>
    </form>
  );
}
