import type { ReactElement } from 'react';
import { registryUrl } from '../../address.ts';
import { useSession } from '../../session/use-session.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/section.tsx';
import { fiveRequests } from './five-requests.ts';
import styles from './home.module.css';

/** The main job for a shell, with the keys that this tab holds. */
export function RequestsSection(): ReactElement {
  const { organisation, operator } = useSession();
  // Only the role admin creates organisations.
  const admin = operator?.rights === 'admin' ? operator.key : null;
  const requests = fiveRequests(registryUrl, { organisation: organisation?.key ?? null, operator: admin });
  return (
    <Section
      title="The main job in five requests"
      aside={<CopyButton what="all five" text={requests.map(({ command }) => command).join('\n')} />}
    >
      <p>
        Paste them one after the other into the same shell.
        {organisation === null && ' Sign in with the key of your organisation, and it is filled in.'}
        {organisation === null &&
          admin === null &&
          " Until then, the first request needs the installation's key: run it in the folder of npm start, or set ADMIN_KEY."}
      </p>
      <ol>
        {requests.map(({ title, command, shown }, at) => (
          <li key={title}>
            <p>
              {title} <CopyButton what={`request ${at + 1}`} text={command} />
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
