import type { z } from 'zod';
import { onWire, snakeCase, toWire } from '../wire-form.ts';
import { loggedEvent, type OwnedAgentEvent, ownedAgentEvent } from './rpc.ts';

export const loggedEventWire = onWire(loggedEvent).meta({
  id: 'LoggedEvent',
  description: 'An event as the log holds it, for its operators.',
});
export const ownedAgentEventWire = onWire(ownedAgentEvent).meta({
  id: 'AgentEvent',
  description: 'Something that happened to an agent, as its owner sees it.',
});

/** The names in the data of an event are all ours, at any depth. */
const snakeCased = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snakeCase(name), snakeCased(inner)]));
};

export function ownedAgentEventToWire(event: OwnedAgentEvent): z.infer<typeof ownedAgentEventWire> {
  return { ...toWire(ownedAgentEvent, event), data: snakeCased(event.data) as Record<string, unknown> };
}

/** The last line of an export, which says that it is complete: an export without this line broke off. */
export type ExportEnd = { end_of_export: { events: number; up_to_position: string | null } };
