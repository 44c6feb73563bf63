import type { ReactElement } from 'react';
import { Code } from '../ui/text.tsx';

/** The key that a checkpoint was verified with, and what that is worth. */
export function LogKeyNote({ verifierKey }: { verifierKey: string }): ReactElement {
  return (
    <>
      <h3>Key of the checkpoint</h3>
      <p>
        <Code text={verifierKey} />
      </p>
      <p>The registry itself names this key: compare it with the one that you have from a source that you trust.</p>
    </>
  );
}
