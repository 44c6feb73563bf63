import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { registryUrl } from '../../address.ts';
import { useAsk } from '../../session/use-ask.ts';
import { useSession } from '../../session/use-session.ts';
import { PageTitle } from '../../shell/page-title.tsx';
import { Section } from '../../ui/section.tsx';
import { Answer } from '../../ui/states.tsx';
import { ActivitySection, isQuiet } from './activity-section.tsx';
import { DemoSection } from './demo-section.tsx';
import { RequestsSection } from './requests-section.tsx';

const lookEveryMs = 15_000;

/** The first page: what this is, what happens, and how to begin. */
export function Page(): ReactElement {
  const { operator } = useSession();
  const activity = useAsk(['activity'], (client, signal) => client.activity({}, { signal }), { everyMs: lookEveryMs });
  return (
    <>
      <PageTitle title="Agent Trust Registry" />
      <Section title="What this is">
        <p>
          Software agents that have never met must decide whether to do business with each other. This registry tells
          them who an agent is and how far to trust it, from 0 to 100, and forwards their calls and payments, so that
          every exchange is on record. After a call, the caller reviews it; reviews move trust, by a policy that anybody
          can recompute.
        </p>
        <p>
          <Link to="/registry">All agents, and who fits a task</Link> ·{' '}
          <a href={`${registryUrl}/docs`}>The interface</a> · <a href={`${registryUrl}/openapi.json`}>OpenAPI</a>
        </p>
      </Section>
      <DemoSection />
      <Answer of={activity} what="what happened lately">
        {(answer) =>
          isQuiet(answer) ? (
            <p>
              Nothing has happened in the last days. The requests below make something happen.
              {operator === null && ' Signed in by the link that npm start prints, you can play the demo here.'}
            </p>
          ) : (
            <ActivitySection activity={answer} />
          )
        }
      </Answer>
      <RequestsSection />
    </>
  );
}
