import type { ReactElement } from 'react';
import { registryUrl } from '../../address.ts';
import { useSession } from '../../session/use-session.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/section.tsx';
import { Foreign } from '../../ui/text.tsx';
import { fiveRequests } from './five-requests.ts';
import styles from './home.module.css';
import { requestKeysOf } from './request-keys.ts';

/** The main job for a shell, with the keys that this tab holds. */
export function RequestsSection(): ReactElement {
  const { keys, notes } = requestKeysOf(useSession());
  const requests = fiveRequests(registryUrl, keys);
  return (
    <Section
      title="The main job in five requests"
      aside={<CopyButton what="all five" text={requests.map(({ command }) => command).join('\n')} />}
    >
      <p>
        Paste them one after the other into the same shell. <Foreign text={notes.join(' ')} />
      </p>
      <ol>
        {requests.map(({ title, by, command, shown }, at) => (
          <li key={title}>
            <p>
              {title} <span className={styles['by']}>By {by}.</span>{' '}
              <CopyButton what={`request ${at + 1}`} text={command} />
            </p>
            <pre className={styles['command']} tabIndex={0} role="region" aria-label={`Request ${at + 1}`}>
              <code>{shown}</code>
            </pre>
          </li>
        ))}
      </ol>
    </Section>
  );
}
