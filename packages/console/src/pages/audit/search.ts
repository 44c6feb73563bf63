import type { EventsQuery, LogQuery } from '@agent-trust/client';
import { textOf } from '../../search.ts';

/** The filters of the audit page, in the order of its form. */
export const filters = [
  { name: 'type', label: 'Kinds', hint: 'AgentRegistered, KeyRotated, …; several are divided by commas' },
  { name: 'agent_id', label: 'Agent', hint: 'its id' },
  { name: 'org', label: 'Organisation', hint: 'its id or name' },
  { name: 'operator', label: 'Operator', hint: 'who caused it' },
  { name: 'credential', label: 'Credential', hint: 'agent_key, or the id of a named key' },
  { name: 'correlation_id', label: 'Request', hint: 'its X-Request-Id' },
  { name: 'transaction_id', label: 'Call', hint: 'its transaction id' },
  { name: 'from', label: 'From', hint: '2026-01-15T00:00:00Z' },
  { name: 'to', label: 'Before', hint: '2026-01-16T00:00:00Z' },
  { name: 'before', label: 'Before position', hint: 'of the log' },
] as const;

export type FilterName = (typeof filters)[number]['name'];

/** What the address of this page says after `?`. */
export type AuditSearch = { [Name in FilterName]?: string | undefined } & {
  /** An event that is opened. */
  position?: string | undefined;
};

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const named = Object.fromEntries(filters.map(({ name }) => [name, textOf(search[name])]));
  return {
    ...named,
    type: kindsOf(named['type']),
    before: positionOf(search['before']),
    position: positionOf(search['position']),
  };
}

/** Kinds as the registry takes them: a comma between two of them, and no space. */
const kindsOf = (text: string | undefined): string | undefined =>
  text
    ?.split(',')
    .map((kind) => kind.trim())
    .filter((kind) => kind !== '')
    .join(',') || undefined;

const positionOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && /^\d{1,20}$/u.test(text) ? text : undefined;
};

/** The filters that are set; those of the whole log only for an operator. */
export function queryOf(search: AuditSearch, isOperator: boolean): LogQuery & EventsQuery {
  const operators: readonly FilterName[] = ['agent_id', 'org', 'operator'];
  const set = filters.flatMap(({ name }) =>
    search[name] === undefined || (!isOperator && operators.includes(name)) ? [] : [[name, search[name]] as const],
  );
  return Object.fromEntries(set);
}
