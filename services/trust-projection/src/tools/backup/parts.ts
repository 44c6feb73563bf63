import { usageSchema } from '../../usage/usage-store.ts';
import { outboxSchema } from '../../webhooks/outbox/session.ts';

/** Which of the two databases a table is in; they may be one. */
export type Place = 'database' | 'eventLog';
/** Of each table: where it is, and whether a registry that has never been started to its end may lack it. */
export type Part = { readonly schema: string; readonly table: string; readonly place: Place };

/**
 * What cannot be computed from anything else, in the order in which it is copied. Each step has a snapshot of its own, so that a log on another
 * server needs no rule of its own, and the order makes the copy whole:
 *
 * 1. What was signed, sent and used, which must not be ahead of the log: a signed head of events that the log lacks is a forged log to readers.
 * 2. The log.
 * 3. The keys of personal data, which must not be behind the log: a key is stored before the event that it seals, so each event of step 2 has its
 *    key here, unless the key was destroyed meanwhile, and then it must be missing.
 *
 * Read models, the log record and the epochs of leadership are computed or begun anew; the list of past replays is lost.
 */
export const steps: readonly (readonly Part[])[] = [
  [
    ...['signed_head', 'accepted_log', 'signing_key'].map((table) => part('log_signing', table, 'database')),
    ...['organisation_day', 'reporter'].map((table) => part(usageSchema, table, 'database')),
    ...['handed_over', 'hook', 'delivery', 'lane', 'delivered'].map((table) => part(outboxSchema, table, 'database')),
  ],
  [part('event_log', 'events', 'eventLog')],
  [part('personal_data', 'agent_key', 'database')],
];

export const allParts: readonly Part[] = steps.flat();

/** Tables that every registry has from its first start on. */
export const neededParts: readonly string[] = ['event_log.events', 'personal_data.agent_key'];

export function nameOf({ schema, table }: Pick<Part, 'schema' | 'table'>): string {
  return `${schema}.${table}`;
}

export function fileOf(one: Pick<Part, 'schema' | 'table'>): string {
  return `${nameOf(one)}.copy.zst`;
}

function part(schema: string, table: string, place: Place): Part {
  return { schema, table, place };
}
