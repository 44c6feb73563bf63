import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import { Field } from '../../ui/field.tsx';

/** An id has at most 128 characters, and each at most two UTF-16 units, which a field counts. */
const idUnitsMax = 256;

/** Asks how an agent is called. Asks when it is sent, not at each letter. */
export function NameForm({
  name = '',
  onFind,
}: {
  name: string | undefined;
  onFind: (name: string | undefined) => void;
}): ReactElement {
  const [typed, setTyped] = useState(name);
  // A link or the way back brings another name than the typed one; the form stays, and with it the focus.
  useEffect(() => setTyped(name), [name]);
  const find = (event: FormEvent): void => {
    event.preventDefault();
    onFind(typed.trim() || undefined);
  };
  return (
    <form role="search" aria-label="Agents by name" className="row" onSubmit={find}>
      <Field
        label="Name"
        value={typed}
        onValue={setTyped}
        maxLength={idUnitsMax}
        hint="an agent's id, or how it begins"
      />
      <button type="submit">Search</button>
    </form>
  );
}
