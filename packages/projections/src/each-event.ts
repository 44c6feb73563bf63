import type { ProjectedEvent, Projection, Wanted } from './projection.ts';
import type { AnyTable } from './table.ts';

/** An event that a projection could not apply. The log cannot be changed, so only new code gets past it. */
export class PoisonEventError extends Error {
  readonly event: { position: bigint; eventId: string; type: string };
  readonly projection: string;

  constructor(event: PoisonEventError['event'], projection: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${projection} cannot apply ${event.type} at position ${event.position}: ${reason}`, { cause });
    this.name = 'PoisonEventError';
    this.event = { position: event.position, eventId: event.eventId, type: event.type };
    this.projection = projection;
  }
}

/** Calls `visit` for each event in order and, for each event, for each projection in order. @throws PoisonEventError */
export function forEachEvent<Event extends ProjectedEvent, Named extends { name: string }>(
  events: readonly Event[],
  projections: readonly Named[],
  visit: (projection: Named, event: Event) => void,
): void {
  for (const event of events) {
    let name = '';
    try {
      for (const projection of projections) {
        name = projection.name;
        visit(projection, event);
      }
    } catch (cause) {
      throw new PoisonEventError(event, name, cause);
    }
  }
}

/** A projection, and the collector of the rows that it wants. */
export type Asked<Event extends ProjectedEvent> = { name: string; projection: Projection<Event>; wanted: Wanted };

/** The tables that a projection may want rows of: its own, and those of others that it names. */
export function tablesReadBy<Event extends ProjectedEvent>({
  tables,
  readsFrom = [],
}: Projection<Event>): readonly AnyTable[] {
  return [...tables, ...readsFrom];
}

/** The collector for a projection; it throws for a table that the projection does not name. */
export function askFor<Event extends ProjectedEvent>(projection: Projection<Event>, wanted: Wanted): Asked<Event> {
  const { name } = projection;
  const read = tablesReadBy(projection);
  const ensureNamed = (table: AnyTable): void => {
    if (!read.includes(table)) throw new Error(`${name} does not say that it reads ${table.name}`);
  };
  return {
    name,
    projection,
    wanted: {
      row: (table, ...key) => {
        ensureNamed(table);
        wanted.row(table, ...key);
      },
      range: (table, group, upTo) => {
        ensureNamed(table);
        wanted.range(table, group, upTo);
      },
    },
  };
}
