import type { Replay, TrustPolicy } from '@agent-trust/client';
import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useAsk, useAskAgain, useChange } from '../../session/use-ask.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { isReplaying, replayEveryMs, ReplayProgress } from '../../ui/replay-progress.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, ErrorNote } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';

export type ActivationProps = {
  policy: TrustPolicy;
  /** Whether the policy of this name is in force already: the registry refuses to activate it again. */
  isInForce: boolean;
};

/** Puts the policy in force, after a confirmation; needs the role admin. */
export function Activation({ policy, isInForce }: ActivationProps): ReactElement {
  const [asksFirst, setAsksFirst] = useState(false);
  const activate = useChange(
    (client, chosen: TrustPolicy) => client.ops.activatePolicy({ policy: chosen }),
    [['replays']],
  );
  return (
    <Section title="Put it in force">
      <p>
        The read models are built for it beside the live ones, then the registry switches and records it in the log.
      </p>
      {activate.error !== null && <ErrorNote error={activate.error} />}
      {activate.data !== undefined ? (
        <Switch replayId={activate.data.replay_id} onAgain={() => activate.reset()} />
      ) : isInForce ? (
        <p>
          The policy of the name <Foreign text={policy.name} /> is in force already.
        </p>
      ) : (
        <button type="button" className="danger" disabled={activate.isPending} onClick={() => setAsksFirst(true)}>
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

type SwitchProps = {
  replayId: string;
  /** Lets the reader try again where nothing was switched. */
  onAgain: () => void;
};

/** The replay that puts a policy in force, to its end. */
function Switch({ replayId, onAgain }: SwitchProps): ReactElement {
  const askAgain = useAskAgain();
  const replay = useAsk(['replays', replayId], (client, signal) => client.ops.replay(replayId, { signal }), {
    everyMs: (answer) => (answer === undefined || isReplaying(answer) ? replayEveryMs : undefined),
  });
  const isOver = replay.data !== undefined && !isReplaying(replay.data);
  const askForPolicies = useEffectEvent(() => askAgain(['policies']));
  useEffect(() => {
    // Another one is in force now.
    if (isOver) askForPolicies();
  }, [isOver]);
  return (
    <Answer of={replay} what="the replay">
      {(answer) =>
        isReplaying(answer) ? (
          <p className="row">
            <ReplayProgress replay={answer} />
            <span>
              It is stopped under <Link to="/system">System</Link>.
            </span>
          </p>
        ) : (
          <SwitchEnd replay={answer} onAgain={onAgain} />
        )
      }
    </Answer>
  );
}

type SwitchEndProps = Pick<SwitchProps, 'onAgain'> & { replay: Replay };

function SwitchEnd({ replay: { state, policy, result, error }, onAgain }: SwitchEndProps): ReactElement {
  const activation = result?.activation ?? null;
  if (state !== 'switched')
    return (
      <p role="alert">
        Nothing was switched: {state.replaceAll('_', ' ')}
        {error !== null && (
          <>
            , <Foreign text={error} />
          </>
        )}
        .{' '}
        <button type="button" onClick={onAgain}>
          Begin again
        </button>
      </p>
    );
  return (
    <p role="status">
      <Foreign text={policy ?? ''} /> is in force
      {activation !== null &&
        ` from position ${activation.position} on; ${activation.moved.toLocaleString('en')} of ${activation.agents.toLocaleString('en')} agents moved`}
      .
    </p>
  );
}
