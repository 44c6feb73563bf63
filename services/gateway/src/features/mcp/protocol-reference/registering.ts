import { actAsAgent, common, type Explanation, refusedStep, toolStep } from './topic.ts';

const prices = { price_schedule: [{ task: 'page', price: 0.05 }] };
const quotePrices = { price_schedule: [{ task: 'quote', price: 0.5 }] };
const payment = {
  payment_network: 'base',
  payment_pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  payment_asset: 'USDC',
};

/** A registration with all fields that an agent can have. */
export const registerAdvancedFields: Explanation = {
  title: 'Registering an agent with all that it can say of itself',
  explanation:
    'Only agent_id is required, with contact_email or public_key where no organisation vouches for the agent; the rest makes it findable and callable. endpoint_url is shown to nobody but the owner. ' +
    'capabilities weigh 1 to 3, at most one of weight 3, two of 2 and three of 1. message_protocol says what callers have to send: a2a envelopes (with a2a_compliant as JSON-RPC to an A2A server, else the content alone), mcp or raw. ' +
    'A price_schedule needs payment_network, payment_pay_to and payment_asset beside it. payload_schema, accepted_content_types, signup_help and auth_header_name are passed to callers as they are. ' +
    "org_name and org_domain take the organisation's key in X-API-KEY of the connection; with its sandbox key the agent is a draft that only the organisation sees, and clone_from_agent_id makes it a copy of a live one. " +
    'The claim link gives the key, once.',
  placeholders: {
    NEW_AGENT_ID: common.NEW_AGENT_ID,
    CONTACT_EMAIL: common.CONTACT_EMAIL,
    ENDPOINT_URL: common.ENDPOINT_URL,
    IDEMPOTENCY_KEY: common.IDEMPOTENCY_KEY,
  },
  steps: [
    refusedStep(
      'Prices without where to pay',
      'register_agent',
      { agent_id: '<NEW_AGENT_ID>', contact_email: '<CONTACT_EMAIL>', ...prices },
      'price_schedule_incomplete',
      'A refusal writes nothing, so the id is still free.',
    ),
    toolStep(
      'Register',
      'register_agent',
      {
        agent_id: '<NEW_AGENT_ID>',
        contact_email: '<CONTACT_EMAIL>',
        contact_info: 'https://agent.example/about',
        specialty: 'Contracts and invoices, German and English',
        capabilities: [{ name: 'machine_translation', weight: 3 }, { name: 'ocr', weight: 2 }, 'text_summarization'],
        endpoint_url: '<ENDPOINT_URL>',
        message_protocol: 'a2a',
        a2a_compliant: false,
        http_methods: ['POST'],
        accepted_content_types: ['text/plain', 'application/json'],
        payload_schema: { currency: 'EUR', date_format: 'YYYY-MM-DD' },
        settlement_rail: ['x402'],
        ...prices,
        ...payment,
        signup_help: 'Ask for a token at https://agent.example/signup',
        auth_header_name: 'X-Agent-Token',
        idempotency_key: '<IDEMPOTENCY_KEY>',
      },
      {
        status: 'registered',
        agent_id: '<NEW_AGENT_ID>',
        verified: false,
        trust_score: 40,
        agent_key: null,
        claim_link: '<CLAIM_LINK>',
        routing: { settlement_rail: ['x402'], payment_network: 'base', payment_asset: 'USDC' },
      },
      'If the answer is lost, repeat the call with the same idempotency_key: the claim_link is the same.',
    ),
    toolStep(
      'Claim the key',
      'claim_bearer_key',
      { claim_link: '<CLAIM_LINK>' },
      { agent_id: '<NEW_AGENT_ID>', status: 'rotated', agent_key: '<NEW_AGENT_KEY>' },
    ),
  ],
};

/** What an update writes, clears and leaves. */
export const updateAdvancedFields: Explanation = {
  title: 'Changing an agent: what is written, cleared and left',
  explanation:
    'Only the fields that are present are written. null clears a field; for message_protocol and a2a_compliant, which have no empty value, it changes nothing. Lists are written whole. ' +
    'price_schedule needs payment_network, payment_pay_to and payment_asset, in the same request or stored before. public_key takes the place of the former key. ' +
    "org_name and org_domain take the organisation's key, even with the agent's own key; both together make an agent without organisation the organisation's. " +
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
        ...quotePrices,
        ...payment,
        payload_schema: { currency: 'EUR', weight_unit: 'kg' },
      },
      {
        agent_id: '<AGENT_ID>',
        specialty: 'Freight quotes within a minute',
        routing: { ...quotePrices, payment_asset: 'USDC' },
        payload_schema: { currency: 'EUR', weight_unit: 'kg' },
      },
    ),
    toolStep(
      'Clear two of them, leave the others',
      'update_agent',
      { agent_id: '<AGENT_ID>', specialty: null, payload_schema: null },
      { agent_id: '<AGENT_ID>', specialty: null, payload_schema: null, routing: quotePrices },
    ),
    refusedStep(
      'Remove a field that the prices need',
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

const unclear = {
  agent_id: '<NEW_AGENT_ID>',
  contact_email: '<CONTACT_EMAIL>',
  capabilities: ['Extract tables from scans'],
};
const candidates = { candidate_matches: { extract_tables_from_scans: '<CANDIDATE>' } };

/** The question about a capability that is close to a known one, and its answer. */
export const capabilityConfirmation: Explanation = {
  title: 'When the registry asks what a capability means',
  explanation:
    'Names of capabilities are normalised (lower case, underscores) and looked up in a taxonomy. A known name or alias is taken at once; a name close to no other becomes a capability of its own. ' +
    'A name that is only close to a known one is asked about: the result has status capability_confirmation_required, and nothing was written. Repeat the same request with candidate_matches as it came and capability_confirmations: ' +
    'true stores the candidate and remembers your name as its alias, false keeps your name as a capability of its own. You may choose any of candidates: put it into candidate_matches. ' +
    'register_agent and update_agent ask in the same way; match_agents never asks, it also searches close names.',
  placeholders: { NEW_AGENT_ID: common.NEW_AGENT_ID, CONTACT_EMAIL: common.CONTACT_EMAIL },
  steps: [
    toolStep(
      'Register with a name that is close to a known one',
      'register_agent',
      unclear,
      { status: 'capability_confirmation_required', agent_id: '<NEW_AGENT_ID>', ...candidates },
      'Answers are remembered: once this very name is confirmed, it is an alias and no longer asked about.',
    ),
    toolStep(
      'Repeat it with the answer',
      'register_agent',
      { ...unclear, ...candidates, capability_confirmations: { extract_tables_from_scans: true } },
      { status: 'registered', agent_id: '<NEW_AGENT_ID>', capabilities: [{ name: '<CANDIDATE>', weight: 1 }] },
    ),
  ],
};
