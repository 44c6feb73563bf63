import type { OrgNamedKeyRequest } from '@agent-trust/client';
import type { QueryKey } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useChange } from '../../session/use-ask.ts';
import { Field } from '../../ui/field.tsx';
import { KeyRefusal, NewSecret } from './new-secret.tsx';

type Scope = OrgNamedKeyRequest['scopes'][number];

const scopes: readonly { scope: Scope; text: string }[] = [
  { scope: 'read', text: 'read: agents, events, usage' },
  { scope: 'register', text: 'register: registers and changes agents' },
  { scope: 'payments', text: 'payments: what was received' },
  { scope: 'webhooks', text: 'webhooks: registers and replays them' },
];

/** Takes a name and scopes, and shows the new key once. @param changes the listing that has it afterwards */
export function CreateKey({ changes }: { changes: QueryKey }): ReactElement {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(['read']);
  const create = useChange((client, body: OrgNamedKeyRequest) => client.org.createNamedKey(body), [changes]);
  if (create.data !== undefined) return <NewSecret secret={create.data.api_key} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate({ name: name.trim(), scopes: [...chosen] });
  };
  return (
    <form onSubmit={submit}>
      <Field
        label="Name"
        value={name}
        onValue={setName}
        maxLength={100}
        required
        hint="what uses it, such as billing"
      />
      <fieldset>
        <legend>What it may do</legend>
        {scopes.map(({ scope, text }) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ target }) =>
                setChosen(target.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
              }
            />{' '}
            {text}
            <br />
          </label>
        ))}
      </fieldset>
      {create.error !== null && <KeyRefusal error={create.error} />}
      <p>
        <button
          type="submit"
          className="primary"
          disabled={create.isPending || name.trim() === '' || chosen.length === 0}
        >
          Create
        </button>
      </p>
    </form>
  );
}
