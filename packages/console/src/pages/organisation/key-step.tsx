import type { RegistryClient } from '@agent-trust/client';
import type { QueryKey } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { useChange } from '../../session/use-ask.ts';
import { KeyRefusal, NewSecret } from './new-secret.tsx';

export type KeyStepProps = {
  /** What it does, for whoever decides about it. */
  effect: ReactNode;
  action: string;
  /** Whether something stops working. */
  isDangerous?: boolean;
  /** Does it, and returns the new key; null if there is none. */
  change: (client: RegistryClient) => Promise<string | null>;
  /** The listings that it changes. */
  changes?: readonly QueryKey[];
};

/** A change of a key, made once it is confirmed. */
export function KeyStep({ effect, action, isDangerous = false, change, changes }: KeyStepProps): ReactElement {
  const step = useChange<undefined, string | null>(change, changes);
  if (step.isSuccess)
    return step.data === null ? <p role="status">It works nowhere any more.</p> : <NewSecret secret={step.data} />;
  return (
    <>
      <p>{effect}</p>
      {step.error !== null && <KeyRefusal error={step.error} />}
      <button
        type="button"
        className={isDangerous ? 'danger' : 'primary'}
        disabled={step.isPending}
        onClick={() => step.mutate(undefined)}
      >
        {action}
      </button>
    </>
  );
}
