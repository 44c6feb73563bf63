import { type ReactElement, useSyncExternalStore } from 'react';
import { linkSignIn } from '../session/link-sign-in.ts';
import { ErrorNote, Loading } from '../ui/states.tsx';

/** While a sign-in link is redeemed, or why it was refused. */
export function LinkSignInNote(): ReactElement | null {
  const link = useSyncExternalStore(linkSignIn.subscribe, linkSignIn.get);
  if (link.state === 'none') return null;
  return link.state === 'asking' ? <Loading what="who you are" /> : <ErrorNote error={link.error} />;
}
