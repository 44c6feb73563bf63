import type { ReactElement } from 'react';
import { useSession } from '../session/use-session.ts';

/** Where a page of production has nothing for whoever holds a sandbox key: how the sandbox is shown. */
export function SandboxHint(): ReactElement | null {
  const { sandbox, universe } = useSession();
  if (sandbox === null || universe === 'sandbox') return null;
  return <> You hold a sandbox key: choose Sandbox, beside your name, to see what is there.</>;
}
