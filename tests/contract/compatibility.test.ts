/*
 * Bug: a change breaks those who use or run a released version: a route, a field, an error code, an option or an event is gone or means less.
 * Method: what each release offered is kept beside its data (tests/fixtures/releases) and compared with the present code. That each kind of break
 * is found is shown by compatibility-breaks.test.ts.
 */
import { eventDefinitions } from '@agent-trust/contracts';
import { createEventRegistry } from '@agent-trust/event-log';
import { describe, expect, it } from 'vitest';
import { fixtureFiles, fixtureReleases } from '../release-fixture/fixture-files.ts';
import {
  describeCli,
  describeEvents,
  type DescribedCli,
  type DescribedEvents,
  describeOpenApi,
} from '../release-fixture/interface-of.ts';
import { eventsSinceRelease } from '../release-fixture/new-events.ts';
import { readLogOf } from '../release-fixture/read-log.ts';
import { cliBreaks } from '../support/compatibility/cli-breaks.ts';
import { eventBreaks } from '../support/compatibility/event-breaks.ts';
import { type OpenApi, openApiBreaks } from '../support/compatibility/openapi-breaks.ts';

const present = describeOpenApi() as OpenApi;
const presentEvents = describeEvents();
const presentCli = await describeCli();

describe.each(fixtureReleases())('what %s offered still holds', (release) => {
  const files = fixtureFiles(release);

  it('over HTTP', () => {
    expect(openApiBreaks(files.readJson('interface/openapi.json') as OpenApi, present)).toEqual([]);
  });

  it('at the command line', () => {
    expect(cliBreaks(files.readJson('interface/cli.json') as DescribedCli, presentCli)).toEqual([]);
  });

  it('in the schemas of its events', () => {
    expect(eventBreaks(files.readJson('interface/events.json') as DescribedEvents, presentEvents)).toEqual([]);
  });

  it('in each event that it wrote, which decodes without a loss', () => {
    const registry = createEventRegistry(eventDefinitions);
    const events = readLogOf(files);
    expect(events.length).toBeGreaterThan(100);
    for (const event of events) {
      const { type, data } = registry.decodeKnown(event);
      const isCurrent = (event.metadata.schemaVersion ?? 1) === registry.definitions.get(type)?.version;
      expect([type, isCurrent ? data : null]).toEqual([event.type, isCurrent ? event.data : null]);
    }
  });
});

describe('the fixtures', () => {
  it('have every type of event that their release could write', () => {
    for (const release of fixtureReleases()) {
      const files = fixtureFiles(release);
      const written = new Set(readLogOf(files).map(({ type }) => type));
      const offered = Object.keys(files.readJson('interface/events.json') as DescribedEvents);
      expect(offered.filter((type) => !written.has(type))).toEqual([]);
    }
  });

  it('have every type of event, or it is listed as new: `npm run release:fixture` before a release, else new-events.ts', () => {
    const newest = fixtureFiles(fixtureReleases().at(-1) ?? '');
    const known = newest.readJson('interface/events.json') as DescribedEvents;
    const unknown = Object.keys(presentEvents).filter((type) => known[type] === undefined);
    expect(unknown.toSorted()).toEqual(eventsSinceRelease.toSorted());
  });
});
