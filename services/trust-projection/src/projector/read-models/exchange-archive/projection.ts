import { hash } from 'node:crypto';
import { type ArchivedExchange, unpackExchanges } from '@agent-trust/log-archive';
import { defineTable, type RowOf } from '@agent-trust/projections';
import type { ProjectedRegistryEvent, RegistryProjection } from '../registry-event.ts';

/** Ids of exchanges that have left the log or the table of exchanges: 64 bits of each id's SHA-256, a quarter of what the id would take. */
export const archivedExchanges = defineTable({
  name: 'archived_exchange',
  columns: { idHash: 'bigint' },
  key: ['idHash'],
});

/** How much was archived, in one row. */
export const exchangeArchive = defineTable({
  name: 'exchange_archive',
  columns: {
    onlyRow: 'integer',
    segments: 'integer',
    exchanges: 'bigint',
    lastPosition: 'bigint',
    endedTo: 'timestamptz',
  },
  key: ['onlyRow'],
});
export type ExchangeArchiveRow = RowOf<typeof exchangeArchive>;

const onlyRow = 1;

export function idHashOf(transactionId: string): bigint {
  return hash('sha256', transactionId, 'buffer').readBigInt64BE();
}

type ArchivedEvent = Extract<ProjectedRegistryEvent, { type: 'ExchangesArchived' }>;

/** Lists that were unpacked: several projections read the one of an event. */
const unpacked = new WeakMap<ArchivedEvent['data'], readonly ArchivedExchange[]>();

/** The exchanges that an event archives; none for any other event. */
export function exchangesArchivedBy(event: ProjectedRegistryEvent): readonly ArchivedExchange[] {
  if (event.type !== 'ExchangesArchived') return [];
  const known = unpacked.get(event.data);
  if (known !== undefined) return known;
  const exchanges = unpackExchanges(event.data);
  unpacked.set(event.data, exchanges);
  return exchanges;
}

export const exchangeArchiveProjection: RegistryProjection = {
  name: 'exchange-archive',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [archivedExchanges, exchangeArchive],
  reads: (event, wanted) => {
    if (event.type === 'ExchangesArchived') wanted.row(exchangeArchive, onlyRow);
  },
  apply: (event, rows) => {
    if (event.type !== 'ExchangesArchived') return;
    for (const { transactionId } of exchangesArchivedBy(event))
      rows.put(archivedExchanges, { idHash: idHashOf(transactionId) });
    const before = rows.get(exchangeArchive, onlyRow);
    const { exchangeCount, lastPosition, endedTo } = event.data;
    rows.put(exchangeArchive, {
      onlyRow,
      segments: (before?.segments ?? 0) + 1,
      exchanges: (before?.exchanges ?? 0n) + BigInt(exchangeCount),
      lastPosition: BigInt(lastPosition),
      endedTo: new Date(endedTo),
    });
  },
};
