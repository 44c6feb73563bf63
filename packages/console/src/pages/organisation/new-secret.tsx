import { RegistryError } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
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

/** Why a key was not changed, with the new key if it may work nevertheless: nobody would see it again. */
export function KeyRefusal({ error }: { error: unknown }): ReactElement {
  const secret = secretOf(error);
  return (
    <>
      <ErrorNote error={error} />
      {secret !== null && <NewSecret secret={secret} />}
    </>
  );
}

const secretOf = (error: unknown): string | null => {
  if (!(error instanceof RegistryError)) return null;
  const secret = error.body['api_key'] ?? error.body['sandbox_api_key'];
  return typeof secret === 'string' ? secret : null;
};
