import { defineTable } from '@agent-trust/projections';
import { unitsOf } from '@agent-trust/x402';
import { agents } from '../agent-directory/table.ts';
import { pick } from '../../../shared/pick.ts';
import type { RegistryProjection } from '../registry-event.ts';
import { universeKey } from '../universe-key.ts';

/** A settlement that an agent received through the registry, in the universe where it was made. */
export const orgPayments = defineTable({
  name: 'org_payment',
  columns: {
    position: 'bigint',
    /** The organisation that the agent belonged to when it was paid; null for a stranger. */
    orgId: 'text?',
    universe: 'text',
    transactionId: 'text',
    receiverAgentId: 'text',
    callerAgentId: 'text?',
    callRef: 'text?',
    amount: 'double precision?',
    amountAtomic: 'text?',
    currency: 'text?',
    asset: 'text?',
    settlementRail: 'text',
    network: 'text?',
    payeeAddress: 'text?',
    confirmationRef: 'text?',
    blockNumber: 'bigint?',
    settledAt: 'timestamptz?',
    recordedAt: 'timestamptz',
  },
  key: ['position'],
  appendOnly: true,
});

/** In the currency's units where its decimals are known, else in atomic units. The exact amount stands beside it. */
const amountOf = (atomic: string | null, decimals: number | null): number | null =>
  atomic === null ? null : Number(unitsOf(atomic, decimals ?? 0));

export const orgPaymentsProjection: RegistryProjection = {
  name: 'org-payments',
  schema: new URL('./schema.sql', import.meta.url),
  tables: [orgPayments],
  readsFrom: [agents],
  reads: (event, wanted) => {
    if (event.type === 'SettlementRecorded') wanted.row(agents, event.data.receiverAgentId);
  },
  apply: (event, rows) => {
    if (event.type !== 'SettlementRecorded') return;
    const { data } = event;
    rows.insert(orgPayments, {
      position: event.position,
      orgId: rows.get(agents, data.receiverAgentId)?.orgId ?? null,
      universe: universeKey(data.universe),
      transactionId: data.settlementId,
      ...pick(
        data,
        'receiverAgentId',
        'callerAgentId',
        'callRef',
        'amountAtomic',
        'currency',
        'asset',
        'settlementRail',
      ),
      ...pick(data, 'network', 'payeeAddress', 'confirmationRef'),
      amount: amountOf(data.amountAtomic, data.decimals),
      blockNumber: data.blockNumber === null ? null : BigInt(data.blockNumber),
      settledAt: new Date(data.settledAt),
      recordedAt: event.recordedAt,
    });
  },
};
