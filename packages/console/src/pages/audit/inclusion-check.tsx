import { LogProofError, openCheckpoint, verifyInclusion } from '@agent-trust/client/log';
import { type ReactElement, useState } from 'react';
import { LogKeyNote } from '../../proof/log-key-note.tsx';
import { MerklePath } from '../../proof/merkle-path.tsx';
import { ReceiptCheck } from '../../proof/receipt-check.tsx';
import { useAsk } from '../../session/use-ask.ts';
import { Facts } from '../../ui/section.tsx';
import { Answer } from '../../ui/states.tsx';
import { entryOf, isViewOf } from './event-entry.ts';
import { isLogged, type ShownEvent } from './event-words.ts';

/** Whether an event is in the log, checked in this browser: its leaf is computed here from what is shown, as far as its reader sees all of it. */
export function InclusionCheck({ event }: { event: ShownEvent }): ReactElement {
  const [isAsked, setAsked] = useState(false);
  const { receiver_agent_id: reviewed, transaction_id: transactionId } = event.data;
  // A review is public as a whole, by its receipt, although its owner's view leaves the reviewer's part out.
  const hasReceipt =
    event.type === 'ExchangeReviewed' &&
    entryOf(event) === null &&
    typeof reviewed === 'string' &&
    typeof transactionId === 'string';
  return (
    <>
      <h3>Proof</h3>
      {!isAsked && (
        <button type="button" onClick={() => setAsked(true)}>
          Check that it is in the log
        </button>
      )}
      {isAsked &&
        (hasReceipt ? (
          <ReceiptCheck agentId={reviewed} transactionId={transactionId} eventId={event.event_id} />
        ) : (
          <Checked event={event} />
        ))}
    </>
  );
}

function Checked({ event }: { event: ShownEvent }): ReactElement {
  const checked = useAsk(['inclusion', event.event_id], async (client, signal) => {
    const key = await client.log.key({ signal });
    // The head that contains the event may not be signed yet: asking for it has it signed.
    const note = await client.log.checkpoint({ signal });
    const checkpoint = await openCheckpoint(note, { logKey: key.verifier_key });
    const proof = await client.log.inclusionProof({ event_id: event.event_id, size: checkpoint.size }, { signal });
    if (proof.leaf_hash !== event.leaf_hash || String(proof.leaf_index) !== event.leaf_index)
      throw new LogProofError('wrong_subject', 'the proof is of another event');
    const entry = entryOf(event);
    if (entry !== null && !isLogged(event) && !isViewOf(event, entry))
      throw new LogProofError('wrong_leaf', 'the event is not shown as its leaf has it');
    verifyInclusion(proof, entry, checkpoint);
    return { key, checkpoint, proof };
  });
  return (
    <Answer of={checked} what="the proof">
      {({ key, checkpoint, proof }) => (
        <>
          <p role="status">
            <Proven event={event} />
          </p>
          <Facts
            facts={[
              ['Leaf', `${proof.leaf_index} of ${checkpoint.size}`],
              ['Hashes on the way up', proof.hashes.length],
            ]}
          />
          <MerklePath
            of="event"
            index={Number(proof.leaf_index)}
            size={checkpoint.size}
            leafHash={proof.leaf_hash}
            hashes={proof.hashes}
            root={checkpoint.root}
          />
          <LogKeyNote verifierKey={key.verifier_key} />
        </>
      )}
    </Answer>
  );
}

/** What the check has shown, and what it has not. */
function Proven({ event }: { event: ShownEvent }): ReactElement {
  if (entryOf(event) !== null)
    return (
      <>
        <strong>The event is in the signed log.</strong> This browser has computed the tree's root from it.
      </>
    );
  if (event.archived)
    return (
      <>
        <strong>The event is in the signed log.</strong> This browser has computed the tree's root from its hash; what
        happened is in the archive.
      </>
    );
  return (
    <>
      <strong>The hash of the event is in the signed log.</strong> This browser has computed the tree's root from the
      hash. It cannot compute the hash from what is shown: the log also has what you do not see, such as the hash of a
      key or another party's request. That this is the hash of this event, and that it happened as shown, the registry
      alone says.
    </>
  );
}
