import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PageTitle } from '../../shell/page-title.tsx';
import { SandboxHint } from '../../shell/sandbox-hint.tsx';
import { Section } from '../../ui/section.tsx';
import { Empty } from '../../ui/states.tsx';
import { EventPanel } from './event-panel.tsx';
import { Filters } from './filters.tsx';
import type { AuditSearch } from './search.ts';
import { Timeline } from './timeline.tsx';
import { ownerFilters, useEventSource } from './use-events.ts';

const route = getRouteApi('/audit');

/** The events of the log, for operators, and of own agents, for organisations. */
export function Page(): ReactElement {
  const search = route.useSearch();
  const navigate = useNavigate();
  const source = useEventSource(search);
  const go = (next: AuditSearch): void => void navigate({ to: '/audit', search: next });
  const { position, ...filters } = search;
  if (source === null)
    return (
      <>
        <PageTitle title="Audit" />
        <Empty>
          Sign in to see events: an operator sees the whole log, an organisation the events of its own agents.
          <SandboxHint />
        </Empty>
      </>
    );
  // Another page of the same events: the timeline stays, and with it the focus.
  const question = JSON.stringify({ ...filters, before: undefined });
  return (
    <>
      <PageTitle title="Audit" />
      <Section title="Events">
        <Filters search={filters} names={source === 'name an agent' ? ownerFilters : source.names} onFind={go} />
        {source === 'name an agent' ? (
          <Empty>Name one of your agents to see its events.</Empty>
        ) : (
          <>
            <Timeline key={`timeline ${question}`} search={search} source={source} />
            {position !== undefined && (
              <EventPanel
                key={position}
                position={position}
                search={search}
                source={source}
                onClose={() => go({ ...search, position: undefined })}
              />
            )}
          </>
        )}
      </Section>
    </>
  );
}
