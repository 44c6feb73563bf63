import { normaliseOrgName } from '@agent-trust/domain';

export type MatchFilters = {
  settlementRail: readonly string[] | null;
  orgName: string | null;
  messageProtocol: string | null;
};

/** The filters beside the capabilities as conditions on `a` (agent), with their values from parameter `$first` on. An agent must satisfy all. */
export const matchFilterSql = (
  filters: MatchFilters,
  first: number,
): { conditions: string[]; values: unknown[]; name: string } => {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const names: string[] = [];
  const add = (name: string, value: unknown, condition: (parameter: string) => string): void => {
    conditions.push(condition(`$${first + values.length}`));
    values.push(value);
    names.push(name);
  };
  if (filters.settlementRail !== null) add('rail', filters.settlementRail, (p) => `a.settlement_rail && ${p}::text[]`);
  if (filters.orgName !== null) add('org', normaliseOrgName(filters.orgName), (p) => `a.org_name_key = ${p}`);
  if (filters.messageProtocol !== null) add('protocol', filters.messageProtocol, (p) => `a.message_protocol = ${p}`);
  return { conditions, values, name: names.join('-') };
};
