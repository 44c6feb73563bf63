import type { ReactElement } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Code } from '../../ui/text.tsx';

/** A secret that the registry shows once: it is gone when the dialog closes. */
export function NewSecret({ secret }: { secret: string }): ReactElement {
  return (
    <div role="status">
      <p>This is the key. It is shown this once: copy it now.</p>
      <p>
        <Code text={secret} /> <CopyButton what="the key" text={secret} />
      </p>
    </div>
  );
}
