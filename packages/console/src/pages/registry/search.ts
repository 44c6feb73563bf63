import type { MatchRequest } from '@agent-trust/client';
import { oneOf, textOf } from '../../search.ts';

export const protocols = ['', 'a2a', 'mcp', 'raw'] as const;

/** What the address of this page says after `?`. Without a filter, all agents are listed. */
export type RegistrySearch = {
  view?: 'agents' | 'capabilities' | undefined;
  /** An agent's id, or its beginning. The filters below are of another question. */
  name?: string | undefined;
  /** Names of capabilities, divided by commas. */
  capability?: string | undefined;
  rail?: string | undefined;
  org?: string | undefined;
  protocol?: string | undefined;
  /** Only agents that answer calls. */
  live?: 'yes' | undefined;
  /** How many agents, or capabilities, come before the page. */
  offset?: string | undefined;
  /** Part of a capability's name. */
  text?: string | undefined;
  category?: string | undefined;
};

export function readRegistrySearch(search: Record<string, unknown>): RegistrySearch {
  const name = textOf(search['name']);
  const filters: RegistrySearch = {
    capability: textOf(search['capability']),
    rail: textOf(search['rail']),
    org: textOf(search['org']),
    protocol: oneOf(search['protocol'], protocols) || undefined,
    live: search['live'] === 'yes' ? 'yes' : undefined,
  };
  return {
    view: oneOf(search['view'], ['agents', 'capabilities']) === 'agents' ? undefined : 'capabilities',
    ...(name === undefined ? filters : { name }),
    offset: textOf(search['offset']),
    text: textOf(search['text']),
    category: textOf(search['category']),
  };
}

/** The question that the filters ask; null if there is none. */
export function matchRequestOf({ capability, rail, org, protocol, live }: RegistrySearch): MatchRequest | null {
  const names = (capability ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const request: MatchRequest = {
    ...(names.length === 0 ? {} : { required_capabilities: names }),
    ...(rail === undefined ? {} : { settlement_rail: [rail] }),
    ...(org === undefined ? {} : { org_name: org }),
    ...(protocol === undefined ? {} : { message_protocol: protocol as 'a2a' | 'mcp' | 'raw' }),
    ...(live === undefined ? {} : { live: true }),
  };
  return Object.keys(request).length === 0 ? null : request;
}

/** A whole number from 0 on; 0 for anything else. */
export function offsetOf({ offset }: RegistrySearch): number {
  const number = Number(offset ?? 0);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}
