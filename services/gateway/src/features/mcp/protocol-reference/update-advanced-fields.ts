import { actAsAgent, common, type Explanation, refusedStep, toolStep } from './topic.ts';

/** What an update writes, clears and leaves. */
export const updateAdvancedFields: Explanation = {
  title: 'Changing an agent: what is written, cleared and left',
  explanation:
    'Only the fields that are present are written. null clears a field; for message_protocol and a2a_compliant, which have no empty value, it changes nothing. Lists are written whole. ' +
    'price_schedule needs payment_network, payment_pay_to and payment_asset, in the same request or stored before. public_key takes the place of the former key. ' +
    "org_name and org_domain take the organisation's key, even where the agent's own key is there; both together make an agent without organisation the organisation's. " +
    "pull_from_agent_id, with the sandbox key, lets a clone take over the configuration of its live agent. A capability that is close to a known one is asked about, as in capability_confirmation. The answer is the agent's trust object.",
  placeholders: { AGENT_KEY: common.AGENT_KEY, AGENT_ID: common.AGENT_ID },
  steps: [
    actAsAgent,
    toolStep(
      'Write some fields',
      'update_agent',
      {
        agent_id: '<AGENT_ID>',
        specialty: 'Freight quotes within a minute',
        capabilities: [{ name: 'price_quote', weight: 3 }, 'route_planning'],
        price_schedule: [{ task: 'quote', price: 0.5 }],
        payment_network: 'base',
        payment_pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
        payment_asset: 'USDC',
        payload_schema: { currency: 'EUR', weight_unit: 'kg' },
      },
      {
        agent_id: '<AGENT_ID>',
        specialty: 'Freight quotes within a minute',
        routing: { price_schedule: [{ task: 'quote', price: 0.5 }], payment_asset: 'USDC' },
        payload_schema: { currency: 'EUR', weight_unit: 'kg' },
      },
    ),
    toolStep(
      'Clear two of them, leave the others',
      'update_agent',
      { agent_id: '<AGENT_ID>', specialty: null, payload_schema: null },
      {
        agent_id: '<AGENT_ID>',
        specialty: null,
        payload_schema: null,
        routing: { price_schedule: [{ task: 'quote', price: 0.5 }] },
      },
    ),
    refusedStep(
      'Take away what the prices need',
      'update_agent',
      { agent_id: '<AGENT_ID>', payment_asset: null },
      'price_schedule_incomplete',
      'Clear price_schedule in the same request.',
    ),
    refusedStep(
      'Name an organisation without its key',
      'update_agent',
      { agent_id: '<AGENT_ID>', org_name: 'Acme' },
      'org_fields_forbidden',
      'Connect with X-API-KEY: <ORG_KEY>.',
    ),
  ],
};
