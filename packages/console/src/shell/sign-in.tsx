import { type FormEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { identify, isRefusedKey, WrongKindError } from '../session/identify.ts';
import { type CredentialKind, kindOf } from '../session/session.ts';
import { sessionStore } from '../session/use-session.ts';
import { Choice, Field } from '../ui/field.tsx';
import { ErrorNote } from '../ui/states.tsx';

const choices: readonly { value: CredentialKind; text: string }[] = [
  { value: 'organisation', text: "An organisation's production key" },
  { value: 'sandbox', text: "An organisation's sandbox key" },
  { value: 'operator', text: "An operator's key or token" },
  { value: 'agent', text: "An agent's key" },
];

/** What a header can carry. */
const keyForm = /^[\x21-\x7e]*$/u;

/** Takes a key, asks the registry whose it is, and keeps it in the session. */
export function SignIn(): ReactElement {
  const [key, setKey] = useState('');
  const [kind, setKind] = useState<CredentialKind>('organisation');
  const [error, setError] = useState<unknown>(null);
  const [isAsking, setAsking] = useState(false);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const signIn = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAsking(true);
    setError(null);
    try {
      const held = await identify(kind, key.trim());
      // Whoever closes the dialog meanwhile does not sign in.
      if (isOpen.current) sessionStore.signIn(kind, held);
      setKey('');
    } catch (refusal) {
      if (refusal instanceof WrongKindError) setKind(refusal.kind);
      setError(refusal);
    } finally {
      setAsking(false);
    }
  };
  const change = (text: string): void => {
    setKey(text);
    setKind(kindOf(text.trim()) ?? kind);
    setError(null);
  };
  const isRefused = isRefusedKey(error);
  const isNoKey = !keyForm.test(key.trim());
  const refusal = isRefused ? 'The registry does not accept this key.' : undefined;
  const fault = isNoKey ? 'No key has such characters: copy it again.' : refusal;
  return (
    <form onSubmit={(event) => void signIn(event)}>
      <Field
        label="Key"
        // Hidden from whoever looks over the shoulder; no password manager may keep it.
        type="password"
        name="registry-key"
        autoComplete="off"
        data-1p-ignore=""
        value={key}
        onValue={change}
        required
        maxLength={4096}
        hint="Paste it. Its kind is recognised."
        error={fault}
      />
      <Choice
        label="Whose it is"
        value={kind}
        options={choices}
        onValue={(value) => setKind(value as CredentialKind)}
      />
      <p>
        <button type="submit" className="primary" disabled={isAsking || isNoKey || key.trim() === ''}>
          {isAsking ? 'Asking the registry…' : 'Sign in'}
        </button>
      </p>
      {error !== null && !isRefused && <ErrorNote error={error} />}
    </form>
  );
}
