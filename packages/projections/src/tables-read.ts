import type { ProjectedEvent, Projection, Wanted } from './projection.ts';
import type { AnyTable } from './table.ts';

/** A projection that is asked which rows it needs, and what takes its wants. */
export type Asked<Event extends ProjectedEvent> = { name: string; projection: Projection<Event>; wanted: Wanted };

/** The tables that a projection may want rows of: its own, and those of others that it names. */
export function tablesReadBy<Event extends ProjectedEvent>({
  tables,
  readsFrom = [],
}: Projection<Event>): readonly AnyTable[] {
  return [...tables, ...readsFrom];
}

/** Passes on what a projection wants. It throws when that is of a table that the projection does not name. */
export function askFor<Event extends ProjectedEvent>(projection: Projection<Event>, wanted: Wanted): Asked<Event> {
  const { name } = projection;
  const read = tablesReadBy(projection);
  const mustBeNamed = (table: AnyTable): void => {
    if (!read.includes(table)) throw new Error(`${name} does not say that it reads ${table.name}`);
  };
  return {
    name,
    projection,
    wanted: {
      row: (table, ...key) => {
        mustBeNamed(table);
        wanted.row(table, ...key);
      },
      range: (table, group, upTo) => {
        mustBeNamed(table);
        wanted.range(table, group, upTo);
      },
    },
  };
}
