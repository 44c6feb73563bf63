import { redeemCode, takeSignInCode } from './sign-in-code.ts';
import { sessionStore } from './use-session.ts';

/** How the sign-in by a link goes: `none` without a code in the address, and once it has succeeded. */
export type LinkSignIn = { state: 'none' } | { state: 'asking' } | { state: 'refused'; error: unknown };

let current: LinkSignIn = { state: 'none' };
const listeners = new Set<() => void>();
const change = (next: LinkSignIn): void => {
  current = next;
  for (const listener of listeners) listener();
};

export const linkSignIn = {
  get: (): LinkSignIn => current,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

// Whoever signs in otherwise, or out, has read why the link was refused.
sessionStore.subscribe(() => {
  if (current.state === 'refused') change({ state: 'none' });
});

/** Signs this tab in if its address has a code, and shows in `linkSignIn` how that goes. */
export async function signInByLink(): Promise<void> {
  const code = takeSignInCode();
  if (code === null) return;
  change({ state: 'asking' });
  try {
    sessionStore.signIn('operator', await redeemCode(code));
    change({ state: 'none' });
  } catch (error) {
    change({ state: 'refused', error });
  }
}
