import type { LoggedEvent } from '@agent-trust/client';
import { openCheckpoint, verifyInclusion } from '@agent-trust/client/log';
import { type ReactElement, useState } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { Facts } from '../../ui/section.tsx';
import { Answer } from '../../ui/states.tsx';
import { Code } from '../../ui/text.tsx';

/** Whether an event is in the log, checked in this browser: its leaf is computed here from what is shown. */
export function InclusionCheck({ event }: { event: LoggedEvent }): ReactElement {
  const [isAsked, setAsked] = useState(false);
  const checked = useAsk(
    ['inclusion', event.event_id],
    async (client, signal) => {
      const key = await client.log.key({ signal });
      // The head that contains the event may not be signed yet: asking for it has it signed.
      const note = await client.log.checkpoint({ signal });
      const checkpoint = await openCheckpoint(note, { logKey: key.verifier_key });
      const proof = await client.log.inclusionProof({ event_id: event.event_id, size: checkpoint.size }, { signal });
      if (proof.leaf_hash !== event.leaf_hash) throw new Error('the proof is of another event');
      verifyInclusion(proof, event.archived ? null : provenMembersOf(event), checkpoint);
      return { key, checkpoint, proof };
    },
    { enabled: isAsked },
  );
  return (
    <>
      <h3>Proof</h3>
      {!isAsked && (
        <button type="button" onClick={() => setAsked(true)}>
          Check that it is in the log
        </button>
      )}
      {isAsked && (
        <Answer of={checked} what="the proof">
          {({ key, checkpoint, proof }) => (
            <>
              <p role="status">
                <strong>The event is in the signed log.</strong>{' '}
                {event.archived
                  ? "This browser has computed the tree's root from its hash; what happened is in the archive."
                  : "This browser has computed the tree's root from it."}
              </p>
              <Facts
                facts={[
                  ['Leaf', `${proof.leaf_index} of ${checkpoint.size}`],
                  ['Hashes on the way up', proof.hashes.length],
                  ['Root', <Code key="root" text={checkpoint.root} />],
                  ['Signed by', <Code key="key" text={key.verifier_key} />],
                ]}
              />
            </>
          )}
        </Answer>
      )}
    </>
  );
}

/** The members that the leaf is the hash of. */
const provenMembersOf = ({ position, event_id, stream, revision, type, recorded_at, metadata, data }: LoggedEvent) => ({
  position,
  event_id,
  stream,
  revision,
  type,
  recorded_at,
  metadata,
  data,
});
