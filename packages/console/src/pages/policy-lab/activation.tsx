import type { TrustPolicy } from '@agent-trust/client';
import { type ReactElement, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useChange } from '../../session/use-ask.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';

/** Puts the policy in force, after a confirmation; needs the role admin. */
export function Activation({ policy }: { policy: TrustPolicy }): ReactElement {
  const [asksFirst, setAsksFirst] = useState(false);
  const activate = useChange(
    (client, chosen: TrustPolicy) => client.ops.activatePolicy({ policy: chosen }),
    [['policies'], ['replays']],
  );
  return (
    <Section title="Put it in force">
      <p>
        The read models are built for it beside the live ones, then the registry switches and records it in the log.
      </p>
      {activate.error !== null && <ErrorNote error={activate.error} />}
      {activate.isSuccess ? (
        <p role="status">
          A replay has begun. Watch it under <Link to="/system">System</Link>; the policy is in force when it has
          switched.
        </p>
      ) : (
        <button type="button" className="danger" onClick={() => setAsksFirst(true)}>
          Activate <Foreign text={policy.name} />
        </button>
      )}
      <Dialog title="Activate this policy?" isOpen={asksFirst} onClose={() => setAsksFirst(false)}>
        <p>
          From the switch on, every score of this registry is computed by <Foreign text={policy.name} />. Webhooks are
          sent for scores that change.
        </p>
        <button
          type="button"
          className="danger"
          onClick={() => {
            setAsksFirst(false);
            activate.mutate(policy);
          }}
        >
          Activate
        </button>
      </Dialog>
    </Section>
  );
}
