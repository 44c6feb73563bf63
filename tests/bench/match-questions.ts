import { marketOrgName, popularCapabilities, rareCapability } from '../support/market.ts';

/** A query as the body of POST /match. */
export type MatchQuestion = {
  required_capabilities?: readonly string[];
  settlement_rail?: readonly string[];
  org_name?: string;
  message_protocol?: string;
  limit?: number;
};

export const marketPrefix = 'market';
const [popular, ...alsoPopular] = popularCapabilities;

/** The queries of the benchmark, with their names in the report. A tenth of all agents hold each of the popular capabilities. */
export const matchQuestions: Readonly<Record<string, MatchQuestion>> = {
  'one popular capability': { required_capabilities: [popular] },
  'the same, limit 5': { required_capabilities: [popular], limit: 5 },
  'one usual capability': { required_capabilities: ['trade_120'] },
  'one rare capability': { required_capabilities: [rareCapability] },
  'three popular capabilities': { required_capabilities: [popular, ...alsoPopular] },
  'a popular, a usual and a rare one': { required_capabilities: [popular, 'trade_120', rareCapability] },
  'popular, by settlement rail': { required_capabilities: [popular], settlement_rail: ['manual'] },
  'popular, by protocol': { required_capabilities: [popular], message_protocol: 'raw' },
  'popular, by organisation': { required_capabilities: [popular], org_name: marketOrgName(marketPrefix, 3) },
  'settlement rail alone': { settlement_rail: ['stripe'] },
  'protocol alone': { message_protocol: 'raw' },
  'organisation alone': { org_name: marketOrgName(marketPrefix, 3) },
  'rail and protocol, limit 5': { settlement_rail: ['manual'], message_protocol: 'raw', limit: 5 },
};
