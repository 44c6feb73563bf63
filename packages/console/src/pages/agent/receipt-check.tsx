import { verifyReceipt } from '@agent-trust/client/log';
import type { ReactElement } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { Facts } from '../../ui/section.tsx';
import { Answer } from '../../ui/states.tsx';
import { Code } from '../../ui/text.tsx';
import { pathSteps } from './merkle-path.ts';
import styles from './receipt-check.module.css';

/** Fetches the receipt of a review and the log's key, and verifies the one by the other in this browser. */
export function ReceiptCheck({ agentId, transactionId }: { agentId: string; transactionId: string }): ReactElement {
  const checked = useAsk(['receipt', agentId, transactionId], async (client, signal) => {
    const [receipt, key] = await Promise.all([
      client.log.receipt(agentId, transactionId, { signal }),
      client.log.key({ signal }),
    ]);
    return { receipt, key, verified: await verifyReceipt(receipt, { logKey: key.verifier_key }) };
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
          <h3>From the review to the root</h3>
          <ol className={styles['path']}>
            <li>
              Leaf <Code text={receipt.leaf_hash} />
            </li>
            {pathSteps(verified.index, verified.checkpoint.size, receipt.hashes).map(({ hash, side }) => (
              <li key={hash} className={styles[side]}>
                with its {side} neighbour <Code text={hash} />
              </li>
            ))}
            <li>
              Root, which the checkpoint signs <Code text={verified.checkpoint.root} />
            </li>
          </ol>
          <h3>Key of the checkpoint</h3>
          <p>
            <Code text={key.verifier_key} />
          </p>
          <p>The registry itself names this key: compare it with the one that you have from a source that you trust.</p>
        </>
      )}
    </Answer>
  );
}
