import { RegistryError } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Code } from '../../ui/text.tsx';

export type NewSecretProps = {
  secret: string;
  /** A claim link is redeemed for the key, once. */
  what?: 'key' | 'claim link';
};

/** A secret that the registry shows once: it is gone when the dialog closes. */
export function NewSecret({ secret, what = 'key' }: NewSecretProps): ReactElement {
  return (
    <div role="status">
      <p>This is the {what}. It is shown this once: copy it now.</p>
      <p>
        <Code text={secret} /> <CopyButton what={`the ${what}`} text={secret} />
      </p>
    </div>
  );
}

/** Why no key was made or changed, with the new one if it may work nevertheless: nobody would see it again. */
export function KeyRefusal({ error }: { error: unknown }): ReactElement {
  const issued = issuedWith(error);
  return (
    <>
      <ErrorNote error={error} />
      {issued !== null && <NewSecret {...issued} />}
    </>
  );
}

const issuedWith = (error: unknown): NewSecretProps | null => {
  if (!(error instanceof RegistryError)) return null;
  const { api_key: key, sandbox_api_key: sandboxKey, claim_link: link } = error.body;
  const secret = key ?? sandboxKey;
  if (typeof secret === 'string') return { secret };
  return typeof link === 'string' ? { secret: link, what: 'claim link' } : null;
};
