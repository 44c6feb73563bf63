import { type ReactElement, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Foreign } from '../ui/text.tsx';
import type { CredentialKind } from '../session/session.ts';
import { sessionStore, useSession } from '../session/use-session.ts';
import { SignIn } from './sign-in.tsx';
import styles from './session-button.module.css';

const kinds: readonly { kind: CredentialKind; name: string }[] = [
  { kind: 'operator', name: 'Operator' },
  { kind: 'organisation', name: 'Organisation, production' },
  { kind: 'sandbox', name: 'Organisation, sandbox' },
  { kind: 'agent', name: 'Agent' },
];

/** Who one is, and the dialog in which one becomes somebody else. */
export function SessionButton(): ReactElement {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const held = kinds.flatMap(({ kind, name }) => (session[kind] === null ? [] : [{ kind, name, ...session[kind] }]));
  return (
    <>
      {session.sandbox !== null && (
        <select
          aria-label="Universe"
          value={session.universe}
          onChange={({ target }) => sessionStore.look(target.value === 'sandbox' ? 'sandbox' : 'production')}
        >
          <option value="production">Production</option>
          <option value="sandbox">Sandbox</option>
        </select>
      )}
      <button type="button" className={styles['who']} onClick={() => setOpen(true)}>
        {held.length === 0 ? (
          'Sign in'
        ) : (
          <>
            <span className="visually-hidden">Signed in as </span>
            {held.map(({ kind, who }, at) => (
              <span key={kind}>
                {at > 0 && ', '}
                <Foreign text={who} />
              </span>
            ))}
          </>
        )}
      </button>
      <Dialog title="Who you are" isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>
          Public pages need no credential. A key that you paste here stays in the memory of this tab, and is gone when
          the tab is closed or loaded again.
        </p>
        {held.length > 0 && (
          <ul className={styles['held']}>
            {held.map(({ kind, name, who, rights }) => (
              <li key={kind}>
                <span>
                  {name}: <Foreign text={who} />
                  {rights !== null && (
                    <>
                      {' '}
                      (<Foreign text={rights} />)
                    </>
                  )}
                </span>
                <button type="button" className="small" onClick={() => sessionStore.signOut(kind)}>
                  Sign out
                </button>
              </li>
            ))}
          </ul>
        )}
        <SignIn />
      </Dialog>
    </>
  );
}
