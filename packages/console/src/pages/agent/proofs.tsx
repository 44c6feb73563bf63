import { verifySignedVerdict } from '@agent-trust/client/log';
import { type ReactElement, useState } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { useSession } from '../../session/use-session.ts';
import { Facts, Section } from '../../ui/section.tsx';
import { Answer } from '../../ui/states.tsx';
import { Code } from '../../ui/text.tsx';

/** Older than a page that was left open for a while: then it is asked for again. */
const verdictAgeSecondsMax = 300;

/** A signed verdict, checked in this browser. */
export function Proofs({ agentId, isPast }: { agentId: string; isPast: boolean }): ReactElement {
  const [isAsked, setAsked] = useState(false);
  const { universe } = useSession();
  const checked = useAsk(
    ['signed verdict', agentId],
    async (client, signal) => {
      const [{ signed_verdict: jws }, key] = await Promise.all([
        client.verifySigned({ agent_id: agentId }, { signal }),
        client.log.key({ signal }),
      ]);
      const trust = { logKey: key.verifier_key };
      const verdict = await verifySignedVerdict(jws, trust, { agentId, universe, maxAgeSeconds: verdictAgeSecondsMax });
      return { jws, key, verdict };
    },
    { enabled: isAsked },
  );
  return (
    <Section title="Signed verdict">
      <p>
        The registry signs its verdict, so that others need not ask it again. This browser checks the signature by the
        log's key; the registry is not asked whether it is right.
        {isPast && ' It signs what holds now, whatever moment this page shows.'}
      </p>
      {!isAsked && (
        <button type="button" onClick={() => setAsked(true)}>
          Get a signed verdict and check it
        </button>
      )}
      {isAsked && (
        <Answer of={checked} what="the signed verdict">
          {({ jws, key, verdict }) => (
            <>
              <p role="status">
                <strong>The signature holds.</strong>
              </p>
              <Facts
                facts={[
                  ['Says', `score ${verdict.trust_score}, ${verdict.recommended_action}`],
                  ['Of position', verdict.position],
                  ['Log', `${verdict.log.size} events`],
                  ['Root', <Code key="root" text={verdict.log.root} />],
                  ['Key', <Code key="key" text={key.verifier_key} />],
                ]}
              />
              <details>
                <summary>The verdict as it is signed</summary>
                <p>
                  <Code text={jws} />
                </p>
              </details>
            </>
          )}
        </Answer>
      )}
    </Section>
  );
}
