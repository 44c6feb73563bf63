// Made from the contracts; change those, then run: pnpm --filter @agent-trust/client types:renew

export interface components {
  schemas: {
    Health: {
      /** @enum {string} */
      status: 'ok' | 'degraded' | 'down';
      database: {
        /** @enum {string} */
        status: 'ok' | 'degraded' | 'down';
        detail?: string;
      };
      event_log: {
        /** @enum {string} */
        status: 'ok' | 'degraded' | 'down';
        detail?: string;
      };
      message_bus: {
        /** @enum {string} */
        status: 'ok' | 'degraded' | 'down';
        detail?: string;
      };
      projection: {
        /** @enum {string} */
        status: 'ok' | 'degraded' | 'down';
        detail?: string;
        position: string | null;
        head_position: string | null;
        lag: number | null;
      };
    };
    /** @description The body of every refusal. */
    Error: {
      /** @description What is wrong: a list of faults with the status 422, else words for a person. */
      detail: string | components['schemas']['ValidationItem'][];
      /**
       * @description Which rule refused the request; what each code means is told in the introduction.
       * @enum {string}
       */
      code:
        | 'malformed_request'
        | 'request_timeout'
        | 'headers_too_large'
        | 'validation_failed'
        | 'malformed_json'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'route_not_found'
        | 'method_not_allowed'
        | 'rate_limited'
        | 'too_many_calls'
        | 'not_implemented'
        | 'credential_required'
        | 'invalid_credential'
        | 'invalid_api_key'
        | 'invalid_admin_key'
        | 'browser_request_refused'
        | 'caller_mismatch'
        | 'not_owner'
        | 'wrong_universe'
        | 'invalid_rotation_credential'
        | 'agent_not_found'
        | 'agent_id_taken'
        | 'org_domain_taken'
        | 'org_fields_forbidden'
        | 'sandbox_key_required'
        | 'contact_required'
        | 'price_schedule_incomplete'
        | 'capability_weights_exceeded'
        | 'invalid_public_key'
        | 'invalid_claim_token'
        | 'contact_email_missing'
        | 'already_paired'
        | 'idempotency_key_reused'
        | 'idempotency_key_in_use'
        | 'invalid_domain'
        | 'domain_not_allowed'
        | 'agent_card_invalid'
        | 'domain_unreachable'
        | 'clone_paired'
        | 'already_in_universe'
        | 'not_a_confirmed_pair'
        | 'org_name_taken'
        | 'sandbox_key_exists'
        | 'sandbox_key_absent'
        | 'no_endpoint'
        | 'invalid_message'
        | 'call_already_made'
        | 'downstream_failed'
        | 'target_unavailable'
        | 'target_busy'
        | 'caller_trust_too_low'
        | 'same_org_domain'
        | 'self_review'
        | 'no_unreviewed_exchange'
        | 'already_reviewed'
        | 'read_model_behind'
        | 'write_conflict'
        | 'overloaded'
        | 'unavailable'
        | 'internal';
      /** @description The X-Request-Id of the answer. */
      request_id: string;
    };
    /** @description One fault of a request and where it is. */
    ValidationItem: {
      /** @description Where the fault is: body, query, path or header, then the way to the field. */
      loc: (string | number)[];
      /** @description What is wrong there, in words for a person. */
      msg: string;
      /** @description The kind of fault in a word. */
      type: string;
    };
    /** @description What anybody may know of an agent, and how far it can be trusted. */
    TrustObject: {
      /** @description Identifies the agent, in both universes; it cannot be changed. */
      agent_id: string;
      /** @description What kind of participant it is: agent. */
      role: string;
      /** @description Whether an organisation or the operator vouches for the agent. */
      verified: boolean;
      /** @description How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
      trust_score: number;
      /** @description The version of the rules that the score was computed by. */
      trust_policy: string;
      /** @description Name of the organisation that the agent belongs to. */
      org_name: string | null;
      /** @description The organisation's domain, in lower case and punycode. */
      org_domain: string | null;
      /** @description What the agent is best at, in free text. */
      specialty: string | null;
      /** @description What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
      capabilities: components['schemas']['WeightedCapability'][];
      /** @description What is worth knowing before dealing with the agent. */
      flags: ('unregistered' | 'unverified' | 'no_transactions' | 'no_endpoint' | 'low_trust' | 'sandbox')[];
      routing: components['schemas']['PublicRouting'];
      /**
       * @description What messages the agent takes: a2a envelopes, mcp (JSON-RPC), or raw JSON of its own.
       * @enum {string}
       */
      message_protocol: 'a2a' | 'mcp' | 'raw';
      /** @description Whether an a2a agent takes the JSON-RPC envelope itself; otherwise it gets the content of the parts. */
      a2a_compliant: boolean;
      /** @description Media types that the agent takes. */
      accepted_content_types: string[];
      /** @description The units that the agent expects in payloads. */
      payload_schema: components['schemas']['PayloadSchema'] | null;
      /** @description How to get credentials of the agent itself, where it wants any. */
      signup_help: string | null;
      /** @description The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
      auth_header_name: string | null;
      /** @description Successful reviews among all reviews received, 0 to 1; null without reviews. */
      success_rate: number | null;
      /** @description Completed exchanges in production that the agent answered. */
      transaction_count: number;
      /** @description When the agent was last changed or took part in an exchange, RFC 3339 in UTC. */
      last_active: string;
      /**
       * @description What to do at this trust_score.
       * @enum {string}
       */
      recommended_action: 'proceed' | 'proceed_with_limits' | 'abort' | 'block';
    };
    /** @description Something that an agent can do, and how much it is what the agent is for. */
    WeightedCapability: {
      /** @description The name in its normal form: lower case, with underscores. */
      name: string;
      /** @description How much this is what the agent is for: 3 its main work, 1 something that it does beside. */
      weight: number;
    };
    /** @description How an agent is dealt with. Where it is reached is not told. */
    PublicRouting: {
      /** @description The protocol that the agent speaks at its endpoint, in its own words. */
      protocol: string | null;
      /** @description The form in which the agent takes terms of business. */
      accepted_terms_format: string | null;
      /** @description How the agent takes payments; known rails are x402, stripe and manual. */
      settlement_rail: string[] | null;
      /** @description HTTP methods that the endpoint takes; the first is what /call sends where it is not told otherwise. */
      http_methods: string[] | null;
      /** @description What tasks cost, in payment_asset. */
      price_schedule: components['schemas']['PriceScheduleEntry'][] | null;
      /** @description The network that payments go over. */
      payment_network: string | null;
      /** @description The address that payments go to. */
      payment_pay_to: string | null;
      /** @description The currency or token that payments are made in. */
      payment_asset: string | null;
      /** @description Address of the pay proxy, where the agent accepts x402. */
      pay_via: string | null;
    };
    /** @description What a task costs. */
    PriceScheduleEntry: {
      /** @description What is done for the price. */
      task: string;
      /** @description What it costs, in units of payment_asset. */
      price: number;
    };
    /** @description The units that the agent expects in payloads. */
    PayloadSchema: {
      /** @description The currency of amounts, such as EUR. */
      currency?: string | null;
      /** @description The form of dates, such as YYYY-MM-DD. */
      date_format?: string | null;
      /** @description The unit of quantities, such as piece. */
      quantity_unit?: string | null;
      /** @description The unit of weights, such as kg. */
      weight_unit?: string | null;
    };
    UnregisteredVerdict: {
      /** @description What is wrong: a list of faults with the status 422, else words for a person. */
      detail: string | components['schemas']['ValidationItem'][];
      /**
       * @description Which rule refused the request; what each code means is told in the introduction.
       * @enum {string}
       */
      code:
        | 'malformed_request'
        | 'request_timeout'
        | 'headers_too_large'
        | 'validation_failed'
        | 'malformed_json'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'route_not_found'
        | 'method_not_allowed'
        | 'rate_limited'
        | 'too_many_calls'
        | 'not_implemented'
        | 'credential_required'
        | 'invalid_credential'
        | 'invalid_api_key'
        | 'invalid_admin_key'
        | 'browser_request_refused'
        | 'caller_mismatch'
        | 'not_owner'
        | 'wrong_universe'
        | 'invalid_rotation_credential'
        | 'agent_not_found'
        | 'agent_id_taken'
        | 'org_domain_taken'
        | 'org_fields_forbidden'
        | 'sandbox_key_required'
        | 'contact_required'
        | 'price_schedule_incomplete'
        | 'capability_weights_exceeded'
        | 'invalid_public_key'
        | 'invalid_claim_token'
        | 'contact_email_missing'
        | 'already_paired'
        | 'idempotency_key_reused'
        | 'idempotency_key_in_use'
        | 'invalid_domain'
        | 'domain_not_allowed'
        | 'agent_card_invalid'
        | 'domain_unreachable'
        | 'clone_paired'
        | 'already_in_universe'
        | 'not_a_confirmed_pair'
        | 'org_name_taken'
        | 'sandbox_key_exists'
        | 'sandbox_key_absent'
        | 'no_endpoint'
        | 'invalid_message'
        | 'call_already_made'
        | 'downstream_failed'
        | 'target_unavailable'
        | 'target_busy'
        | 'caller_trust_too_low'
        | 'same_org_domain'
        | 'self_review'
        | 'no_unreviewed_exchange'
        | 'already_reviewed'
        | 'read_model_behind'
        | 'write_conflict'
        | 'overloaded'
        | 'unavailable'
        | 'internal';
      /** @description The X-Request-Id of the answer. */
      request_id: string;
      agent_id: string;
      /** @constant */
      verified: false;
      /** @constant */
      trust_score: 0;
      flags: ['unregistered'];
      /** @constant */
      recommended_action: 'block';
    };
    MatchRequest: {
      required_capabilities?: string[] | null;
      settlement_rail?: (string | string[]) | null;
      org_name?: string | null;
      message_protocol?: ('a2a' | 'mcp' | 'raw') | null;
      /** @default 50 */
      limit?: number;
    };
    /** @description A trust object with its place in the ranking. */
    MatchResult: {
      /** @description Identifies the agent, in both universes; it cannot be changed. */
      agent_id: string;
      /** @description What kind of participant it is: agent. */
      role: string;
      /** @description Whether an organisation or the operator vouches for the agent. */
      verified: boolean;
      /** @description How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
      trust_score: number;
      /** @description The version of the rules that the score was computed by. */
      trust_policy: string;
      /** @description Name of the organisation that the agent belongs to. */
      org_name: string | null;
      /** @description The organisation's domain, in lower case and punycode. */
      org_domain: string | null;
      /** @description What the agent is best at, in free text. */
      specialty: string | null;
      /** @description What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
      capabilities: components['schemas']['WeightedCapability'][];
      /** @description What is worth knowing before dealing with the agent. */
      flags: ('unregistered' | 'unverified' | 'no_transactions' | 'no_endpoint' | 'low_trust' | 'sandbox')[];
      routing: components['schemas']['PublicRouting'];
      /**
       * @description What messages the agent takes: a2a envelopes, mcp (JSON-RPC), or raw JSON of its own.
       * @enum {string}
       */
      message_protocol: 'a2a' | 'mcp' | 'raw';
      /** @description Whether an a2a agent takes the JSON-RPC envelope itself; otherwise it gets the content of the parts. */
      a2a_compliant: boolean;
      /** @description Media types that the agent takes. */
      accepted_content_types: string[];
      /** @description The units that the agent expects in payloads. */
      payload_schema: components['schemas']['PayloadSchema'] | null;
      /** @description How to get credentials of the agent itself, where it wants any. */
      signup_help: string | null;
      /** @description The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
      auth_header_name: string | null;
      /** @description Successful reviews among all reviews received, 0 to 1; null without reviews. */
      success_rate: number | null;
      /** @description Completed exchanges in production that the agent answered. */
      transaction_count: number;
      /** @description When the agent was last changed or took part in an exchange, RFC 3339 in UTC. */
      last_active: string;
      /**
       * @description What to do at this trust_score.
       * @enum {string}
       */
      recommended_action: 'proceed' | 'proceed_with_limits' | 'abort' | 'block';
      /** @description Rank among the matches, 0 to 1 with four decimals: 0.6 capability, 0.25 trust, 0.1 success, 0.05 experience. */
      match_score: number;
      /** @description One for each required capability that the agent has. */
      match_reasons: components['schemas']['MatchReason'][];
    };
    /** @description Which capability of an agent met a required one, and why. */
    MatchReason: {
      /** @description The name that was asked for, in its normal form. */
      required_capability: string;
      /** @description The capability of the agent that met it. */
      matched_capability: string;
      /** @description The agent's weight of that capability. */
      weight: number;
      /**
       * @description The same name, another name of the same capability, or one that means nearly the same.
       * @enum {string}
       */
      how: 'exact' | 'alias' | 'close';
      /** @description How near the two are, 0 to 1; 1 for exact and alias. */
      similarity: number;
    };
    /** @description A trust object with the ratings that the agent received. */
    AgentProfile: {
      /** @description Identifies the agent, in both universes; it cannot be changed. */
      agent_id: string;
      /** @description What kind of participant it is: agent. */
      role: string;
      /** @description Whether an organisation or the operator vouches for the agent. */
      verified: boolean;
      /** @description How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
      trust_score: number;
      /** @description The version of the rules that the score was computed by. */
      trust_policy: string;
      /** @description Name of the organisation that the agent belongs to. */
      org_name: string | null;
      /** @description The organisation's domain, in lower case and punycode. */
      org_domain: string | null;
      /** @description What the agent is best at, in free text. */
      specialty: string | null;
      /** @description What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
      capabilities: components['schemas']['WeightedCapability'][];
      /** @description What is worth knowing before dealing with the agent. */
      flags: ('unregistered' | 'unverified' | 'no_transactions' | 'no_endpoint' | 'low_trust' | 'sandbox')[];
      routing: components['schemas']['PublicRouting'];
      /**
       * @description What messages the agent takes: a2a envelopes, mcp (JSON-RPC), or raw JSON of its own.
       * @enum {string}
       */
      message_protocol: 'a2a' | 'mcp' | 'raw';
      /** @description Whether an a2a agent takes the JSON-RPC envelope itself; otherwise it gets the content of the parts. */
      a2a_compliant: boolean;
      /** @description Media types that the agent takes. */
      accepted_content_types: string[];
      /** @description The units that the agent expects in payloads. */
      payload_schema: components['schemas']['PayloadSchema'] | null;
      /** @description How to get credentials of the agent itself, where it wants any. */
      signup_help: string | null;
      /** @description The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
      auth_header_name: string | null;
      /** @description Successful reviews among all reviews received, 0 to 1; null without reviews. */
      success_rate: number | null;
      /** @description Completed exchanges in production that the agent answered. */
      transaction_count: number;
      /** @description When the agent was last changed or took part in an exchange, RFC 3339 in UTC. */
      last_active: string;
      /**
       * @description What to do at this trust_score.
       * @enum {string}
       */
      recommended_action: 'proceed' | 'proceed_with_limits' | 'abort' | 'block';
      /** @description How to reach the people behind the agent: an address, a handle or a URL, in free text. */
      contact_info: string | null;
      /** @description When the agent was registered, RFC 3339 in UTC. */
      registered_at: string;
      /** @description When its last exchange ended, RFC 3339 in UTC. */
      last_transaction_at: string | null;
      /** @description The newest 100 ratings, newest first. */
      ratings_received: components['schemas']['RatingRecord'][];
    };
    /** @description What a caller thought of an exchange with the agent. */
    RatingRecord: {
      /** @description The exchange that was rated. */
      transaction_id: string;
      /** @description Who rated it. */
      caller_agent_id: string;
      /** @description The domain of the rater's organisation. */
      caller_org_domain: string | null;
      /** @description Whether the caller got what it asked for. */
      success: boolean;
      /** @description 1, very bad, to 10, excellent. */
      score: number;
      /** @description When it was rated, RFC 3339 in UTC. */
      reviewed_at: string;
    };
    ImportRequest: {
      /**
       * @description A domain, with a port where it has one, or an http or https URL on it; what follows the host is left aside. No user information.
       * @example agents.example.com
       */
      domain_url: string;
    };
    ImportResponse: {
      /** @description Where the card was found. */
      source_url: string;
      preview: components['schemas']['ImportPreview'];
      /** @description Fields of a registration that the card cannot tell, or did not, and that the caller has to fill in. */
      missing_fields: string[];
      /** @description What to do next, step by step, and what of the card was left out and why; for a person to read. */
      note: string;
    };
    ImportPreview: {
      /** @description The card's `provider.organization`. Registering with it takes the organisation's key. */
      org_name: string | null;
      /** @description The card's description. */
      specialty: string | null;
      /**
       * Format: uri
       * @description Where the card says that the agent answers JSON-RPC.
       */
      endpoint_url: string | null;
      /** @description The card's first skills, in their order: one of weight 3, two of weight 2, three of weight 1, by their names in normal form. */
      capabilities: components['schemas']['WeightedCapability'][];
    };
    /** @description An agent as it registers. Unknown fields are ignored. */
    AgentRegistration: {
      /**
       * @description Identifies the agent, in both universes.
       * @example acme-quote-bot
       */
      agent_id: string;
      /** @description Name of the organisation that the agent belongs to. Only with an organisation key, which sets it by itself, or the admin token. */
      org_name?: string | null;
      /** @description The organisation's domain, in lower case and punycode. Only with an organisation key or the admin token. */
      org_domain?: string | null;
      /** @description How to reach the people behind the agent: an address, a handle or a URL, in free text. */
      contact_info?: string | null;
      /** @description Where claim links and questions about the agent go; never shown. */
      contact_email?: string | null;
      /** @description The agent's Ed25519 public key, 32 bytes in unpadded base64url; it takes the place of any earlier one. */
      public_key?: string | null;
      /** @description Where the agent is reached; shown to its owner alone. */
      endpoint_url?: string | null;
      /** @description The protocol that the agent speaks at its endpoint, in its own words. */
      protocol?: string | null;
      /** @description The form in which the agent takes terms of business. */
      accepted_terms_format?: string | null;
      /** @description How the agent takes payments; known rails are x402, stripe and manual. One alone may be a bare string. */
      settlement_rail?: (string | string[]) | null;
      /** @description HTTP methods that the endpoint takes; the first is what /call sends where it is not told otherwise. */
      http_methods?: string[] | null;
      /** @description What the agent is best at, in free text. */
      specialty?: string | null;
      /** @description What tasks cost, in payment_asset. Needs payment_network, payment_pay_to and payment_asset beside it. */
      price_schedule?: components['schemas']['PriceScheduleEntry'][] | null;
      /** @description The network that payments go over. */
      payment_network?: string | null;
      /** @description The address that payments go to. */
      payment_pay_to?: string | null;
      /** @description The currency or token that payments are made in. */
      payment_asset?: string | null;
      /** @description The units that the agent expects in payloads. */
      payload_schema?: components['schemas']['PayloadSchema'] | null;
      /** @description How to get credentials of the agent itself, where it wants any. */
      signup_help?: string | null;
      /** @description The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
      auth_header_name?: string | null;
      /** @description For each name in question: whether the candidate in candidate_matches is meant. */
      capability_confirmations?: {
        [key: string]: boolean;
      } | null;
      /** @description As in the answer 202; another name of its candidates may take the place of the best one. */
      candidate_matches?: {
        [key: string]: string;
      } | null;
      /** @description What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
      capabilities?: (string | components['schemas']['CapabilityInput'])[];
      /**
       * @description What messages the agent takes: a2a envelopes, mcp (JSON-RPC), or raw JSON of its own.
       * @default a2a
       * @enum {string}
       */
      message_protocol?: 'a2a' | 'mcp' | 'raw';
      /**
       * @description Whether an a2a agent takes the JSON-RPC envelope itself; otherwise it gets the content of the parts.
       * @default false
       */
      a2a_compliant?: boolean;
      /**
       * @description Media types that the agent takes.
       * @default [
       *       "text/plain",
       *       "application/json"
       *     ]
       */
      accepted_content_types?: string[];
      /** @description Sandbox key only: a live agent of the same organisation. What the request does not name is copied from it, and the two are paired for ever. */
      clone_from_agent_id?: string | null;
      /** @description Admin credential only: start verified, at 75. */
      verified?: boolean;
    };
    /** @description A capability with its weight. */
    CapabilityInput: {
      /** @description Any writing of the name; it is stored in its normal form. */
      name: string;
      /**
       * @description How much this is what the agent is for: 3 its main work, 1 something that it does beside.
       * @default 1
       */
      weight?: number;
    };
    RegisterResponse: {
      /** @description Identifies the agent, in both universes; it cannot be changed. */
      agent_id: string;
      /** @description What kind of participant it is: agent. */
      role: string;
      /** @description Whether an organisation or the operator vouches for the agent. */
      verified: boolean;
      /** @description How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
      trust_score: number;
      /** @description The version of the rules that the score was computed by. */
      trust_policy: string;
      /** @description Name of the organisation that the agent belongs to. */
      org_name: string | null;
      /** @description The organisation's domain, in lower case and punycode. */
      org_domain: string | null;
      /** @description What the agent is best at, in free text. */
      specialty: string | null;
      /** @description What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
      capabilities: components['schemas']['WeightedCapability'][];
      /** @description What is worth knowing before dealing with the agent. */
      flags: ('unregistered' | 'unverified' | 'no_transactions' | 'no_endpoint' | 'low_trust' | 'sandbox')[];
      routing: components['schemas']['OwnerRouting'];
      /**
       * @description What messages the agent takes: a2a envelopes, mcp (JSON-RPC), or raw JSON of its own.
       * @enum {string}
       */
      message_protocol: 'a2a' | 'mcp' | 'raw';
      /** @description Whether an a2a agent takes the JSON-RPC envelope itself; otherwise it gets the content of the parts. */
      a2a_compliant: boolean;
      /** @description Media types that the agent takes. */
      accepted_content_types: string[];
      /** @description The units that the agent expects in payloads. */
      payload_schema: components['schemas']['PayloadSchema'] | null;
      /** @description How to get credentials of the agent itself, where it wants any. */
      signup_help: string | null;
      /** @description The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
      auth_header_name: string | null;
      /** @description Successful reviews among all reviews received, 0 to 1; null without reviews. */
      success_rate: number | null;
      /** @description Completed exchanges in production that the agent answered. */
      transaction_count: number;
      /** @description When the agent was last changed or took part in an exchange, RFC 3339 in UTC. */
      last_active: string;
      /**
       * @description What to do at this trust_score.
       * @enum {string}
       */
      recommended_action: 'proceed' | 'proceed_with_limits' | 'abort' | 'block';
      /** @description Whether the agent lives in its organisation's sandbox. */
      is_sandbox: boolean;
      /** @description The live agent of a clone, or the clone of a live agent. */
      related_agent_id: string | null;
      /** @constant */
      status: 'registered';
      agent_key: null;
      claim_link: string;
      registered_at: string;
    };
    /** @description How an agent is dealt with, and where it is reached. */
    OwnerRouting: {
      /** @description The protocol that the agent speaks at its endpoint, in its own words. */
      protocol: string | null;
      /** @description The form in which the agent takes terms of business. */
      accepted_terms_format: string | null;
      /** @description How the agent takes payments; known rails are x402, stripe and manual. */
      settlement_rail: string[] | null;
      /** @description HTTP methods that the endpoint takes; the first is what /call sends where it is not told otherwise. */
      http_methods: string[] | null;
      /** @description What tasks cost, in payment_asset. */
      price_schedule: components['schemas']['PriceScheduleEntry'][] | null;
      /** @description The network that payments go over. */
      payment_network: string | null;
      /** @description The address that payments go to. */
      payment_pay_to: string | null;
      /** @description The currency or token that payments are made in. */
      payment_asset: string | null;
      /** @description Address of the pay proxy, where the agent accepts x402. */
      pay_via: string | null;
      /** @description Where the agent is reached; shown to its owner alone. */
      endpoint_url: string | null;
    };
    CapabilityConfirmationRequired: {
      /** @constant */
      status: 'capability_confirmation_required';
      agent_id: string;
      /** @description How to answer. */
      message: string;
      /** @description Each name in question with the canonical name that is closest. */
      candidate_matches: {
        [key: string]: string;
      };
      candidates: {
        [key: string]: components['schemas']['CapabilityCandidate'][];
      };
    };
    CapabilityCandidate: {
      name: string;
      similarity: number;
    };
    /** @description What of an agent is to change: a field that is absent stays as it is. */
    AgentUpdate: {
      /**
       * @description Identifies the agent, in both universes.
       * @example acme-quote-bot
       */
      agent_id: string;
      /** @description Name of the organisation that the agent belongs to. Only with an organisation key, which sets it by itself, or the admin token. */
      org_name?: string | null;
      /** @description The organisation's domain, in lower case and punycode. Only with an organisation key or the admin token. */
      org_domain?: string | null;
      /** @description How to reach the people behind the agent: an address, a handle or a URL, in free text. */
      contact_info?: string | null;
      /** @description Where claim links and questions about the agent go; never shown. */
      contact_email?: string | null;
      /** @description The agent's Ed25519 public key, 32 bytes in unpadded base64url; it takes the place of any earlier one. */
      public_key?: string | null;
      /** @description Where the agent is reached; shown to its owner alone. */
      endpoint_url?: string | null;
      /** @description The protocol that the agent speaks at its endpoint, in its own words. */
      protocol?: string | null;
      /** @description The form in which the agent takes terms of business. */
      accepted_terms_format?: string | null;
      /** @description How the agent takes payments; known rails are x402, stripe and manual. One alone may be a bare string. */
      settlement_rail?: (string | string[]) | null;
      /** @description HTTP methods that the endpoint takes; the first is what /call sends where it is not told otherwise. */
      http_methods?: string[] | null;
      /** @description What the agent is best at, in free text. */
      specialty?: string | null;
      /** @description What tasks cost, in payment_asset. Needs payment_network, payment_pay_to and payment_asset beside it. */
      price_schedule?: components['schemas']['PriceScheduleEntry'][] | null;
      /** @description The network that payments go over. */
      payment_network?: string | null;
      /** @description The address that payments go to. */
      payment_pay_to?: string | null;
      /** @description The currency or token that payments are made in. */
      payment_asset?: string | null;
      /** @description The units that the agent expects in payloads. */
      payload_schema?: components['schemas']['PayloadSchema'] | null;
      /** @description How to get credentials of the agent itself, where it wants any. */
      signup_help?: string | null;
      /** @description The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
      auth_header_name?: string | null;
      /** @description For each name in question: whether the candidate in candidate_matches is meant. */
      capability_confirmations?: {
        [key: string]: boolean;
      } | null;
      /** @description As in the answer 202; another name of its candidates may take the place of the best one. */
      candidate_matches?: {
        [key: string]: string;
      } | null;
      /** @description What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. null is the empty list. */
      capabilities?: (string | components['schemas']['CapabilityInput'])[] | null;
      /** @description What messages the agent takes: a2a envelopes, mcp (JSON-RPC), or raw JSON of its own. null leaves it as it is. */
      message_protocol?: ('a2a' | 'mcp' | 'raw') | null;
      /** @description Whether an a2a agent takes the JSON-RPC envelope itself; otherwise it gets the content of the parts. null leaves it as it is. */
      a2a_compliant?: boolean | null;
      /** @description Media types that the agent takes. */
      accepted_content_types?: string[];
      /** @description Sandbox key only: the live agent that this clone is paired with. Its configuration takes the place of this one, except for the fields named beside. */
      pull_from_agent_id?: string | null;
    };
    RotateResponse: {
      agent_id: string;
      /** @enum {string} */
      status: 'rotated' | 'claim_issued' | 'claim_sent';
      agent_key: string | null;
      claim_link: string | null;
    };
    CallRequest: {
      /**
       * @description Identifies the agent, in both universes.
       * @example acme-quote-bot
       */
      caller_agent_id: string;
      /**
       * @description Identifies the agent, in both universes.
       * @example acme-quote-bot
       */
      agent_id: string;
      message: {
        [key: string]: unknown;
      };
      forwarded_headers?: {
        [key: string]: string;
      } | null;
      method?: ('GET' | 'POST') | null;
    };
    CallResponse: {
      agent_id: string;
      transaction_id: string;
      status_code: number;
      body:
        | {
            [key: string]: unknown;
          }
        | unknown[]
        | string;
      response_headers: {
        [key: string]: string;
      } | null;
      review_reminder: string | null;
      fallback_suggestion: string | null;
      mcp_session_id: string | null;
      next_step: string | null;
      pay_via?: string;
    };
    CallAlreadyMade: {
      /** @description What is wrong: a list of faults with the status 422, else words for a person. */
      detail: string | components['schemas']['ValidationItem'][];
      /**
       * @description Which rule refused the request; what each code means is told in the introduction.
       * @enum {string}
       */
      code:
        | 'malformed_request'
        | 'request_timeout'
        | 'headers_too_large'
        | 'validation_failed'
        | 'malformed_json'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'route_not_found'
        | 'method_not_allowed'
        | 'rate_limited'
        | 'too_many_calls'
        | 'not_implemented'
        | 'credential_required'
        | 'invalid_credential'
        | 'invalid_api_key'
        | 'invalid_admin_key'
        | 'browser_request_refused'
        | 'caller_mismatch'
        | 'not_owner'
        | 'wrong_universe'
        | 'invalid_rotation_credential'
        | 'agent_not_found'
        | 'agent_id_taken'
        | 'org_domain_taken'
        | 'org_fields_forbidden'
        | 'sandbox_key_required'
        | 'contact_required'
        | 'price_schedule_incomplete'
        | 'capability_weights_exceeded'
        | 'invalid_public_key'
        | 'invalid_claim_token'
        | 'contact_email_missing'
        | 'already_paired'
        | 'idempotency_key_reused'
        | 'idempotency_key_in_use'
        | 'invalid_domain'
        | 'domain_not_allowed'
        | 'agent_card_invalid'
        | 'domain_unreachable'
        | 'clone_paired'
        | 'already_in_universe'
        | 'not_a_confirmed_pair'
        | 'org_name_taken'
        | 'sandbox_key_exists'
        | 'sandbox_key_absent'
        | 'no_endpoint'
        | 'invalid_message'
        | 'call_already_made'
        | 'downstream_failed'
        | 'target_unavailable'
        | 'target_busy'
        | 'caller_trust_too_low'
        | 'same_org_domain'
        | 'self_review'
        | 'no_unreviewed_exchange'
        | 'already_reviewed'
        | 'read_model_behind'
        | 'write_conflict'
        | 'overloaded'
        | 'unavailable'
        | 'internal';
      /** @description The X-Request-Id of the answer. */
      request_id: string;
      transaction_id?: string;
      /** @enum {string} */
      outcome?: 'completed' | 'abandoned';
      status_code?: number | null;
      review_reminder?: string;
    };
    FailedCall: {
      /** @description What is wrong: a list of faults with the status 422, else words for a person. */
      detail: string | components['schemas']['ValidationItem'][];
      /**
       * @description Which rule refused the request; what each code means is told in the introduction.
       * @enum {string}
       */
      code:
        | 'malformed_request'
        | 'request_timeout'
        | 'headers_too_large'
        | 'validation_failed'
        | 'malformed_json'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'route_not_found'
        | 'method_not_allowed'
        | 'rate_limited'
        | 'too_many_calls'
        | 'not_implemented'
        | 'credential_required'
        | 'invalid_credential'
        | 'invalid_api_key'
        | 'invalid_admin_key'
        | 'browser_request_refused'
        | 'caller_mismatch'
        | 'not_owner'
        | 'wrong_universe'
        | 'invalid_rotation_credential'
        | 'agent_not_found'
        | 'agent_id_taken'
        | 'org_domain_taken'
        | 'org_fields_forbidden'
        | 'sandbox_key_required'
        | 'contact_required'
        | 'price_schedule_incomplete'
        | 'capability_weights_exceeded'
        | 'invalid_public_key'
        | 'invalid_claim_token'
        | 'contact_email_missing'
        | 'already_paired'
        | 'idempotency_key_reused'
        | 'idempotency_key_in_use'
        | 'invalid_domain'
        | 'domain_not_allowed'
        | 'agent_card_invalid'
        | 'domain_unreachable'
        | 'clone_paired'
        | 'already_in_universe'
        | 'not_a_confirmed_pair'
        | 'org_name_taken'
        | 'sandbox_key_exists'
        | 'sandbox_key_absent'
        | 'no_endpoint'
        | 'invalid_message'
        | 'call_already_made'
        | 'downstream_failed'
        | 'target_unavailable'
        | 'target_busy'
        | 'caller_trust_too_low'
        | 'same_org_domain'
        | 'self_review'
        | 'no_unreviewed_exchange'
        | 'already_reviewed'
        | 'read_model_behind'
        | 'write_conflict'
        | 'overloaded'
        | 'unavailable'
        | 'internal';
      /** @description The X-Request-Id of the answer. */
      request_id: string;
      transaction_id?: string;
      review_reminder?: string;
      fallback_suggestion?: string | null;
    };
    ReviewRequest: {
      transaction_id?: string | null;
      /**
       * @description Identifies the agent, in both universes.
       * @example acme-quote-bot
       */
      caller_agent_id: string;
      /**
       * @description Identifies the agent, in both universes.
       * @example acme-quote-bot
       */
      receiver_agent_id: string;
      success: boolean;
      score: number;
    };
    OrgCreateRequest: {
      org_name: string;
      /** Format: email */
      contact_email: string;
    };
    OrgCreateResponse: {
      api_key: string;
      sandbox_api_key: string;
      org_name: string;
      created_at: string;
    };
    OrgWhoami: {
      org_name: string;
      is_sandbox: boolean;
    };
    /** @description A trust object with what its owner alone may know. */
    OwnerTrustObject: {
      /** @description Identifies the agent, in both universes; it cannot be changed. */
      agent_id: string;
      /** @description What kind of participant it is: agent. */
      role: string;
      /** @description Whether an organisation or the operator vouches for the agent. */
      verified: boolean;
      /** @description How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
      trust_score: number;
      /** @description The version of the rules that the score was computed by. */
      trust_policy: string;
      /** @description Name of the organisation that the agent belongs to. */
      org_name: string | null;
      /** @description The organisation's domain, in lower case and punycode. */
      org_domain: string | null;
      /** @description What the agent is best at, in free text. */
      specialty: string | null;
      /** @description What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
      capabilities: components['schemas']['WeightedCapability'][];
      /** @description What is worth knowing before dealing with the agent. */
      flags: ('unregistered' | 'unverified' | 'no_transactions' | 'no_endpoint' | 'low_trust' | 'sandbox')[];
      routing: components['schemas']['OwnerRouting'];
      /**
       * @description What messages the agent takes: a2a envelopes, mcp (JSON-RPC), or raw JSON of its own.
       * @enum {string}
       */
      message_protocol: 'a2a' | 'mcp' | 'raw';
      /** @description Whether an a2a agent takes the JSON-RPC envelope itself; otherwise it gets the content of the parts. */
      a2a_compliant: boolean;
      /** @description Media types that the agent takes. */
      accepted_content_types: string[];
      /** @description The units that the agent expects in payloads. */
      payload_schema: components['schemas']['PayloadSchema'] | null;
      /** @description How to get credentials of the agent itself, where it wants any. */
      signup_help: string | null;
      /** @description The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
      auth_header_name: string | null;
      /** @description Successful reviews among all reviews received, 0 to 1; null without reviews. */
      success_rate: number | null;
      /** @description Completed exchanges in production that the agent answered. */
      transaction_count: number;
      /** @description When the agent was last changed or took part in an exchange, RFC 3339 in UTC. */
      last_active: string;
      /**
       * @description What to do at this trust_score.
       * @enum {string}
       */
      recommended_action: 'proceed' | 'proceed_with_limits' | 'abort' | 'block';
      /** @description Whether the agent lives in its organisation's sandbox. */
      is_sandbox: boolean;
      /** @description The live agent of a clone, or the clone of a live agent. */
      related_agent_id: string | null;
    };
    OwnerAgentProfile: {
      /** @description Identifies the agent, in both universes; it cannot be changed. */
      agent_id: string;
      /** @description What kind of participant it is: agent. */
      role: string;
      /** @description Whether an organisation or the operator vouches for the agent. */
      verified: boolean;
      /** @description How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
      trust_score: number;
      /** @description The version of the rules that the score was computed by. */
      trust_policy: string;
      /** @description Name of the organisation that the agent belongs to. */
      org_name: string | null;
      /** @description The organisation's domain, in lower case and punycode. */
      org_domain: string | null;
      /** @description What the agent is best at, in free text. */
      specialty: string | null;
      /** @description What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
      capabilities: components['schemas']['WeightedCapability'][];
      /** @description What is worth knowing before dealing with the agent. */
      flags: ('unregistered' | 'unverified' | 'no_transactions' | 'no_endpoint' | 'low_trust' | 'sandbox')[];
      routing: components['schemas']['OwnerRouting'];
      /**
       * @description What messages the agent takes: a2a envelopes, mcp (JSON-RPC), or raw JSON of its own.
       * @enum {string}
       */
      message_protocol: 'a2a' | 'mcp' | 'raw';
      /** @description Whether an a2a agent takes the JSON-RPC envelope itself; otherwise it gets the content of the parts. */
      a2a_compliant: boolean;
      /** @description Media types that the agent takes. */
      accepted_content_types: string[];
      /** @description The units that the agent expects in payloads. */
      payload_schema: components['schemas']['PayloadSchema'] | null;
      /** @description How to get credentials of the agent itself, where it wants any. */
      signup_help: string | null;
      /** @description The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
      auth_header_name: string | null;
      /** @description Successful reviews among all reviews received, 0 to 1; null without reviews. */
      success_rate: number | null;
      /** @description Completed exchanges in production that the agent answered. */
      transaction_count: number;
      /** @description When the agent was last changed or took part in an exchange, RFC 3339 in UTC. */
      last_active: string;
      /**
       * @description What to do at this trust_score.
       * @enum {string}
       */
      recommended_action: 'proceed' | 'proceed_with_limits' | 'abort' | 'block';
      /** @description How to reach the people behind the agent: an address, a handle or a URL, in free text. */
      contact_info: string | null;
      /** @description When the agent was registered, RFC 3339 in UTC. */
      registered_at: string;
      /** @description When its last exchange ended, RFC 3339 in UTC. */
      last_transaction_at: string | null;
      /** @description The newest 100 ratings, newest first. */
      ratings_received: components['schemas']['RatingRecord'][];
      /** @description Whether the agent lives in its organisation's sandbox. */
      is_sandbox: boolean;
      /** @description The live agent of a clone, or the clone of a live agent. */
      related_agent_id: string | null;
    };
    OrgPayment: {
      transaction_id: string;
      receiver_agent_id: string;
      caller_agent_id: string | null;
      /** @description In the currency's units where its decimals are known, else in atomic units. */
      amount: number | null;
      amount_atomic: string | null;
      currency: string | null;
      asset: string | null;
      settlement_rail: string;
      network: string | null;
      payee_address: string | null;
      /** @description On-chain transaction reference. */
      confirmation_ref: string | null;
      block_number: number | null;
      settled_at: string | null;
    };
    OrgSandboxKey: {
      org_name: string;
      sandbox_api_key: string;
      created_at: string;
    };
    OrgSandboxKeyRevoked: {
      org_name: string;
      revoked_at: string;
    };
    OrgKey: {
      org_name: string;
      api_key: string;
      created_at: string;
    };
    MoveAgentRequest: {
      /**
       * @description Identifies the agent, in both universes.
       * @example acme-quote-bot
       */
      agent_id: string;
    };
    MoveAgentResponse: {
      agent_id: string;
      /** @enum {string} */
      moved_to: 'production' | 'sandbox';
      /** @description Whether /match and /registry show the agent to everybody now. */
      discoverable: boolean;
      trust_score: number;
      transaction_count: number;
      moved_at: string;
    };
    PromoteRequest: {
      sandbox_agent_id?: string | null;
      /** @description Another name of sandbox_agent_id. */
      agent_id?: string | null;
      /** @description Default: the live agent that the sandbox agent is paired with. */
      real_agent_id?: string | null;
    };
    PromoteResponse: {
      sandbox_agent_id: string;
      real_agent_id: string;
      fields_copied: string[];
      promoted_at: string;
    };
    PreviewMatchRequest: {
      /**
       * @description Identifies the agent, in both universes.
       * @example acme-quote-bot
       */
      sandbox_agent_id: string;
      /** @description Default: the draft's own capabilities. An empty list asks for none. */
      required_capabilities?: string[] | null;
      settlement_rail?: (string | string[]) | null;
    };
    PreviewMatchResponse: {
      draft_agent_id: string;
      /** @description Place of the draft among all, 1 for the best. */
      draft_rank: number;
      /** @description Number of agents that were ranked, the draft included. */
      total: number;
      /** @description The best 50, best first. The draft is always among them: last when it ranks behind them. */
      results: components['schemas']['PreviewMatchResult'][];
      /** @description What the rank comes from and what would raise it, in a few sentences made from the scores. */
      explanation: string | null;
      disclaimer: string;
    };
    PreviewMatchResult: {
      /** @description Identifies the agent, in both universes; it cannot be changed. */
      agent_id: string;
      /** @description What kind of participant it is: agent. */
      role: string;
      /** @description Whether an organisation or the operator vouches for the agent. */
      verified: boolean;
      /** @description How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
      trust_score: number;
      /** @description The version of the rules that the score was computed by. */
      trust_policy: string;
      /** @description Name of the organisation that the agent belongs to. */
      org_name: string | null;
      /** @description The organisation's domain, in lower case and punycode. */
      org_domain: string | null;
      /** @description What the agent is best at, in free text. */
      specialty: string | null;
      /** @description What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
      capabilities: components['schemas']['WeightedCapability'][];
      /** @description What is worth knowing before dealing with the agent. */
      flags: ('unregistered' | 'unverified' | 'no_transactions' | 'no_endpoint' | 'low_trust' | 'sandbox')[];
      routing: components['schemas']['PublicRouting'];
      /**
       * @description What messages the agent takes: a2a envelopes, mcp (JSON-RPC), or raw JSON of its own.
       * @enum {string}
       */
      message_protocol: 'a2a' | 'mcp' | 'raw';
      /** @description Whether an a2a agent takes the JSON-RPC envelope itself; otherwise it gets the content of the parts. */
      a2a_compliant: boolean;
      /** @description Media types that the agent takes. */
      accepted_content_types: string[];
      /** @description The units that the agent expects in payloads. */
      payload_schema: components['schemas']['PayloadSchema'] | null;
      /** @description How to get credentials of the agent itself, where it wants any. */
      signup_help: string | null;
      /** @description The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
      auth_header_name: string | null;
      /** @description Successful reviews among all reviews received, 0 to 1; null without reviews. */
      success_rate: number | null;
      /** @description Completed exchanges in production that the agent answered. */
      transaction_count: number;
      /** @description When the agent was last changed or took part in an exchange, RFC 3339 in UTC. */
      last_active: string;
      /**
       * @description What to do at this trust_score.
       * @enum {string}
       */
      recommended_action: 'proceed' | 'proceed_with_limits' | 'abort' | 'block';
      /** @description Rank among the matches, 0 to 1 with four decimals: 0.6 capability, 0.25 trust, 0.1 success, 0.05 experience. */
      match_score: number;
      /** @description One for each required capability that the agent has. */
      match_reasons: components['schemas']['MatchReason'][];
      /** @description Whether this is the draft itself. */
      is_draft: boolean;
    };
    Settlement: {
      transaction_id: string;
      receiver_agent_id: string;
      caller_agent_id: string | null;
      /** @description In the currency's units where its decimals are known, else in atomic units. */
      amount: number | null;
      amount_atomic: string | null;
      currency: string | null;
      asset: string | null;
      settlement_rail: string;
      network: string | null;
      payee_address: string | null;
      /** @description On-chain transaction reference. */
      confirmation_ref: string | null;
      block_number: number | null;
      settled_at: string | null;
      org_name: string | null;
      recorded_at: string;
      /** @description The transaction_id of the call in which the payment was asked for or made. */
      call_ref: string | null;
    };
    OpenApiDocument: {
      openapi: string;
    } & {
      [key: string]: unknown;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  health: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The database answers. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Health'];
        };
      };
    };
  };
  verify: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description Identifies the agent, in both universes.
           * @example acme-quote-bot
           */
          agent_id: string;
        };
      };
    };
    responses: {
      /** @description The trust object of the agent. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TrustObject'];
        };
      };
    };
  };
  match: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['MatchRequest'];
      };
    };
    responses: {
      /** @description Matching agents, best first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MatchResult'][];
        };
      };
    };
  };
  listRegistry: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        min_trust_score?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of agents. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TrustObject'][];
        };
      };
    };
  };
  getAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The agent profile. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AgentProfile'];
        };
      };
    };
  };
  importAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ImportRequest'];
      };
    };
    responses: {
      /** @description What the card would become. Nothing was stored. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ImportResponse'];
        };
      };
    };
  };
  registerAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AgentRegistration'];
      };
    };
    responses: {
      /** @description Registered. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegisterResponse'];
        };
      };
      /** @description A question about capabilities; nothing was written. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CapabilityConfirmationRequired'];
        };
      };
    };
  };
  updateAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AgentUpdate'];
      };
    };
    responses: {
      /** @description The trust object of the agent after the update. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TrustObject'];
        };
      };
      /** @description Nothing was written: some capabilities are close to canonical ones, and which is meant must be said. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CapabilityConfirmationRequired'];
        };
      };
    };
  };
  redeemClaim: {
    parameters: {
      query: {
        token: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The new bearer key. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RotateResponse'];
        };
      };
    };
  };
  requestRotation: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description Identifies the agent, in both universes.
           * @example acme-quote-bot
           */
          agent_id: string;
        };
      };
    };
    responses: {
      /** @description The new key, or a claim link for one. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RotateResponse'];
        };
      };
    };
  };
  callAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 10485760 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['CallRequest'];
      };
    };
    responses: {
      /** @description The agent answered; its status is in status_code. With message/stream: server-sent events. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CallResponse'];
          'text/event-stream': string;
        };
      };
    };
  };
  reviewExchange: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['ReviewRequest'];
      };
    };
    responses: {
      /** @description The trust object of the receiver after the review. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TrustObject'];
        };
      };
    };
  };
  payByGet: {
    parameters: {
      query?: {
        /** @description Who pays; counts only together with the key of that agent. */
        caller_agent_id?: string;
        /** @description The transaction_id of a call to this agent; its caller is then the payer. Any other is ignored. */
        call_ref?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The agent's answer, with its own status, which may be any. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': unknown;
          '*/*': string;
        };
      };
    };
  };
  payByPost: {
    parameters: {
      query?: {
        /** @description Who pays; counts only together with the key of that agent. */
        caller_agent_id?: string;
        /** @description The transaction_id of a call to this agent; its caller is then the payer. Any other is ignored. */
        call_ref?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The agent's answer, with its own status, which may be any. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': unknown;
          '*/*': string;
        };
      };
    };
  };
  createOrganisation: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['OrgCreateRequest'];
      };
    };
    responses: {
      /** @description Both keys, shown once. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrgCreateResponse'];
        };
      };
    };
  };
  whoami: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The organisation. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrgWhoami'];
        };
      };
    };
  };
  listOrgAgents: {
    parameters: {
      query?: {
        /** @description Default: all agents. */
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The agents. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OwnerTrustObject'][];
        };
      };
    };
  };
  getOrgAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The owner profile. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OwnerAgentProfile'];
        };
      };
    };
  };
  listOrgPayments: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of payments. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrgPayment'][];
        };
      };
    };
  };
  issueSandboxKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sandbox key, shown once. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrgSandboxKey'];
        };
      };
    };
  };
  revokeSandboxKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sandbox key is revoked. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrgSandboxKeyRevoked'];
        };
      };
    };
  };
  replaceOrgKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The new production key, shown once. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OrgKey'];
        };
      };
    };
  };
  publishAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['MoveAgentRequest'];
      };
    };
    responses: {
      /** @description The agent is in production. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MoveAgentResponse'];
        };
      };
    };
  };
  withdrawAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['MoveAgentRequest'];
      };
    };
    responses: {
      /** @description The agent is in the sandbox. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MoveAgentResponse'];
        };
      };
    };
  };
  promoteAgent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['PromoteRequest'];
      };
    };
    responses: {
      /** @description The live agent has the configuration of its clone. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PromoteResponse'];
        };
      };
    };
  };
  previewMatch: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 1048576 bytes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['PreviewMatchRequest'];
      };
    };
    responses: {
      /** @description The draft among live agents. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PreviewMatchResponse'];
        };
      };
    };
  };
  listSettlements: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        /** @description One organisation's, exact but for case. */
        org_name?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of settlements. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Settlement'][];
        };
      };
    };
  };
  describeInterface: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The OpenAPI document. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenApiDocument'];
        };
      };
    };
  };
}
