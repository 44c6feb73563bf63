import type { ReactElement } from 'react';
import { useSession } from '../../session/use-session.ts';
import { PageTitle } from '../../shell/page-title.tsx';
import { SandboxHint } from '../../shell/sandbox-hint.tsx';
import { Empty } from '../../ui/states.tsx';
import { Agents } from './agents.tsx';
import { Keys } from './keys.tsx';
import { OwnKeys } from './own-keys.tsx';
import { Payments } from './payments.tsx';
import { Usage } from './usage.tsx';
import { Webhooks } from './webhooks.tsx';

/** What an organisation has in the registry: of the universe that the reader looks at. */
export function Page(): ReactElement {
  const { organisation, sandbox, universe } = useSession();
  const held = universe === 'sandbox' ? sandbox : organisation;
  return (
    <>
      <PageTitle title={held === null ? 'Organisation' : held.who} />
      {held === null ? (
        <Empty>
          Sign in with a key of your organisation. Its production key and its sandbox key can be held at once: then
          agents can be moved between the two.
          <SandboxHint />
        </Empty>
      ) : (
        <>
          {/* Another key may be another organisation's: nothing of the former one stays open. */}
          <div key={held.who}>
            <Agents />
            <Keys />
            <Usage />
            <Payments />
            {/* Webhooks are of production, and take its key. */}
            {universe === 'production' && <Webhooks />}
          </div>
          {/* Stays when the key itself changes, and with it the universe: the new key is shown here. */}
          <OwnKeys key={held.organisation} />
        </>
      )}
    </>
  );
}
