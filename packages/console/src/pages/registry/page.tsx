import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PageTitle } from '../../shell/page-title.tsx';
import { Section } from '../../ui/section.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Capabilities } from './capabilities.tsx';
import { FilterForm } from './filters.tsx';
import { Listing } from './listing.tsx';
import { NameForm } from './name-form.tsx';
import { NamedExactly } from './named-exactly.tsx';
import { Ranking } from './ranking.tsx';
import { matchRequestOf, offsetOf, type RegistrySearch } from './search.ts';

const route = getRouteApi('/registry');

/** The agents, who fits a task and why, and what can be asked for. */
export function Page(): ReactElement {
  const search = route.useSearch();
  const navigate = useNavigate();
  const go = (next: RegistrySearch): void => void navigate({ to: '/registry', search: next });
  const { view = 'agents', name, text, category } = search;
  const offset = offsetOf(search);
  const request = matchRequestOf(search);
  const agents = (
    <Section title={request === null ? 'Agents' : 'Who fits'}>
      <NameForm name={name} onFind={(found) => go({ name: found })} />
      <FilterForm search={search} onFind={go} />
      {name !== undefined && <NamedExactly name={name} />}
      {request === null ? (
        <Listing name={name} offset={offset} onOffset={(next) => go({ name, offset: String(next) })} />
      ) : (
        <Ranking request={request} />
      )}
    </Section>
  );
  const capabilities = (
    <Section title="Capabilities">
      <Capabilities
        key={text}
        text={text}
        category={category}
        offset={offset}
        onChange={(changed) => go({ view: 'capabilities', text, category, ...changed })}
      />
    </Section>
  );
  return (
    <>
      <PageTitle title="Registry" />
      <Tabs
        label="What the registry has"
        open={view}
        onOpen={(id) => go(id === 'capabilities' ? { view: id } : {})}
        tabs={[
          { id: 'agents', title: 'Agents', content: agents },
          { id: 'capabilities', title: 'Capabilities', content: capabilities },
        ]}
      />
    </>
  );
}
