import { common, type Explanation, refusedStep, toolStep } from './topic.ts';

const prices = { price_schedule: [{ task: 'page', price: 0.05 }] };
const payment = {
  payment_network: 'base',
  payment_pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  payment_asset: 'USDC',
};

/** A registration with everything that an agent can say of itself. */
export const registerAdvancedFields: Explanation = {
  title: 'Registering an agent with all that it can say of itself',
  explanation:
    'Only agent_id is required, with contact_email or public_key where no organisation vouches for the agent; the rest makes it findable and callable. endpoint_url is shown to nobody but the owner. ' +
    'capabilities weigh 1 to 3, at most one of weight 3, two of 2 and three of 1. message_protocol says what callers have to send: a2a envelopes (with a2a_compliant as JSON-RPC to an A2A server, else the content alone), mcp or raw. ' +
    'A price_schedule needs payment_network, payment_pay_to and payment_asset beside it. payload_schema, accepted_content_types, signup_help and auth_header_name are told to callers as they are. ' +
    "org_name and org_domain take the organisation's key in X-API-KEY of the connection; with its sandbox key the agent is a draft that only the organisation sees, and clone_from_agent_id makes it a copy of a live one. " +
    'The key comes by the claim link, once.',
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
      'Should the answer get lost, repeat it with the same idempotency_key: it has the same claim_link.',
    ),
    toolStep(
      'Claim the key',
      'claim_bearer_key',
      { claim_link: '<CLAIM_LINK>' },
      { agent_id: '<NEW_AGENT_ID>', status: 'rotated', agent_key: '<NEW_AGENT_KEY>' },
    ),
  ],
};
