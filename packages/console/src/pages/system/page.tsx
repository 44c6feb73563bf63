import type { ReactElement } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { useSession } from '../../session/use-session.ts';
import { PageTitle } from '../../shell/page-title.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer, Empty } from '../../ui/states.tsx';
import { Rates } from './rates.tsx';
import { Replays } from './replays.tsx';
import { Status } from './status.tsx';

/** As often as the registry counts a step of its rates. */
const lookEveryMs = 15_000;

/** The state of the installation, for its operators. */
export function Page(): ReactElement {
  const { operator } = useSession();
  return (
    <>
      <PageTitle title="System" />
      {operator === null ? (
        <Empty>Sign in with an operator's key to see the services, the event log and what was refused.</Empty>
      ) : (
        <System />
      )}
    </>
  );
}

function System(): ReactElement {
  const status = useAsk(['status'], (client, signal) => client.ops.status({ signal }), { everyMs: lookEveryMs });
  const rates = useAsk(['rates'], (client, signal) => client.ops.rates({ signal }), { everyMs: lookEveryMs });
  return (
    <>
      <Answer of={status} what="the state of the installation">
        {(answer) => <Status status={answer} />}
      </Answer>
      <Section title="The last quarter of an hour">
        <Answer of={rates} what="what was counted">
          {(answer) => <Rates rates={answer} />}
        </Answer>
      </Section>
      <Replays />
    </>
  );
}
