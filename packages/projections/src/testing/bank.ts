import { randomUUID } from 'node:crypto';
import type { EventLog, NewEvent, RecordedEvent } from '@agent-trust/event-log';
import type { ProjectedEvent, Projection, ReadModel } from '../projection.ts';
import { loadSchema } from '../schema.ts';
import { column, defineTable } from '../table.ts';

/**
 * A read model that uses every feature of the engine: accounts whose deposits expire (rows by key, rows by range, deletes), an append-only
 * list of movements, which fails visibly if an event is applied twice, and audits, which add up the movements so far.
 */
type Deposited = {
  type: 'Deposited';
  data: { accountId: string; depositId: string; amount: number; at: string; expiresAt: string };
};
type Closed = { type: 'Closed'; data: { accountId: string } };
type Audited = { type: 'Audited'; data: { accountId: string } };
export type BankEvent = ProjectedEvent & (Deposited | Closed | Audited);

export const accounts = defineTable({
  name: 'account',
  columns: {
    accountId: 'text',
    total: 'double precision',
    deposits: 'integer',
    lastPosition: 'bigint',
    lastDepositAt: 'timestamptz',
    labels: 'text[]',
    details: column<{ last: string } | null>('jsonb'),
  },
  key: ['accountId'],
});
export const deposits = defineTable({
  name: 'deposit',
  columns: { accountId: 'text', depositId: 'text', amount: 'double precision', expiresAt: 'timestamptz' },
  key: ['accountId', 'depositId'],
  range: { group: 'accountId', order: 'expiresAt' },
});
export const movements = defineTable({
  name: 'movement',
  columns: { position: 'bigint', accountId: 'text', change: 'double precision' },
  key: ['position'],
  appendOnly: true,
  range: { group: 'accountId', order: 'position' },
});
export const audits = defineTable({
  name: 'audit',
  columns: { accountId: 'text', audits: 'integer', movements: 'integer', sum: 'double precision' },
  key: ['accountId'],
});

const bankProjection: Projection<BankEvent> = {
  name: 'bank',
  schema: new URL('./bank.sql', import.meta.url),
  tables: [accounts, deposits, movements],
  reads: (event, wanted) => {
    wanted.row(accounts, event.data.accountId);
    if (event.type === 'Deposited') wanted.range(deposits, event.data.accountId, new Date(event.data.at));
  },
  apply: (event, rows) => {
    if (event.type === 'Audited') return;
    const { accountId } = event.data;
    const account = rows.get(accounts, accountId);
    if (event.type === 'Closed') {
      rows.delete(accounts, accountId);
      rows.insert(movements, { position: event.position, accountId, change: -(account?.total ?? 0) });
      return;
    }
    const { amount, depositId, at, expiresAt } = event.data;
    let change = amount;
    for (const expired of rows.selectRange(deposits, accountId, new Date(at))) {
      change -= expired.amount;
      rows.delete(deposits, accountId, expired.depositId);
    }
    rows.put(deposits, { accountId, depositId, amount, expiresAt: new Date(expiresAt) });
    rows.put(accounts, {
      accountId,
      total: (account?.total ?? 0) + change,
      deposits: (account?.deposits ?? 0) + 1,
      lastPosition: event.position,
      lastDepositAt: new Date(at),
      labels: [...(account?.labels ?? []).slice(-3), depositId],
      details: amount > 50 ? { last: `"${depositId}" ✓` } : null,
    });
    rows.insert(movements, { position: event.position, accountId, change });
  },
};

const everyPosition = Number.MAX_SAFE_INTEGER;

const auditProjection: Projection<BankEvent> = {
  name: 'audit',
  schema: new URL('./bank-audit.sql', import.meta.url),
  tables: [audits],
  readsFrom: [movements],
  reads: (event, wanted) => {
    if (event.type !== 'Audited') return;
    wanted.row(audits, event.data.accountId);
    wanted.range(movements, event.data.accountId, everyPosition);
  },
  apply: (event, rows) => {
    if (event.type !== 'Audited') return;
    const { accountId } = event.data;
    const found = rows.selectRange(movements, accountId, everyPosition);
    const sum = found.reduce((total, { change }) => total + change, 0);
    const before = rows.get(audits, accountId)?.audits ?? 0;
    rows.put(audits, { accountId, audits: before + 1, movements: found.length, sum });
  },
};

/** The bank's read model. Deposits whose id is `poisoned` fail for as long as the function returns true. */
export async function bankReadModel(
  options: { poisoned?: (depositId: string) => boolean; factor?: number } = {},
): Promise<ReadModel<BankEvent>> {
  return {
    schema: await loadSchema([bankProjection, auditProjection]),
    afterWrites: ['Audited'],
    projections: [
      {
        ...bankProjection,
        apply: (event, rows) => {
          if (event.type === 'Deposited' && options.poisoned?.(event.data.depositId) === true)
            throw new Error('poison');
          bankProjection.apply(event, rows);
        },
      },
      auditProjection,
    ],
    decode: (recorded: RecordedEvent) => {
      if (recorded.type === 'Deposited' && options.factor !== undefined) {
        const data = recorded.data as Deposited['data'];
        return { ...recorded, type: 'Deposited', data: { ...data, amount: data.amount * options.factor } };
      }
      const isKnown = ['Deposited', 'Closed', 'Audited'].includes(recorded.type);
      return isKnown ? (recorded as unknown as BankEvent) : null;
    },
  };
}

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const at = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();

/** The n-th event of a made-up history: few accounts, short-lived deposits, sometimes a closure, two audits or an event of an unknown type. */
export function bankEvent(n: number, accountCount = 7): NewEvent {
  const accountId = `account ${(n * 7919) % accountCount}`;
  const event = { eventId: randomUUID(), metadata: {} };
  if (n % 41 === 40) return { ...event, type: 'Closed', data: { accountId } };
  if (n % 29 === 28) return { ...event, type: 'Unheard', data: { accountId } };
  if (n % 97 >= 95) return { ...event, type: 'Audited', data: { accountId } };
  const data = {
    accountId,
    depositId: `d${n}`,
    amount: (n * 31) % 101,
    at: at(n),
    expiresAt: at(n + ((n * 13) % 60) + 1),
  };
  return { ...event, type: 'Deposited', data };
}

/** Appends `count` events of the history from number `first` on, several in each append; returns the last position. */
export async function appendHistory(
  log: EventLog,
  first: number,
  count: number,
  accountCount?: number,
): Promise<bigint> {
  let position = 0n;
  for (let n = first; n < first + count; n += 500) {
    const events = Array.from({ length: Math.min(500, first + count - n) }, (_, index) =>
      bankEvent(n + index, accountCount),
    );
    ({ position } = await log.append(`bank-${n}`, events, { expectedRevision: 'any' }));
  }
  return position;
}
