import type { Table } from '@agent-trust/projections';
import { mapRows } from '@agent-trust/projections/testing';
import { type ProjectedRegistryEvent } from '../projector/read-models/registry-event.ts';
import { registryReadModel } from '../projector/read-models/registry-read-model.ts';
import type { MadeEvent } from './made-events.ts';

/** The read models of a log in plain maps, without a database. */
export type AppliedRows = {
  apply(made: MadeEvent, recordedAt: Date): void;
  rowsOf<Row extends object>(table: Table<Row>): Row[];
};

export async function appliedRows(): Promise<AppliedRows> {
  const { projections } = await registryReadModel();
  const { rows, tables, beginEvent } = mapRows();
  let position = 0n;
  return {
    apply: ({ stream, event, actor }, recordedAt) => {
      position += 1n;
      beginEvent();
      const eventId = `event ${position}`;
      const projected = { ...event, eventId, stream, revision: 0n, position, recordedAt, actor: actor ?? null };
      for (const projection of projections) projection.apply(projected as ProjectedRegistryEvent, rows);
    },
    rowsOf: (table) => [...(tables.get(table)?.values() ?? [])] as never,
  };
}
