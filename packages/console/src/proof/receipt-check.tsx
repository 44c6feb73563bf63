import { LogProofError, verifyReceipt } from '@agent-trust/client/log';
import type { ReactElement } from 'react';
import { useAsk } from '../session/use-ask.ts';
import { Facts } from '../ui/section.tsx';
import { Answer } from '../ui/states.tsx';
import { Code } from '../ui/text.tsx';
import { LogKeyNote } from './log-key-note.tsx';
import { MerklePath } from './merkle-path.tsx';
import styles from './receipt-check.module.css';

export type ReceiptCheckProps = {
  /** Who was reviewed. */
  agentId: string;
  transactionId: string;
  /** The event that the receipt has to be of, if that is known. */
  eventId?: string;
};

/** Fetches the receipt of a review and the log's key, and verifies the one by the other in this browser. */
export function ReceiptCheck({ agentId, transactionId, eventId }: ReceiptCheckProps): ReactElement {
  const checked = useAsk(['receipt', agentId, transactionId, eventId], async (client, signal) => {
    const [receipt, key] = await Promise.all([
      client.log.receipt(agentId, transactionId, { signal }),
      client.log.key({ signal }),
    ]);
    const verified = await verifyReceipt(receipt, { logKey: key.verifier_key });
    if (eventId !== undefined && verified.entry.event_id !== eventId)
      throw new LogProofError('wrong_subject', 'the receipt is of another event');
    return { receipt, key, verified };
  });
  return (
    <Answer of={checked} what="the receipt">
      {({ receipt, key, verified }) => (
        <>
          <p className={styles['holds']} role="status">
            The receipt holds. This browser has verified it; the registry was asked for the receipt and its key alone.
          </p>
          <Facts
            facts={[
              ['Event', `number ${verified.index} of ${verified.checkpoint.size}`],
              ['Universe', verified.universe],
              ['Log', <Code key="log" text={verified.checkpoint.origin} />],
              ['Witnesses', verified.checkpoint.cosignatures.map(({ name }) => name).join(', ') || 'none'],
            ]}
          />
          <MerklePath
            of="review"
            index={verified.index}
            size={verified.checkpoint.size}
            leafHash={receipt.leaf_hash}
            hashes={receipt.hashes}
            root={verified.checkpoint.root}
          />
          <LogKeyNote verifierKey={key.verifier_key} />
        </>
      )}
    </Answer>
  );
}
