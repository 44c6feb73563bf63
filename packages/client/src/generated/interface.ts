// Made from the contracts; change those, then run: pnpm --filter @agent-trust/client types:renew

export interface components {
    schemas: {
        /** State of the service and of each part that it depends on. */
        Health: {
            /**
             * ok while the database answers.
             * @enum {string}
             */
            status: "ok" | "degraded" | "down";
            database: components["schemas"]["PartStatus"];
            event_log: components["schemas"]["PartStatus"];
            message_bus: components["schemas"]["PartStatus"];
            /** What the bus remembers: answers to requests with a key, nonces of signatures, rate limits. */
            jetstream: components["schemas"]["PartStatus"];
            /** Whether anything carries out commands. */
            registry_write: components["schemas"]["PartStatus"];
            projection: components["schemas"]["ProjectionStatus"];
            log_record?: components["schemas"]["LogRecordStatus"];
        };
        /** State of one part. */
        PartStatus: {
            /**
             * Its state.
             * @enum {string}
             */
            status: "ok" | "degraded" | "down";
            /** The fault. */
            detail?: string;
        };
        /** State of what readers see. */
        ProjectionStatus: {
            /**
             * Its state.
             * @enum {string}
             */
            status: "ok" | "degraded" | "down";
            /** The fault. */
            detail?: string;
            /** How far it has read the event log. */
            position: string | null;
            /** How far the event log goes. */
            head_position: string | null;
            /** Events between the two if they can be counted cheaply, else the distance in positions. */
            lag: number | null;
        };
        /** State of the index over the log. */
        LogRecordStatus: {
            /**
             * Its state.
             * @enum {string}
             */
            status: "ok" | "degraded" | "down";
            /** The fault. */
            detail?: string;
            /** How far it has read the event log. */
            position: string | null;
            /** How far the event log goes. */
            head_position: string | null;
            /** Events between the two if they can be counted cheaply, else the distance in positions. */
            lag: number | null;
        };
        /** The body of every refusal. */
        Error: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
        };
        /** One fault of a request and where it is. */
        ValidationItem: {
            /** Where the fault is: body, query, path or header, then the way to the field. */
            loc: (string | number)[];
            /** What is wrong there, in words for a person. */
            msg: string;
            /** The kind of fault in a word. */
            type: string;
        };
        /** The agent to check. */
        VerifyRequest: {
            /**
             * Identifies the agent, in both universes.
             * @example acme-quote-bot
             */
            agent_id: string;
        };
        /** A trust object with the registry's signature, if it was requested. */
        VerifiedTrustObject: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** The kind of participant: agent. */
            role: string;
            /** Whether an organisation or the operator vouches for the agent. */
            verified: boolean;
            /** How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
            trust_score: number;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            /**
             * How sure the score is, beside it and no part of it; null where suspended or retired agents are shown with 0.
             * @default null
             */
            confidence: components["schemas"]["TrustConfidence"] | null;
            /**
             * The organisation that the agent belongs to; null without one.
             * @default null
             */
            org_id: string | null;
            /** Name of the organisation that the agent belongs to. */
            org_name: string | null;
            /** The organisation's domain, in lower case and punycode. */
            org_domain: string | null;
            /** Whether the organisation has proved that the org_domain is its own; without that it is taken at its word. */
            domain_verified: boolean;
            /** What the agent is best at, in free text. */
            specialty: string | null;
            /** What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
            capabilities: components["schemas"]["WeightedCapability"][];
            /** What to know before dealing with the agent. */
            flags: ("unregistered" | "unverified" | "no_transactions" | "no_endpoint" | "low_trust" | "domain_proof_lapsed" | "sandbox" | "suspended" | "retired")[];
            routing: components["schemas"]["PublicRouting"];
            /**
             * The messages that the agent accepts: a2a envelopes, mcp (JSON-RPC), or raw JSON.
             * @enum {string}
             */
            message_protocol: "a2a" | "mcp" | "raw";
            /** Whether an a2a agent accepts the JSON-RPC envelope; otherwise it receives the content of the parts. */
            a2a_compliant: boolean;
            /** Media types that the agent accepts. */
            accepted_content_types: string[];
            /** The units that the agent expects in payloads. */
            payload_schema: components["schemas"]["PayloadSchema"] | null;
            /** How to get the agent's own credentials, if it requires any. */
            signup_help: string | null;
            /** The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
            auth_header_name: string | null;
            /** Successful reviews among all reviews received, 0 to 1; null without reviews. */
            success_rate: number | null;
            /** Completed exchanges in production that the agent answered. */
            transaction_count: number;
            /** When the agent was last active: a call, an answer or a change of its record. RFC 3339 in UTC. */
            last_active: string;
            /** How it answers calls through the registry, beside the score and no part of it; null before the first. */
            liveness: components["schemas"]["Liveness"] | null;
            /**
             * What to do at this trust_score.
             * @enum {string}
             */
            recommended_action: "proceed" | "proceed_with_limits" | "abort" | "block";
            /** Only with signed=true: a compact JWS (EdDSA, by the key of /log/key) over agent_id, universe, trust_score, trust_policy, recommended_action, position, iat and log {origin, size, root}. */
            signed_verdict?: string;
        };
        /** How much evidence a score has. It never changes the score. */
        TrustConfidence: {
            /** Weight of all reviews after the caps, in reviews of full weight. */
            evidence_weight: number;
            /** How many roots speak. */
            roots: number;
            /** Between these scores lie about nine of ten agents with such evidence: the lower and the upper bound. */
            interval: number[];
        };
        /** Something that an agent can do, and how central it is for the agent. */
        WeightedCapability: {
            /** The name in its normal form: lower case, with underscores. */
            name: string;
            /** How central it is for the agent: 3 its main work, 1 a side activity. */
            weight: number;
        };
        /** How to deal with an agent; its address is not disclosed. */
        PublicRouting: {
            /** The protocol of the endpoint, as free text. */
            protocol: string | null;
            /** The format in which the agent accepts terms of business. */
            accepted_terms_format: string | null;
            /** How the agent accepts payments; known rails are x402, stripe and manual. */
            settlement_rail: string[] | null;
            /** HTTP methods that the endpoint accepts; the first is the default of /call. */
            http_methods: string[] | null;
            /** What tasks cost, in payment_asset. */
            price_schedule: components["schemas"]["PriceScheduleEntry"][] | null;
            /** The network that payments go over. */
            payment_network: string | null;
            /** The address that payments go to. */
            payment_pay_to: string | null;
            /** The currency or token that payments are made in. */
            payment_asset: string | null;
            /** Address of the pay proxy, if the agent accepts x402. */
            pay_via: string | null;
        };
        /** What a task costs. */
        PriceScheduleEntry: {
            /** What is done for the price. */
            task: string;
            /** What it costs, in units of payment_asset. */
            price: number;
        };
        /** The units that the agent expects in payloads. */
        PayloadSchema: {
            /** The currency of amounts, such as EUR. */
            currency?: string | null;
            /** The form of dates, such as YYYY-MM-DD. */
            date_format?: string | null;
            /** The unit of quantities, such as piece. */
            quantity_unit?: string | null;
            /** The unit of weights, such as kg. */
            weight_unit?: string | null;
        };
        /** How the agent answered the last 100 calls in production that began at most 30 days before the newest of them. Calls that the caller gave up are left out. */
        Liveness: {
            /** Whether it answers: success_rate is at least 0.5, and the newest 3 exchanges did not all fail. */
            live: boolean;
            /** When the last of its answers was complete; null if it answered none of them, RFC 3339 in UTC. */
            last_answered_at: string | null;
            /** Share of the exchanges that it answered, with whatever status, 0 to 1. */
            success_rate: number;
            /** Half of the answers took at most so many milliseconds; a stream until its end. Null without answers. */
            p50_answer_ms: number | null;
            /** Nineteen of twenty answers took at most so many milliseconds. Null without answers. */
            p95_answer_ms: number | null;
            /** Share of the exchanges that were given up because the agent took too long. */
            timeout_share: number;
            /** Number of different organisations whose agents called; callers without one are not counted. */
            caller_organisations: number;
            /** From how many exchanges this is computed. */
            exchanges: number;
        };
        /** A refusal that may name the limit of an organisation. */
        QuotaRefusal: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
            /**
             * Of what the organisation has made as many requests as it may.
             * @enum {string}
             */
            quota?: "calls" | "registrations" | "reads";
            /** How many it may make in a UTC day. */
            limit?: number;
            /** How many it has made, with those that are set aside for other gateways. */
            used?: number;
            /** When the next UTC day begins, RFC 3339. */
            resets_at?: string;
        };
        /** An error and a verdict in one: the agent is not registered. */
        UnregisteredVerdict: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
            /** The agent_id of the request. */
            agent_id: string;
            /**
             * Whether an organisation or the operator vouches for the agent.
             * @constant
             */
            verified: false;
            /**
             * Nothing is known about it.
             * @constant
             */
            trust_score: 0;
            /** What to know before dealing with the agent. */
            flags: [
                "unregistered"
            ];
            /**
             * What to do at this trust_score.
             * @constant
             */
            recommended_action: "block";
        };
        /** The agents to check. */
        VerifyBatchRequest: {
            /** The agents to check. */
            agent_ids: string[];
        };
        /** What anybody may know of an agent, and how far it can be trusted. */
        TrustObject: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** The kind of participant: agent. */
            role: string;
            /** Whether an organisation or the operator vouches for the agent. */
            verified: boolean;
            /** How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
            trust_score: number;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            /**
             * How sure the score is, beside it and no part of it; null where suspended or retired agents are shown with 0.
             * @default null
             */
            confidence: components["schemas"]["TrustConfidence"] | null;
            /**
             * The organisation that the agent belongs to; null without one.
             * @default null
             */
            org_id: string | null;
            /** Name of the organisation that the agent belongs to. */
            org_name: string | null;
            /** The organisation's domain, in lower case and punycode. */
            org_domain: string | null;
            /** Whether the organisation has proved that the org_domain is its own; without that it is taken at its word. */
            domain_verified: boolean;
            /** What the agent is best at, in free text. */
            specialty: string | null;
            /** What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
            capabilities: components["schemas"]["WeightedCapability"][];
            /** What to know before dealing with the agent. */
            flags: ("unregistered" | "unverified" | "no_transactions" | "no_endpoint" | "low_trust" | "domain_proof_lapsed" | "sandbox" | "suspended" | "retired")[];
            routing: components["schemas"]["PublicRouting"];
            /**
             * The messages that the agent accepts: a2a envelopes, mcp (JSON-RPC), or raw JSON.
             * @enum {string}
             */
            message_protocol: "a2a" | "mcp" | "raw";
            /** Whether an a2a agent accepts the JSON-RPC envelope; otherwise it receives the content of the parts. */
            a2a_compliant: boolean;
            /** Media types that the agent accepts. */
            accepted_content_types: string[];
            /** The units that the agent expects in payloads. */
            payload_schema: components["schemas"]["PayloadSchema"] | null;
            /** How to get the agent's own credentials, if it requires any. */
            signup_help: string | null;
            /** The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
            auth_header_name: string | null;
            /** Successful reviews among all reviews received, 0 to 1; null without reviews. */
            success_rate: number | null;
            /** Completed exchanges in production that the agent answered. */
            transaction_count: number;
            /** When the agent was last active: a call, an answer or a change of its record. RFC 3339 in UTC. */
            last_active: string;
            /** How it answers calls through the registry, beside the score and no part of it; null before the first. */
            liveness: components["schemas"]["Liveness"] | null;
            /**
             * What to do at this trust_score.
             * @enum {string}
             */
            recommended_action: "proceed" | "proceed_with_limits" | "abort" | "block";
        };
        /** The verdict on an agent_id that is not registered. */
        UnregisteredAgent: {
            /** The agent_id of the request. */
            agent_id: string;
            /**
             * Whether an organisation or the operator vouches for the agent.
             * @constant
             */
            verified: false;
            /**
             * Nothing is known about it.
             * @constant
             */
            trust_score: 0;
            /** What to know before dealing with the agent. */
            flags: [
                "unregistered"
            ];
            /**
             * What to do at this trust_score.
             * @constant
             */
            recommended_action: "block";
        };
        /** What to look for: at least one filter. */
        MatchRequest: {
            /** The agent must have at least one of these; any spelling of the names. */
            required_capabilities?: string[] | null;
            /** The agent must accept one of these rails. A single rail may be a bare string. */
            settlement_rail?: (string | string[]) | null;
            /** The name of the agent's organisation, exact but for case. */
            org_name?: string | null;
            /** The messages that the agent must accept. */
            message_protocol?: ("a2a" | "mcp" | "raw") | null;
            /** true: only agents that answer calls, as `live` of their liveness has it. false is no filter. */
            live?: boolean | null;
            /**
             * At most this many agents, the best ones.
             * @default 50
             */
            limit?: number;
        };
        /** A trust object with its place in the ranking. */
        MatchResult: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** The kind of participant: agent. */
            role: string;
            /** Whether an organisation or the operator vouches for the agent. */
            verified: boolean;
            /** How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
            trust_score: number;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            /**
             * How sure the score is, beside it and no part of it; null where suspended or retired agents are shown with 0.
             * @default null
             */
            confidence: components["schemas"]["TrustConfidence"] | null;
            /**
             * The organisation that the agent belongs to; null without one.
             * @default null
             */
            org_id: string | null;
            /** Name of the organisation that the agent belongs to. */
            org_name: string | null;
            /** The organisation's domain, in lower case and punycode. */
            org_domain: string | null;
            /** Whether the organisation has proved that the org_domain is its own; without that it is taken at its word. */
            domain_verified: boolean;
            /** What the agent is best at, in free text. */
            specialty: string | null;
            /** What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
            capabilities: components["schemas"]["WeightedCapability"][];
            /** What to know before dealing with the agent. */
            flags: ("unregistered" | "unverified" | "no_transactions" | "no_endpoint" | "low_trust" | "domain_proof_lapsed" | "sandbox" | "suspended" | "retired")[];
            routing: components["schemas"]["PublicRouting"];
            /**
             * The messages that the agent accepts: a2a envelopes, mcp (JSON-RPC), or raw JSON.
             * @enum {string}
             */
            message_protocol: "a2a" | "mcp" | "raw";
            /** Whether an a2a agent accepts the JSON-RPC envelope; otherwise it receives the content of the parts. */
            a2a_compliant: boolean;
            /** Media types that the agent accepts. */
            accepted_content_types: string[];
            /** The units that the agent expects in payloads. */
            payload_schema: components["schemas"]["PayloadSchema"] | null;
            /** How to get the agent's own credentials, if it requires any. */
            signup_help: string | null;
            /** The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
            auth_header_name: string | null;
            /** Successful reviews among all reviews received, 0 to 1; null without reviews. */
            success_rate: number | null;
            /** Completed exchanges in production that the agent answered. */
            transaction_count: number;
            /** When the agent was last active: a call, an answer or a change of its record. RFC 3339 in UTC. */
            last_active: string;
            /** How it answers calls through the registry, beside the score and no part of it; null before the first. */
            liveness: components["schemas"]["Liveness"] | null;
            /**
             * What to do at this trust_score.
             * @enum {string}
             */
            recommended_action: "proceed" | "proceed_with_limits" | "abort" | "block";
            /** Rank among the matches, 0 to 1 with four decimals: 0.6 capability, 0.25 trust, 0.1 success, 0.05 activity. */
            match_score: number;
            /** One for each required capability that the agent has. */
            match_reasons: components["schemas"]["MatchReason"][];
            match_parts: components["schemas"]["MatchParts"];
        };
        /** Which capability of an agent met a required one, and how. */
        MatchReason: {
            /** The required name in its normal form. */
            required_capability: string;
            /** The capability of the agent that met it. */
            matched_capability: string;
            /** The agent's weight of that capability. */
            weight: number;
            /**
             * The same name, another name of the same capability, or one with nearly the same meaning.
             * @enum {string}
             */
            how: "exact" | "alias" | "close";
            /** How near the two are, 0 to 1; 1 for exact and alias. */
            similarity: number;
        };
        /** What a match_score is made of: the points sum to it exactly. */
        MatchParts: {
            /** How well the required capabilities are met; 0 if none are required. */
            capability: components["schemas"]["MatchPart"];
            /** The trust_score, of 100. */
            trust: components["schemas"]["MatchPart"];
            /** The lower bound of the 95 percent interval of the success rate; 0 without reviews. */
            success: components["schemas"]["MatchPart"];
            /** Completed exchanges with other organisations, on a logarithmic scale. */
            activity: components["schemas"]["MatchPart"];
        };
        /** One part of a match_score. */
        MatchPart: {
            /** How much of the part the agent has, 0 to 1 with four decimals. */
            value: number;
            /** The most points that the part can add. */
            weight: number;
            /** What it adds to match_score, four decimals. */
            points: number;
        };
        /** A trust object with the ratings that the agent received. */
        AgentProfile: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** The kind of participant: agent. */
            role: string;
            /** Whether an organisation or the operator vouches for the agent. */
            verified: boolean;
            /** How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
            trust_score: number;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            /**
             * How sure the score is, beside it and no part of it; null where suspended or retired agents are shown with 0.
             * @default null
             */
            confidence: components["schemas"]["TrustConfidence"] | null;
            /**
             * The organisation that the agent belongs to; null without one.
             * @default null
             */
            org_id: string | null;
            /** Name of the organisation that the agent belongs to. */
            org_name: string | null;
            /** The organisation's domain, in lower case and punycode. */
            org_domain: string | null;
            /** Whether the organisation has proved that the org_domain is its own; without that it is taken at its word. */
            domain_verified: boolean;
            /** What the agent is best at, in free text. */
            specialty: string | null;
            /** What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
            capabilities: components["schemas"]["WeightedCapability"][];
            /** What to know before dealing with the agent. */
            flags: ("unregistered" | "unverified" | "no_transactions" | "no_endpoint" | "low_trust" | "domain_proof_lapsed" | "sandbox" | "suspended" | "retired")[];
            routing: components["schemas"]["PublicRouting"];
            /**
             * The messages that the agent accepts: a2a envelopes, mcp (JSON-RPC), or raw JSON.
             * @enum {string}
             */
            message_protocol: "a2a" | "mcp" | "raw";
            /** Whether an a2a agent accepts the JSON-RPC envelope; otherwise it receives the content of the parts. */
            a2a_compliant: boolean;
            /** Media types that the agent accepts. */
            accepted_content_types: string[];
            /** The units that the agent expects in payloads. */
            payload_schema: components["schemas"]["PayloadSchema"] | null;
            /** How to get the agent's own credentials, if it requires any. */
            signup_help: string | null;
            /** The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
            auth_header_name: string | null;
            /** Successful reviews among all reviews received, 0 to 1; null without reviews. */
            success_rate: number | null;
            /** Completed exchanges in production that the agent answered. */
            transaction_count: number;
            /** When the agent was last active: a call, an answer or a change of its record. RFC 3339 in UTC. */
            last_active: string;
            /** How it answers calls through the registry, beside the score and no part of it; null before the first. */
            liveness: components["schemas"]["Liveness"] | null;
            /**
             * What to do at this trust_score.
             * @enum {string}
             */
            recommended_action: "proceed" | "proceed_with_limits" | "abort" | "block";
            /** How to reach the people behind the agent: an address, a handle or a URL, in free text. */
            contact_info: string | null;
            /** When the agent was registered, RFC 3339 in UTC. */
            registered_at: string;
            /** When its last exchange ended, RFC 3339 in UTC. */
            last_transaction_at: string | null;
            /** The newest 100 ratings, newest first. */
            ratings_received: components["schemas"]["RatingRecord"][];
        };
        /** How a caller rated an exchange with the agent. */
        RatingRecord: {
            /** The exchange that was rated. */
            transaction_id: string;
            /** Who rated it. */
            caller_agent_id: string;
            /** The domain of the rater's organisation. */
            caller_org_domain: string | null;
            /** Whether the caller got the requested result. */
            success: boolean;
            /** 1, very bad, to 10, excellent. */
            score: number;
            /** When it was rated, RFC 3339 in UTC. */
            reviewed_at: string;
            /** The answer to the rating, if there is one. */
            answer?: components["schemas"]["ReviewAnswer"];
        };
        /** What the owner of the rated agent has answered, once. */
        ReviewAnswer: {
            /** What it says; null once the personal data of the agent was erased. */
            text: string | null;
            /** When it was given, RFC 3339 in UTC. */
            answered_at: string;
        };
        /** A registration. Unknown fields are ignored. */
        AgentRegistration: {
            /**
             * Identifies the agent, in both universes.
             * @example acme-quote-bot
             */
            agent_id: string;
            /** Name of the organisation that the agent belongs to. Only with an organisation key, which sets it, or the admin token. */
            org_name?: string | null;
            /** The organisation's domain, in lower case and punycode. Only with an organisation key or the admin token. */
            org_domain?: string | null;
            /** How to reach the people behind the agent: an address, a handle or a URL, in free text. */
            contact_info?: string | null;
            /** Where claim links and questions about the agent go; never shown. */
            contact_email?: string | null;
            /** The agent's Ed25519 public key, 32 bytes in unpadded base64url; it replaces an earlier one. */
            public_key?: string | null;
            /** The address of the agent; shown only to its owner. */
            endpoint_url?: string | null;
            /** The protocol of the endpoint, as free text. */
            protocol?: string | null;
            /** The format in which the agent accepts terms of business. */
            accepted_terms_format?: string | null;
            /** How the agent accepts payments; known rails are x402, stripe and manual. One alone may be a bare string. */
            settlement_rail?: (string | string[]) | null;
            /** HTTP methods that the endpoint accepts; the first is the default of /call. */
            http_methods?: string[] | null;
            /** What the agent is best at, in free text. */
            specialty?: string | null;
            /** What tasks cost, in payment_asset. Needs payment_network, payment_pay_to and payment_asset beside it. */
            price_schedule?: components["schemas"]["PriceScheduleEntry"][] | null;
            /** The network that payments go over. */
            payment_network?: string | null;
            /** The address that payments go to. */
            payment_pay_to?: string | null;
            /** The currency or token that payments are made in. */
            payment_asset?: string | null;
            /** The units that the agent expects in payloads. */
            payload_schema?: components["schemas"]["PayloadSchema"] | null;
            /** How to get the agent's own credentials, if it requires any. */
            signup_help?: string | null;
            /** The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
            auth_header_name?: string | null;
            /** For each name in question: whether the candidate in candidate_matches is meant. */
            capability_confirmations?: {
                [key: string]: boolean;
            } | null;
            /** From the answer 202; another of its candidates may replace the best one. */
            candidate_matches?: {
                [key: string]: string;
            } | null;
            /** What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
            capabilities?: (string | components["schemas"]["CapabilityInput"])[];
            /**
             * The messages that the agent accepts: a2a envelopes, mcp (JSON-RPC), or raw JSON.
             * @default a2a
             * @enum {string}
             */
            message_protocol?: "a2a" | "mcp" | "raw";
            /**
             * Whether an a2a agent accepts the JSON-RPC envelope; otherwise it receives the content of the parts.
             * @default false
             */
            a2a_compliant?: boolean;
            /**
             * Media types that the agent accepts.
             * @default [
             *       "text/plain",
             *       "application/json"
             *     ]
             */
            accepted_content_types?: string[];
            /** Sandbox key only: a live agent of the same organisation. Absent fields are copied from it, and the two are paired permanently. */
            clone_from_agent_id?: string | null;
            /** Admin credential only: starts verified, at 75. */
            verified?: boolean;
        };
        /** A capability with its weight. */
        CapabilityInput: {
            /** Any spelling of the name; it is stored in its normal form. */
            name: string;
            /**
             * How central it is for the agent: 3 its main work, 1 a side activity.
             * @default 1
             */
            weight?: number;
        };
        /** The new agent as its owner sees it, and the link to its key. */
        RegisterResponse: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** The kind of participant: agent. */
            role: string;
            /** Whether an organisation or the operator vouches for the agent. */
            verified: boolean;
            /** How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
            trust_score: number;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            /**
             * How sure the score is, beside it and no part of it; null where suspended or retired agents are shown with 0.
             * @default null
             */
            confidence: components["schemas"]["TrustConfidence"] | null;
            /**
             * The organisation that the agent belongs to; null without one.
             * @default null
             */
            org_id: string | null;
            /** Name of the organisation that the agent belongs to. */
            org_name: string | null;
            /** The organisation's domain, in lower case and punycode. */
            org_domain: string | null;
            /** Whether the organisation has proved that the org_domain is its own; without that it is taken at its word. */
            domain_verified: boolean;
            /** What the agent is best at, in free text. */
            specialty: string | null;
            /** What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
            capabilities: components["schemas"]["WeightedCapability"][];
            /** What to know before dealing with the agent. */
            flags: ("unregistered" | "unverified" | "no_transactions" | "no_endpoint" | "low_trust" | "domain_proof_lapsed" | "sandbox" | "suspended" | "retired")[];
            routing: components["schemas"]["OwnerRouting"];
            /**
             * The messages that the agent accepts: a2a envelopes, mcp (JSON-RPC), or raw JSON.
             * @enum {string}
             */
            message_protocol: "a2a" | "mcp" | "raw";
            /** Whether an a2a agent accepts the JSON-RPC envelope; otherwise it receives the content of the parts. */
            a2a_compliant: boolean;
            /** Media types that the agent accepts. */
            accepted_content_types: string[];
            /** The units that the agent expects in payloads. */
            payload_schema: components["schemas"]["PayloadSchema"] | null;
            /** How to get the agent's own credentials, if it requires any. */
            signup_help: string | null;
            /** The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
            auth_header_name: string | null;
            /** Successful reviews among all reviews received, 0 to 1; null without reviews. */
            success_rate: number | null;
            /** Completed exchanges in production that the agent answered. */
            transaction_count: number;
            /** When the agent was last active: a call, an answer or a change of its record. RFC 3339 in UTC. */
            last_active: string;
            /** How it answers calls through the registry, beside the score and no part of it; null before the first. */
            liveness: components["schemas"]["Liveness"] | null;
            /**
             * What to do at this trust_score.
             * @enum {string}
             */
            recommended_action: "proceed" | "proceed_with_limits" | "abort" | "block";
            /** Whether the agent lives in its organisation's sandbox. */
            is_sandbox: boolean;
            /** The live agent of a clone, or the clone of a live agent. */
            related_agent_id: string | null;
            /**
             * The agent is registered.
             * @constant
             */
            status: "registered";
            /** Always null: redeem claim_link for the key. */
            agent_key: null;
            /** A GET of this link answers once with the bearer key. */
            claim_link: string;
            /** When the agent was registered, RFC 3339 in UTC. */
            registered_at: string;
        };
        /** How to deal with an agent, and its address. */
        OwnerRouting: {
            /** The protocol of the endpoint, as free text. */
            protocol: string | null;
            /** The format in which the agent accepts terms of business. */
            accepted_terms_format: string | null;
            /** How the agent accepts payments; known rails are x402, stripe and manual. */
            settlement_rail: string[] | null;
            /** HTTP methods that the endpoint accepts; the first is the default of /call. */
            http_methods: string[] | null;
            /** What tasks cost, in payment_asset. */
            price_schedule: components["schemas"]["PriceScheduleEntry"][] | null;
            /** The network that payments go over. */
            payment_network: string | null;
            /** The address that payments go to. */
            payment_pay_to: string | null;
            /** The currency or token that payments are made in. */
            payment_asset: string | null;
            /** Address of the pay proxy, if the agent accepts x402. */
            pay_via: string | null;
            /** The address of the agent; shown only to its owner. */
            endpoint_url: string | null;
        };
        /** A question: names close to canonical ones, and their candidates. */
        CapabilityConfirmationRequired: {
            /**
             * Nothing was written.
             * @constant
             */
            status: "capability_confirmation_required";
            /** The agent of the request. */
            agent_id: string;
            /** How to answer. */
            message: string;
            /** Each name in question with the canonical name that is closest. */
            candidate_matches: {
                [key: string]: string;
            };
            /** Each name in question with every canonical name that is close to it, closest first. */
            candidates: {
                [key: string]: components["schemas"]["CapabilityCandidate"][];
            };
        };
        /** A capability that may be meant. */
        CapabilityCandidate: {
            /** The canonical name. */
            name: string;
            /** How near it is, 0 to 1. */
            similarity: number;
        };
        /** A refusal after which the write may stand: it contains what would otherwise be lost. */
        IssuedAnyway: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
            /** The agent of the key or link. */
            agent_id?: string;
            /** As in the regular answer. */
            status?: string;
            /** The new bearer key: keep it, it is shown once. */
            agent_key?: string | null;
            /** The claim link: keep it, it is shown once. */
            claim_link?: string | null;
        };
        /** The agent whose key to change. */
        RotateRequest: {
            /**
             * Identifies the agent, in both universes.
             * @example acme-quote-bot
             */
            agent_id: string;
        };
        /** A new bearer key, or the way to it. */
        RotateResponse: {
            /** The agent of the key. */
            agent_id: string;
            /**
             * The answer has the key, it has the link, or the link goes to the contact_email.
             * @enum {string}
             */
            status: "rotated" | "claim_issued" | "claim_sent";
            /** The new bearer key, shown once; with rotated. */
            agent_key: string | null;
            /** Redeem it for the key, once; with claim_issued. */
            claim_link: string | null;
        };
        /** The agent of a credential. */
        AgentWhoami: {
            /** The agent. */
            agent_id: string;
            /** The organisation that it belongs to; null if it has none. */
            org_id: string | null;
            /** Whether it lives in a sandbox. */
            is_sandbox: boolean;
        };
        /** Which agent to retire. */
        RetireRequest: {
            /**
             * Identifies the agent, in both universes.
             * @example acme-quote-bot
             */
            agent_id: string;
        };
        /** That an agent is retired. */
        AgentRetired: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /**
             * Nobody reaches the agent or acts as it, for good.
             * @constant
             */
            status: "retired";
            /** Since when, RFC 3339 in UTC. */
            retired_at: string;
        };
        /** The fields to change: an absent field stays as it is. */
        AgentUpdate: {
            /**
             * Identifies the agent, in both universes.
             * @example acme-quote-bot
             */
            agent_id: string;
            /** Name of the organisation that the agent belongs to. Only with an organisation key, which sets it, or the admin token. */
            org_name?: string | null;
            /** The organisation's domain, in lower case and punycode. Only with an organisation key or the admin token. */
            org_domain?: string | null;
            /** How to reach the people behind the agent: an address, a handle or a URL, in free text. */
            contact_info?: string | null;
            /** Where claim links and questions about the agent go; never shown. */
            contact_email?: string | null;
            /** The agent's Ed25519 public key, 32 bytes in unpadded base64url; it replaces an earlier one. */
            public_key?: string | null;
            /** The address of the agent; shown only to its owner. */
            endpoint_url?: string | null;
            /** The protocol of the endpoint, as free text. */
            protocol?: string | null;
            /** The format in which the agent accepts terms of business. */
            accepted_terms_format?: string | null;
            /** How the agent accepts payments; known rails are x402, stripe and manual. One alone may be a bare string. */
            settlement_rail?: (string | string[]) | null;
            /** HTTP methods that the endpoint accepts; the first is the default of /call. */
            http_methods?: string[] | null;
            /** What the agent is best at, in free text. */
            specialty?: string | null;
            /** What tasks cost, in payment_asset. Needs payment_network, payment_pay_to and payment_asset beside it. */
            price_schedule?: components["schemas"]["PriceScheduleEntry"][] | null;
            /** The network that payments go over. */
            payment_network?: string | null;
            /** The address that payments go to. */
            payment_pay_to?: string | null;
            /** The currency or token that payments are made in. */
            payment_asset?: string | null;
            /** The units that the agent expects in payloads. */
            payload_schema?: components["schemas"]["PayloadSchema"] | null;
            /** How to get the agent's own credentials, if it requires any. */
            signup_help?: string | null;
            /** The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
            auth_header_name?: string | null;
            /** For each name in question: whether the candidate in candidate_matches is meant. */
            capability_confirmations?: {
                [key: string]: boolean;
            } | null;
            /** From the answer 202; another of its candidates may replace the best one. */
            candidate_matches?: {
                [key: string]: string;
            } | null;
            /** What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. null is the empty list. */
            capabilities?: (string | components["schemas"]["CapabilityInput"])[] | null;
            /** The messages that the agent accepts: a2a envelopes, mcp (JSON-RPC), or raw JSON. null leaves it as it is. */
            message_protocol?: ("a2a" | "mcp" | "raw") | null;
            /** Whether an a2a agent accepts the JSON-RPC envelope; otherwise it receives the content of the parts. null leaves it as it is. */
            a2a_compliant?: boolean | null;
            /** Media types that the agent accepts. */
            accepted_content_types?: string[];
            /** Sandbox key only: the live agent paired with this clone. Its configuration replaces this one, except for the other fields of the request. */
            pull_from_agent_id?: string | null;
        };
        /** The domain whose card to read. */
        ImportRequest: {
            /**
             * A domain with an optional port, or an http or https URL, of which only the host counts. No user information.
             * @example agents.example.com
             */
            domain_url: string;
        };
        /** The registration that a card would become, and what it lacks. */
        ImportResponse: {
            /** Where the card was found. */
            source_url: string;
            preview: components["schemas"]["ImportPreview"];
            /** Fields of a registration that the card lacks and the caller has to fill in. */
            missing_fields: string[];
            /** The next steps, and what of the card was left out and why; for people. */
            note: string;
        };
        /** The fields of a registration that a card has. */
        ImportPreview: {
            /** The card's `provider.organization`. Registering it needs the organisation's key. */
            org_name: string | null;
            /** The card's description. */
            specialty: string | null;
            /** The card's JSON-RPC address: an http or https URL, unchanged. */
            endpoint_url: string | null;
            /** The card's first skills in order, by normal names: one of weight 3, two of weight 2, three of weight 1. */
            capabilities: components["schemas"]["WeightedCapability"][];
        };
        /** Categories, and capabilities with their other names. */
        CapabilityTree: {
            /** Every category, by name. */
            categories: components["schemas"]["CapabilityCategory"][];
            /** A page of the capabilities: those of categories by category and name, then those that agents brought. */
            capabilities: components["schemas"]["KnownCapability"][];
        };
        /** A category of capabilities. */
        CapabilityCategory: {
            /** Its name. */
            category: string;
            /** Number of its capabilities, whatever the filters. */
            capability_count: number;
        };
        /** A capability with its other names. */
        KnownCapability: {
            /** The canonical name. */
            name: string;
            /** Its category; null for a name that agents brought. */
            category: string | null;
            /** What it is; null for a name that agents brought. */
            description: string | null;
            /** Its other names: all that the registry defined, then at most 50 learned. */
            aliases: components["schemas"]["KnownAlias"][];
            /** Number of agents with an endpoint that have it, as POST /match finds them. */
            agent_count: number;
        };
        /** Another name of a capability. */
        KnownAlias: {
            /** The other name, in its normal form. */
            alias: string;
            /** Whether owners of agents or an operator brought it; otherwise the registry defined it. */
            learned: boolean;
        };
        /** What happened lately in production. */
        Activity: {
            /** When this was put together, RFC 3339 in UTC. */
            at: string;
            /** Where the days begin, RFC 3339 in UTC. */
            since: string;
            /** The newest agents with an endpoint, newest first, at most 20. */
            newest: components["schemas"]["NewAgent"][];
            /** From when on changes of scores are considered: since, or later if there were more than 20000, RFC 3339 in UTC. */
            movers_since: string;
            /** The agents whose score rose most, at most 10; equals by agent_id. */
            rising: components["schemas"]["Mover"][];
            /** The agents whose score fell most, at most 10. */
            falling: components["schemas"]["Mover"][];
            /** Every day since then, oldest first; the last one is today. */
            days: components["schemas"]["ActiveDay"][];
        };
        /** An agent that was registered lately. */
        NewAgent: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** Name of the organisation that the agent belongs to. */
            org_name: string | null;
            /** How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
            trust_score: number;
            /** When, RFC 3339 in UTC. */
            registered_at: string;
        };
        /** How far the score of an agent has moved. */
        Mover: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** Name of the organisation that the agent belongs to. */
            org_name: string | null;
            /** The score before the first of its changes. */
            previous_score: number;
            /** The score after the last of them. */
            trust_score: number;
            /** Number of its changes. */
            change_count: number;
        };
        /** What happened on one day in production. */
        ActiveDay: {
            /** The UTC day, such as 2026-01-15. */
            day: string;
            /** Agents registered. */
            registrations: number;
            /** Exchanges started. */
            calls: number;
            /** Reviews recorded. */
            reviews: number;
        };
        /** A trust score with all its parts. */
        ExplainedTrust: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** What the agent has earned, 0 to 100, also while a flag here sets what is shown elsewhere to 0. */
            trust_score: number;
            /** `suspended` or `retired` if the agent is: everywhere else it is shown with a score of 0. */
            flags: ("suspended" | "retired")[];
            /** The score before rounding. */
            unrounded: number;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            as_of: components["schemas"]["Moment"];
            /**
             * Whether the score comes from all reviews, or from the recent ones, which are clearly worse.
             * @enum {string}
             */
            basis: "all" | "recent";
            /** The score that the agent began with. */
            prior: number;
            /** Weight of the prior, in reviews of full weight. */
            strength: number;
            /** The prior, under formula v2 what an organisation and a third voice do to it, then each root in alphabetical order. Their points sum to unrounded. */
            contributions: components["schemas"]["TrustContribution"][];
            /** How sure the score is. */
            confidence: {
                /** Weight of all reviews after the caps, in reviews of full weight. */
                evidence_weight: number;
                /** How many roots speak. */
                roots: number;
                /** Between these scores lie about nine of ten agents with such evidence: the lower and the upper bound. */
                interval: number[];
            };
            /** A page of the reviews, newest first. */
            reviews: components["schemas"]["ExplainedReview"][];
            /** How it answers calls through the registry, beside the score and no part of it; null before the first. */
            liveness: components["schemas"]["Liveness"] | null;
        };
        /** The moment that an answer describes. */
        Moment: {
            /** The place in the log. */
            position: string;
            /** The time, RFC 3339 in UTC. */
            time: string;
        };
        /** One part of a score. */
        TrustContribution: {
            /**
             * The score at the start; what the record of the agent's organisation takes from that; what a third content organisation adds to it; what one root adds.
             * @enum {string}
             */
            kind: "prior" | "record" | "third_voice" | "root";
            /** The root: an organisation by its org_id, a domain, or none for all reviewers without either; of third_voice the third organisation; null for prior and record. */
            root: string | null;
            /** Weight before the cap; 0 for record and third_voice, which have none. */
            weight: number;
            /** Weight after the cap: no root has more than its share of all weight; 0 for record and third_voice. */
            capped_weight: number;
            /** Of prior and root: what this says of the agent, 0 to 1; 0 for record and third_voice. */
            mean: number;
            /** Of a root under formula v2: whether it counts as an established organisation here. */
            established?: boolean;
            /** Of a root under formula v2: the share of all weight that it may have. */
            cap?: number;
            /** Of record: the agent's organisation, by its org_id. */
            organisation?: string;
            /** Of third_voice: how strong it is, 0 to 1. */
            voice?: number;
            /** Its part of unrounded, of a record zero or negative; all parts sum to unrounded exactly. */
            points: number;
        };
        /** One review and its part in the agent's score. */
        ExplainedReview: {
            /** The event in the log. */
            event_id: string;
            /** The exchange that was reviewed. */
            transaction_id: string;
            /** Who reviewed it. */
            reviewer_agent_id: string;
            /** When, RFC 3339 in UTC. */
            reviewed_at: string;
            /** Whether the caller got the requested result. */
            success: boolean;
            /** 1, very bad, to 10, excellent. */
            score: number;
            /** The share of each root in the weight; the shares sum to 1. */
            root_weights: {
                [key: string]: number;
            };
            /** Weight before the cap; 0 if the review is not considered. */
            weight: number;
            /** What it says of the agent, 0 to 1. */
            value: number;
            /** Whether it is part of the score. */
            counted: boolean;
            /** Why it is not: too light by now, outside of the recent reviews that the score follows, or voided by the operator. */
            reason: ("weight_below_minimum" | "older_than_recent" | "beyond_three_of_root" | "voided") | null;
        };
        /** How a trust score developed. */
        TrustHistory: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** A page of the changes, oldest first. */
            history: components["schemas"]["TrustChange"][];
        };
        /** One change of a trust score. */
        TrustChange: {
            /** When, RFC 3339 in UTC. */
            at: string;
            /** Place in the log. */
            position: string;
            /** The score from then on. */
            trust_score: number;
            /** The score before; null at the beginning. */
            previous_score: number | null;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            cause: components["schemas"]["TrustChangeCause"];
        };
        /** What changed a score. */
        TrustChangeCause: {
            /** Type of the event; `record` if it changed the record of the agent's organisation, and by that its score. */
            type: string;
            /** The event in the log. */
            event_id: string;
            /** The exchange that was reviewed, if one was. */
            transaction_id: string | null;
        };
        /** An organisation by its name. */
        FoundOrganisation: {
            /** What names it everywhere. */
            org_id: string;
            /** Its name as it was given. */
            org_name: string;
        };
        /** The record of an organisation with all its parts. */
        OrganisationRecord: {
            /** The organisation. */
            org_id: string;
            /** Its name. */
            org_name: string;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            as_of: components["schemas"]["Moment"];
            /** A multiple of 5 in the built-in policy, or 75: a good record earns nothing, a bad one costs. */
            record: number;
            /** Before it is rounded down. */
            unrounded: number;
            /**
             * Whether it comes from all reviews, or from the recent ones, which are clearly worse.
             * @enum {string}
             */
            basis: "all" | "recent";
            /** The root that lowers it most, which is left out: nobody alone can stain an organisation. null for none. */
            left_out: string | null;
            /** The prior of 75, then each root. Their points sum to unrounded. */
            contributions: components["schemas"]["TrustContribution"][];
            /** How sure it is. */
            confidence: {
                /** Weight of all reviews after the caps, in reviews of full weight. */
                evidence_weight: number;
                /** How many roots speak. */
                roots: number;
                /** Between these scores lie about nine of ten agents with such evidence: the lower and the upper bound. */
                interval: number[];
            };
            /** A page of the reviews, newest first. */
            reviews: components["schemas"]["RecordReview"][];
            /** How many reviews there are on all pages. */
            reviews_total: number;
            /** Whether its praise counts in full: enough others vouch for it, and its standing record is good enough. */
            established: boolean;
            /** The organisations that vouch for it, in the order in which they began: the first 1000. */
            vouchers: components["schemas"]["OrganisationVoucher"][];
            /** How many organisations vouch for it. */
            vouchers_total: number;
            /** The standing record, with a page of its reviews; null as long as it is the record, because the organisation answers for nobody. */
            standing: components["schemas"]["StandingRecord"] | null;
        };
        /** One review and its part in an organisation's record. */
        RecordReview: {
            /** The event in the log. */
            event_id: string;
            /** The exchange that was reviewed. */
            transaction_id: string;
            /** Who reviewed it. */
            reviewer_agent_id: string;
            /** When, RFC 3339 in UTC. */
            reviewed_at: string;
            /** Whether the caller got the requested result. */
            success: boolean;
            /** 1, very bad, to 10, excellent. */
            score: number;
            /** The share of each root in the weight; the shares sum to 1. */
            root_weights: {
                [key: string]: number;
            };
            /** Weight before the cap; 0 if the review is not considered. */
            weight: number;
            /** What it says of the agent, 0 to 1. */
            value: number;
            /** Whether it is part of the score. */
            counted: boolean;
            /** Why it is not part of the record: as for an agent, or because it is of the root that is left out. */
            reason: ("weight_below_minimum" | "older_than_recent" | "beyond_three_of_root" | "voided" | "root_left_out") | null;
            /** The agent that was reviewed. */
            agent_id: string;
            /** In a standing record: the agent of others that the organisation raised and answers for; null for a review of one of its own. */
            answers_for: string | null;
            /** Of an answer: the share of the review that the organisation answers for. */
            share: number | null;
        };
        /** An organisation that vouches for another. */
        OrganisationVoucher: {
            /** Another organisation, one of whose agents found an agent of this one good, by its org_id. */
            organisation: string;
            since: components["schemas"]["VouchedSince"];
        };
        /** The review by which an organisation first vouched. */
        VouchedSince: {
            /** Place in the log of the first such review. */
            position: string;
            /** Its event. */
            event_id: string;
        };
        /** A record with what the organisation answers for besides. */
        StandingRecord: {
            /** A multiple of 5 in the built-in policy, or 75: a good record earns nothing, a bad one costs. */
            record: number;
            /** Before it is rounded down. */
            unrounded: number;
            /**
             * Whether it comes from all reviews, or from the recent ones, which are clearly worse.
             * @enum {string}
             */
            basis: "all" | "recent";
            /** The root that lowers it most, which is left out: nobody alone can stain an organisation. null for none. */
            left_out: string | null;
            /** The prior of 75, then each root. Their points sum to unrounded. */
            contributions: components["schemas"]["TrustContribution"][];
            /** How sure it is. */
            confidence: {
                /** Weight of all reviews after the caps, in reviews of full weight. */
                evidence_weight: number;
                /** How many roots speak. */
                roots: number;
                /** Between these scores lie about nine of ten agents with such evidence: the lower and the upper bound. */
                interval: number[];
            };
            /** A page of the reviews, newest first. */
            reviews: components["schemas"]["RecordReview"][];
            /** How many reviews there are on all pages. */
            reviews_total: number;
        };
        /** How the record of an organisation developed. */
        RecordHistory: {
            /** The organisation. */
            org_id: string;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            /** A page of the changes under this policy, oldest first. Before the first both were 75. */
            history: components["schemas"]["RecordChange"][];
        };
        /** One change of an organisation's record or standing record. */
        RecordChange: {
            /** When, RFC 3339 in UTC. */
            at: string;
            /** Place in the log. */
            position: string;
            /** The record from then on. */
            record: number;
            /** The record before. */
            previous_record: number;
            /** The standing record from then on. */
            standing: number;
            /** The standing record before. */
            previous_standing: number;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            cause: components["schemas"]["RecordChangeCause"];
        };
        /** What changed a record. */
        RecordChangeCause: {
            /** Type of the event. */
            type: string;
            /** The event in the log. */
            event_id: string;
            /** The exchange that was reviewed, if one was. */
            transaction_id: string | null;
        };
        /** A message, from whom and to whom. */
        CallRequest: {
            /**
             * Who calls: the agent of the credential.
             * @example acme-quote-bot
             */
            caller_agent_id: string;
            /**
             * Who is called.
             * @example acme-quote-bot
             */
            agent_id: string;
            /** The message, in the shape of the message_protocol of the agent. a2a: a JSON-RPC 2.0 envelope with the method message/send or message/stream and params.message {role: "user", parts: [...]}; a part is {kind, content_type, content}: text with text/plain and a string, data with application/json and an object, file with any type and base64 or a URL. Parts as A2A SDKs send them ({kind: "text", text}, {kind: "data", data}, {kind: "file", file}) are taken too. mcp: any JSON-RPC 2.0 message. raw: any object. */
            message: {
                [key: string]: unknown;
            };
            /** Headers for the agent, such as its own credentials. Headers of the connection, cookies, payments and signatures, and any with a registry key, are dropped. */
            forwarded_headers?: {
                [key: string]: string;
            } | null;
            /** HTTP method for plain endpoints; by default the first of the agent's http_methods. */
            method?: ("GET" | "POST") | null;
        };
        /** What the agent answered, and what to do with it. */
        CallResponse: {
            /** The agent that answered. */
            agent_id: string;
            /** Identifies the exchange, for POST /review and as call_ref of /pay. Empty for an MCP initialize. */
            transaction_id: string;
            /** The agent's own HTTP status. */
            status_code: number;
            /** The agent's answer: its JSON object or array, its text, or its bytes in base64. */
            body: {
                [key: string]: unknown;
            } | unknown[] | string;
            /** The agent's headers that may be shown, by lower-case names. */
            response_headers: {
                [key: string]: string;
            } | null;
            /** How to rate this exchange. */
            review_reminder: string | null;
            /** After a failure of the agent: another agent with the same capability. */
            fallback_suggestion: string | null;
            /** The session of an mcp target: send it as Mcp-Session-Id with the next call. */
            mcp_session_id: string | null;
            /** What to do if the agent requires payment or credentials. */
            next_step: string | null;
            /** After a 402 of the agent: where to pay for this call. */
            pay_via?: string;
        };
        /** What is known of a call that is not repeated. */
        CallAlreadyMade: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
            /** The exchange of the first call. */
            transaction_id?: string;
            /**
             * Whether the agent answered it, or the outcome is unknown.
             * @enum {string}
             */
            outcome?: "completed" | "abandoned";
            /** The agent's own HTTP status then. */
            status_code?: number | null;
            /** How to rate it. */
            review_reminder?: string;
        };
        /** A call that the agent did not answer, or that was not sent to it. */
        FailedCall: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
            /** The exchange, if the agent was contacted. */
            transaction_id?: string;
            /** How to rate it nevertheless. */
            review_reminder?: string;
            /** Another agent with the same capability. */
            fallback_suggestion?: string | null;
        };
        /** A refusal in place of an answer; if the agent has answered, it contains the agent's answer. */
        UnsettledCall: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
            /** The agent that answered. */
            agent_id?: string;
            /** Identifies the exchange, for POST /review and as call_ref of /pay. Empty for an MCP initialize. */
            transaction_id?: string;
            /** The agent's own HTTP status. */
            status_code?: number;
            /** The agent's answer: its JSON object or array, its text, or its bytes in base64. */
            body?: {
                [key: string]: unknown;
            } | unknown[] | string;
            /** The agent's headers that may be shown, by lower-case names. */
            response_headers?: {
                [key: string]: string;
            } | null;
            /** How to rate this exchange. */
            review_reminder?: string | null;
            /** After a failure of the agent: another agent with the same capability. */
            fallback_suggestion?: string | null;
            /** The session of an mcp target: send it as Mcp-Session-Id with the next call. */
            mcp_session_id?: string | null;
            /** What to do if the agent requires payment or credentials. */
            next_step?: string | null;
            /** After a 402 of the agent: where to pay for this call. */
            pay_via?: string;
        };
        /** A rating of an exchange. */
        ReviewRequest: {
            /** The exchange; by default the newest unreviewed one of the pair. */
            transaction_id?: string | null;
            /**
             * The reviewer: the agent of the credential, which made the call.
             * @example acme-quote-bot
             */
            caller_agent_id: string;
            /**
             * The rated agent.
             * @example acme-quote-bot
             */
            receiver_agent_id: string;
            /** Whether the caller got the requested result. */
            success: boolean;
            /** 1, very bad, to 10, excellent. */
            score: number;
        };
        /** An answer to a rating. */
        ReviewAnswerRequest: {
            /**
             * The rated agent, for which its owner answers.
             * @example acme-quote-bot
             */
            agent_id: string;
            /** The exchange that was rated. */
            transaction_id: string;
            /** What to say about it, in one line, to everybody who sees the rating. */
            text: string;
        };
        /** That a rating is answered. */
        ReviewAnswered: {
            /** The rated agent. */
            agent_id: string;
            /** The exchange that was rated. */
            transaction_id: string;
            /**
             * The answer is shown beside the rating.
             * @constant
             */
            status: "answered";
            /** When, RFC 3339 in UTC. */
            answered_at: string;
        };
        /** A payment through the registry, as its operators see it. */
        Settlement: {
            /** Identifies the settlement. */
            transaction_id: string;
            /** Who was paid. */
            receiver_agent_id: string;
            /** Who paid, if that was proven. */
            caller_agent_id: string | null;
            /** In the currency's units if its decimals are known, else in atomic units. */
            amount: number | null;
            /** The amount in atomic units, as decimal digits. */
            amount_atomic: string | null;
            /** The symbol of the currency if it is known, else the asset's address. */
            currency: string | null;
            /** What was paid, as the payment names it. */
            asset: string | null;
            /** How it was paid: x402. */
            settlement_rail: string;
            /** The network of the payment. */
            network: string | null;
            /** The address that received it. */
            payee_address: string | null;
            /** On-chain transaction reference. */
            confirmation_ref: string | null;
            /** The block of that transaction, if the agent reported it. */
            block_number: number | null;
            /** When the agent reported the settlement, RFC 3339 in UTC. */
            settled_at: string | null;
            /** The receiver's organisation. */
            org_name: string | null;
            /** When it was recorded, RFC 3339 in UTC. */
            recorded_at: string;
            /** The transaction_id of the call in which the payment was requested or made. */
            call_ref: string | null;
        };
        /** The organisation to create. */
        OrgCreateRequest: {
            /** Its unique name; case makes no difference. No control characters, and no zero-width or bidirectional ones. */
            org_name: string;
            /**
             * Format: email
             * Where the operator can reach it.
             */
            contact_email: string;
        };
        /** The organisation and its two keys, which are shown once. */
        OrgCreateResponse: {
            /** The production key. */
            api_key: string;
            /** The sandbox key. */
            sandbox_api_key: string;
            /** Name of the organisation. */
            org_name: string;
            /** When it was created, RFC 3339 in UTC. */
            created_at: string;
        };
        /** A refusal after which the new key may be valid. */
        OrgKeyIssuedAnyway: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
            /** Name of the organisation. */
            org_name?: string;
            /** The production key. */
            api_key?: string;
            /** When it was created, RFC 3339 in UTC. */
            created_at?: string;
            /** The new sandbox key. */
            sandbox_api_key?: string;
        };
        /** The organisation of a key, and which of its keys it is. */
        OrgWhoami: {
            /** Name of the organisation. */
            org_name: string;
            /** Whether it opens the sandbox. */
            is_sandbox: boolean;
            /** Which named key it is; absent for the organisation's own two. */
            named_key?: {
                /** Identifies the key. */
                key_id: string;
                /** What the organisation calls it. */
                name: string;
                /** What it may do. */
                scopes: ("register" | "read" | "payments" | "webhooks")[];
                /** Until when this secret of it works, RFC 3339 in UTC. */
                expires_at: string;
            };
        };
        /** A trust object with what its owner alone may know. */
        OwnerTrustObject: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** The kind of participant: agent. */
            role: string;
            /** Whether an organisation or the operator vouches for the agent. */
            verified: boolean;
            /** How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
            trust_score: number;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            /**
             * How sure the score is, beside it and no part of it; null where suspended or retired agents are shown with 0.
             * @default null
             */
            confidence: components["schemas"]["TrustConfidence"] | null;
            /**
             * The organisation that the agent belongs to; null without one.
             * @default null
             */
            org_id: string | null;
            /** Name of the organisation that the agent belongs to. */
            org_name: string | null;
            /** The organisation's domain, in lower case and punycode. */
            org_domain: string | null;
            /** Whether the organisation has proved that the org_domain is its own; without that it is taken at its word. */
            domain_verified: boolean;
            /** What the agent is best at, in free text. */
            specialty: string | null;
            /** What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
            capabilities: components["schemas"]["WeightedCapability"][];
            /** What to know before dealing with the agent. */
            flags: ("unregistered" | "unverified" | "no_transactions" | "no_endpoint" | "low_trust" | "domain_proof_lapsed" | "sandbox" | "suspended" | "retired")[];
            routing: components["schemas"]["OwnerRouting"];
            /**
             * The messages that the agent accepts: a2a envelopes, mcp (JSON-RPC), or raw JSON.
             * @enum {string}
             */
            message_protocol: "a2a" | "mcp" | "raw";
            /** Whether an a2a agent accepts the JSON-RPC envelope; otherwise it receives the content of the parts. */
            a2a_compliant: boolean;
            /** Media types that the agent accepts. */
            accepted_content_types: string[];
            /** The units that the agent expects in payloads. */
            payload_schema: components["schemas"]["PayloadSchema"] | null;
            /** How to get the agent's own credentials, if it requires any. */
            signup_help: string | null;
            /** The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
            auth_header_name: string | null;
            /** Successful reviews among all reviews received, 0 to 1; null without reviews. */
            success_rate: number | null;
            /** Completed exchanges in production that the agent answered. */
            transaction_count: number;
            /** When the agent was last active: a call, an answer or a change of its record. RFC 3339 in UTC. */
            last_active: string;
            /** How it answers calls through the registry, beside the score and no part of it; null before the first. */
            liveness: components["schemas"]["Liveness"] | null;
            /**
             * What to do at this trust_score.
             * @enum {string}
             */
            recommended_action: "proceed" | "proceed_with_limits" | "abort" | "block";
            /** Whether the agent lives in its organisation's sandbox. */
            is_sandbox: boolean;
            /** The live agent of a clone, or the clone of a live agent. */
            related_agent_id: string | null;
        };
        /** A profile with what its owner alone may know. */
        OwnerAgentProfile: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** The kind of participant: agent. */
            role: string;
            /** Whether an organisation or the operator vouches for the agent. */
            verified: boolean;
            /** How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
            trust_score: number;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            /**
             * How sure the score is, beside it and no part of it; null where suspended or retired agents are shown with 0.
             * @default null
             */
            confidence: components["schemas"]["TrustConfidence"] | null;
            /**
             * The organisation that the agent belongs to; null without one.
             * @default null
             */
            org_id: string | null;
            /** Name of the organisation that the agent belongs to. */
            org_name: string | null;
            /** The organisation's domain, in lower case and punycode. */
            org_domain: string | null;
            /** Whether the organisation has proved that the org_domain is its own; without that it is taken at its word. */
            domain_verified: boolean;
            /** What the agent is best at, in free text. */
            specialty: string | null;
            /** What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
            capabilities: components["schemas"]["WeightedCapability"][];
            /** What to know before dealing with the agent. */
            flags: ("unregistered" | "unverified" | "no_transactions" | "no_endpoint" | "low_trust" | "domain_proof_lapsed" | "sandbox" | "suspended" | "retired")[];
            routing: components["schemas"]["OwnerRouting"];
            /**
             * The messages that the agent accepts: a2a envelopes, mcp (JSON-RPC), or raw JSON.
             * @enum {string}
             */
            message_protocol: "a2a" | "mcp" | "raw";
            /** Whether an a2a agent accepts the JSON-RPC envelope; otherwise it receives the content of the parts. */
            a2a_compliant: boolean;
            /** Media types that the agent accepts. */
            accepted_content_types: string[];
            /** The units that the agent expects in payloads. */
            payload_schema: components["schemas"]["PayloadSchema"] | null;
            /** How to get the agent's own credentials, if it requires any. */
            signup_help: string | null;
            /** The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
            auth_header_name: string | null;
            /** Successful reviews among all reviews received, 0 to 1; null without reviews. */
            success_rate: number | null;
            /** Completed exchanges in production that the agent answered. */
            transaction_count: number;
            /** When the agent was last active: a call, an answer or a change of its record. RFC 3339 in UTC. */
            last_active: string;
            /** How it answers calls through the registry, beside the score and no part of it; null before the first. */
            liveness: components["schemas"]["Liveness"] | null;
            /**
             * What to do at this trust_score.
             * @enum {string}
             */
            recommended_action: "proceed" | "proceed_with_limits" | "abort" | "block";
            /** How to reach the people behind the agent: an address, a handle or a URL, in free text. */
            contact_info: string | null;
            /** When the agent was registered, RFC 3339 in UTC. */
            registered_at: string;
            /** When its last exchange ended, RFC 3339 in UTC. */
            last_transaction_at: string | null;
            /** The newest 100 ratings, newest first. */
            ratings_received: components["schemas"]["RatingRecord"][];
            /** Whether the agent lives in its organisation's sandbox. */
            is_sandbox: boolean;
            /** The live agent of a clone, or the clone of a live agent. */
            related_agent_id: string | null;
        };
        /** A payment that an agent received through the registry. */
        OrgPayment: {
            /** Identifies the settlement. */
            transaction_id: string;
            /** Who was paid. */
            receiver_agent_id: string;
            /** Who paid, if that was proven. */
            caller_agent_id: string | null;
            /** In the currency's units if its decimals are known, else in atomic units. */
            amount: number | null;
            /** The amount in atomic units, as decimal digits. */
            amount_atomic: string | null;
            /** The symbol of the currency if it is known, else the asset's address. */
            currency: string | null;
            /** What was paid, as the payment names it. */
            asset: string | null;
            /** How it was paid: x402. */
            settlement_rail: string;
            /** The network of the payment. */
            network: string | null;
            /** The address that received it. */
            payee_address: string | null;
            /** On-chain transaction reference. */
            confirmation_ref: string | null;
            /** The block of that transaction, if the agent reported it. */
            block_number: number | null;
            /** When the agent reported the settlement, RFC 3339 in UTC. */
            settled_at: string | null;
        };
        /** What was received in one currency. */
        OrgPaymentTotal: {
            /** The network of the payment. */
            network: string | null;
            /** What was paid, as the payment names it. */
            asset: string | null;
            /** The symbol of the currency if it is known, else the asset's address. */
            currency: string | null;
            /** Number of payments. */
            payment_count: number;
            /** Their sum, as `amount` of a payment; null if none says how much it was, or if some are in units and others in atomic units. */
            amount: number | null;
            /** Their exact sum in atomic units, as decimal digits. */
            amount_atomic: string | null;
            /** When the agent reported the last of them, RFC 3339 in UTC. */
            last_settled_at: string | null;
        };
        /** A new sandbox key, shown once. */
        OrgSandboxKey: {
            /** Name of the organisation. */
            org_name: string;
            /** The sandbox key. */
            sandbox_api_key: string;
            /** When it was created, RFC 3339 in UTC. */
            created_at: string;
        };
        /** The organisation whose sandbox key was revoked. */
        OrgSandboxKeyRevoked: {
            /** Name of the organisation. */
            org_name: string;
            /** When it was revoked, RFC 3339 in UTC. */
            revoked_at: string;
        };
        /** A new production key, shown once. */
        OrgKey: {
            /** Name of the organisation. */
            org_name: string;
            /** The production key. */
            api_key: string;
            /** When it was created, RFC 3339 in UTC. */
            created_at: string;
        };
        /** The key to create. */
        OrgNamedKeyRequest: {
            /** What the organisation calls it, in its universe. It cannot be erased. */
            name: string;
            /** What it may do. register: register, update, move, promote and retire agents, ask for their keys, answer their reviews, prove domains; read: read agents, their events, domains and scores; payments: read payments; webhooks: set up and follow webhooks. One that is repeated counts once. */
            scopes: ("register" | "read" | "payments" | "webhooks")[];
            /**
             * Format: date-time
             * Until when it works, RFC 3339: at most 366 days; default: 90 days.
             */
            expires_at?: string;
        };
        /** A new named key, which is shown once. */
        OrgNamedKeyCreated: {
            /** Identifies the key. */
            key_id: string;
            /** What the organisation calls it. */
            name: string;
            /** What it may do. */
            scopes: ("register" | "read" | "payments" | "webhooks")[];
            /** Whether it opens the organisation's sandbox instead of production. */
            is_sandbox: boolean;
            /** The key, for X-API-KEY. */
            api_key: string;
            /** When it was created, RFC 3339 in UTC. */
            created_at: string;
            /** Until when it works, RFC 3339 in UTC. */
            expires_at: string;
        };
        /** A refusal after which the new key may be valid. */
        OrgNamedKeyIssuedAnyway: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
            /** The key, for X-API-KEY. */
            api_key?: string;
            /** Identifies the key. */
            key_id?: string;
        };
        /** A named key of an organisation, without the secret. */
        OrgNamedKey: {
            /** Identifies the key. */
            key_id: string;
            /** What the organisation calls it. */
            name: string;
            /** What it may do. */
            scopes: ("register" | "read" | "payments" | "webhooks")[];
            /** When it was created, RFC 3339 in UTC. */
            created_at: string;
            /** When it got its present secret; null if that is its first one, RFC 3339 in UTC. */
            replaced_at: string | null;
            /** Until when it works, RFC 3339 in UTC. */
            expires_at: string;
            /** Until when its former secret works; null if there was none, RFC 3339 in UTC. */
            former_key_ends_at: string | null;
            /** When it was revoked; null if it was not, RFC 3339 in UTC. */
            revoked_at: string | null;
            /**
             * Whether it works now.
             * @enum {string}
             */
            status: "active" | "expired" | "revoked";
            /** When it was last used, to within a minute; null if that is not known or it was never used, RFC 3339 in UTC. */
            last_used_at: string | null;
        };
        /** How a secret is replaced. */
        OrgNamedKeyReplacement: {
            /**
             * How long the former secret goes on working; 0: it fails from the answer on.
             * @default 86400
             */
            overlap_seconds?: number;
            /**
             * Format: date-time
             * Until when it works, RFC 3339: at most 366 days; default: as long as the former secret was made for.
             */
            expires_at?: string;
        };
        /** A named key with a new secret, which is shown once. */
        OrgNamedKeyReplaced: {
            /** Identifies the key. */
            key_id: string;
            /** What the organisation calls it. */
            name: string;
            /** What it may do. */
            scopes: ("register" | "read" | "payments" | "webhooks")[];
            /** The key, for X-API-KEY. */
            api_key: string;
            /** When it got this secret, RFC 3339 in UTC. */
            replaced_at: string;
            /** Until when it works, RFC 3339 in UTC. */
            expires_at: string;
            /** Until when the former secret works, RFC 3339 in UTC. */
            former_key_ends_at: string;
        };
        /** That a named key is revoked. */
        OrgNamedKeyRevoked: {
            /** Identifies the key. */
            key_id: string;
            /** What the organisation calls it. */
            name: string;
            /**
             * It fails everywhere.
             * @constant
             */
            status: "revoked";
            /** Since when, RFC 3339 in UTC. */
            revoked_at: string;
        };
        /** The domain to prove. */
        DomainRequest: {
            /** The domain. */
            domain: string;
        };
        /** What to publish to prove a domain: the record or the page. */
        RequestedDomain: {
            /** The domain, in lower case and punycode. */
            domain: string;
            /**
             * requested: not proved, or no longer. proved. lapsed: its token has been missing; the proof ends unless it is found again.
             * @enum {string}
             */
            status: "requested" | "proved" | "lapsed";
            /** How it was proved; null if it is not. */
            method: ("https" | "dns" | "operator") | null;
            /** When its token was last asked for, RFC 3339 in UTC. */
            requested_at: string | null;
            /** When it was proved, RFC 3339 in UTC. */
            proved_at: string | null;
            /** When its token was last looked for, RFC 3339 in UTC. */
            checked_at: string | null;
            /** Since when its lapse is shown, RFC 3339 in UTC. */
            lapsed_at: string | null;
            /** When a lapsed proof ends, RFC 3339 in UTC. */
            ends_at: string | null;
            /** When its token is looked for next; null if it is not proved, or the operator vouches for it, RFC 3339 in UTC. */
            next_check_at: string | null;
            /** The line to publish. It proves the domain for this organisation alone, and is no secret. */
            token: string;
            /** The record that proves the domain. */
            dns_record: {
                /** Name of the record. */
                name: string;
                /**
                 * Its type.
                 * @constant
                 */
                type: "TXT";
                /** Its value: the token. */
                value: string;
            };
            /** The page that proves the domain. */
            page: {
                /** Address of the page, which answers 200 without a redirect. */
                url: string;
                /** A line of it: the token. */
                line: string;
            };
        };
        /** A domain of an organisation, and how far it is proved. */
        OrgDomain: {
            /** The domain, in lower case and punycode. */
            domain: string;
            /**
             * requested: not proved, or no longer. proved. lapsed: its token has been missing; the proof ends unless it is found again.
             * @enum {string}
             */
            status: "requested" | "proved" | "lapsed";
            /** How it was proved; null if it is not. */
            method: ("https" | "dns" | "operator") | null;
            /** When its token was last asked for, RFC 3339 in UTC. */
            requested_at: string | null;
            /** When it was proved, RFC 3339 in UTC. */
            proved_at: string | null;
            /** When its token was last looked for, RFC 3339 in UTC. */
            checked_at: string | null;
            /** Since when its lapse is shown, RFC 3339 in UTC. */
            lapsed_at: string | null;
            /** When a lapsed proof ends, RFC 3339 in UTC. */
            ends_at: string | null;
            /** When its token is looked for next; null if it is not proved, or the operator vouches for it, RFC 3339 in UTC. */
            next_check_at: string | null;
        };
        /** For whom the operator vouches, and why. */
        DomainVoucher: {
            /** Name of the organisation; case makes no difference. */
            org_name: string;
            /** Why, for the log. It cannot be erased: name no person. */
            reason: string;
        };
        /** Why the proof counts no longer. */
        DomainWithdrawal: {
            /** Why, for the log. It cannot be erased: name no person. */
            reason: string;
        };
        /** The domain that is proved no longer. */
        DomainProofWithdrawn: {
            /** The domain. */
            domain: string;
            /** When the proof ended, RFC 3339 in UTC. */
            ended_at: string;
        };
        /** What the alias stands for, and why. */
        AliasConfirmation: {
            /** The capability that is meant. */
            name: string;
            /** Why, for the log. It cannot be erased: name no person. */
            reason: string;
        };
        /** What a name stands for in production, as the operator has it. */
        CapabilityAlias: {
            /** The alias in its normal form. */
            alias: string;
            /** The capability that it stands for; null if it is none. */
            name: string | null;
        };
        /** Why it is no alias. */
        AliasUndoing: {
            /** Why, for the log. It cannot be erased: name no person. */
            reason: string;
        };
        /** Where to send what. */
        WebhookRequest: {
            /**
             * Format: uri
             * Where messages are sent by POST: https, a public address, without user information and fragment.
             * @example https://hooks.globex.example/trust
             */
            url: string;
            /** Agents of any organisation that it reports on; absent or null: all of the organisation's own. */
            agent_ids?: string[] | null;
        };
        /** A new webhook with its secret. */
        RegisteredWebhook: {
            /** Identifies the webhook. */
            webhook_id: string;
            /** Where its messages are sent. */
            url: string;
            /** Agents that it reports on; null for all of the organisation's own in production. */
            agent_ids: string[] | null;
            /** When it was registered, RFC 3339 in UTC. */
            created_at: string;
            /** What its messages are signed with, in the form that Standard Webhooks libraries take. */
            secret: string;
        };
        /** A refusal after which the new webhook may exist. */
        WebhookRegisteredAnyway: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
            /** Identifies the webhook. */
            webhook_id?: string;
            /** Where its messages are sent. */
            url?: string;
            /** Agents that it reports on; null for all of the organisation's own in production. */
            agent_ids?: string[] | null;
            /** When it was registered, RFC 3339 in UTC. */
            created_at?: string;
            /** What its messages are signed with, in the form that Standard Webhooks libraries take. */
            secret?: string;
        };
        /** A webhook and its state. */
        Webhook: {
            /** Identifies the webhook. */
            webhook_id: string;
            /** Where its messages are sent. */
            url: string;
            /** Agents that it reports on; null for all of the organisation's own in production. */
            agent_ids: string[] | null;
            /** When it was registered, RFC 3339 in UTC. */
            created_at: string;
            /**
             * disabled after its consumer answered 410; a replay enables it again.
             * @enum {string}
             */
            status: "active" | "disabled";
            /** When it was disabled, RFC 3339 in UTC. */
            disabled_at: string | null;
            /** Of a disabled webhook: the lowest position whose message was not delivered; a replay from there misses none. */
            resume_from: string | null;
            /** Queued messages that wait for delivery. */
            pending: number;
            /** Messages that were given up after the last attempt. */
            dead_letters: number;
            /** When its consumer last accepted a message, RFC 3339 in UTC. */
            last_delivered_at: string | null;
            /** The last attempt that failed. */
            last_failure: {
                /** When it was, RFC 3339 in UTC. */
                at: string;
                /** What went wrong, in a word: status_500, total_timeout and the like. */
                reason: string;
            } | null;
        };
        /** The secret of a webhook, and its previous one while that still counts. */
        WebhookSecret: {
            /** Identifies the webhook. */
            webhook_id: string;
            /** What its messages are signed with, in the form that Standard Webhooks libraries take. */
            secret: string;
            /** What they are signed with as well while the registry replaces its secrets; null at other times. It ends without further notice. */
            previous_secret: string | null;
        };
        /** Which webhook is ended. */
        WebhookDeleted: {
            /** Which webhook it was. */
            webhook_id: string;
            /** From when nothing is sent, RFC 3339 in UTC. */
            deleted_at: string;
        };
        /** From where on. */
        WebhookReplayRequest: {
            /**
             * Log position of the first message that is sent again; 0 is the beginning.
             * @example 48213
             */
            from_position: string;
        };
        /** A requested replay. */
        WebhookReplay: {
            /** Which webhook it is. */
            webhook_id: string;
            /**
             * Log position of the first message that is sent again; 0 is the beginning.
             * @example 48213
             */
            from_position: string;
            /** When it was requested, RFC 3339 in UTC. */
            requested_at: string;
        };
        /** A message that is not delivered, or one that was delivered lately. */
        WebhookDelivery: {
            /** The webhook-id of the message, the same at every attempt. */
            webhook_message_id: string;
            /**
             * The type of the message.
             * @enum {string}
             */
            type: "trust_score.changed" | "organisation.record_changed" | "org_domain.yielded" | "agent.suspended" | "agent.reinstated" | "agent.retired" | "organisation.disabled" | "organisation.enabled";
            /**
             * Whether it is still to be delivered, was given up, or was delivered.
             * @enum {string}
             */
            status: "pending" | "dead" | "delivered";
            /** The agent that it concerns; null for a notice of the organisation. */
            agent_id: string | null;
            /** Log position of the event that caused it, decimal digits. */
            position: string;
            /** The trust score from this change on, 0 to 100; null for a notice. */
            trust_score: number | null;
            /** The trust score until then; null if the score begins here, and for a notice. */
            previous_score: number | null;
            /** How often it was sent. */
            attempts: number;
            /** When it is sent next; null if it was given up or delivered, or waits for an earlier message of the agent, RFC 3339 in UTC. */
            next_attempt_at: string | null;
            /** When it was last sent, RFC 3339 in UTC. */
            last_attempt_at: string | null;
            /** Why the last attempt that failed did, in a word. */
            last_failure: string | null;
            /** When its consumer accepted it; null if it has not, RFC 3339 in UTC. */
            delivered_at: string | null;
        };
        /** A listener and its secret. */
        WebhookListener: {
            /** Names the listener. */
            listener_id: string;
            /** Signs its messages. */
            secret: string;
        };
        /** The messages of one event. */
        ListenedMessages: {
            /** Log position of the event that caused the messages; the id of the server-sent event. */
            position: string;
            /** One for each agent whose score or state the event changed. */
            messages: {
                /** The headers that a delivery has: webhook-id, webhook-timestamp, webhook-signature, content-type, user-agent. */
                headers: {
                    [key: string]: string;
                };
                /** The body of the delivery, exactly as it is signed. */
                body: string;
            }[];
        };
        /** The agent to move. */
        MoveAgentRequest: {
            /**
             * Identifies the agent, in both universes.
             * @example acme-quote-bot
             */
            agent_id: string;
        };
        /** Where the agent is now, with its record. */
        MoveAgentResponse: {
            /** The agent that was moved. */
            agent_id: string;
            /**
             * Where it is now.
             * @enum {string}
             */
            moved_to: "production" | "sandbox";
            /** Whether /match and /registry show the agent to everybody. */
            discoverable: boolean;
            /** How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
            trust_score: number;
            /** Completed exchanges in production that the agent answered. */
            transaction_count: number;
            /** When it was moved, RFC 3339 in UTC. */
            moved_at: string;
        };
        /** The clone to copy to its live agent. */
        PromoteRequest: {
            /** The clone in the sandbox; required. */
            sandbox_agent_id?: string | null;
            /** Another name of sandbox_agent_id. */
            agent_id?: string | null;
            /** Default: the live agent paired with the clone. */
            real_agent_id?: string | null;
        };
        /** What was copied to which agent. */
        PromoteResponse: {
            /** The clone. */
            sandbox_agent_id: string;
            /** The live agent. */
            real_agent_id: string;
            /** Names of the fields that were copied. */
            fields_copied: string[];
            /** When, RFC 3339 in UTC. */
            promoted_at: string;
        };
        /** The draft to rank, and the filters. */
        PreviewMatchRequest: {
            /**
             * The draft: an agent of the sandbox.
             * @example acme-quote-bot
             */
            sandbox_agent_id: string;
            /** Default: the draft's own capabilities. An empty list requires none. */
            required_capabilities?: string[] | null;
            /** The others must accept one of these rails. A single rail may be a bare string. */
            settlement_rail?: (string | string[]) | null;
        };
        /** The rank of a draft among live agents. */
        PreviewMatchResponse: {
            /** The draft. */
            draft_agent_id: string;
            /** Rank of the draft, 1 for the best. */
            draft_rank: number;
            /** Number of ranked agents, including the draft. */
            total: number;
            /** The best 50, best first. The draft is always included: last if it ranks below them. */
            results: components["schemas"]["PreviewMatchResult"][];
            /** Reasons for the rank and ways to raise it, in a few sentences made from the scores. */
            explanation: string | null;
            /** The limits of a preview. */
            disclaimer: string;
        };
        /** A match result, of the draft or of a live agent. */
        PreviewMatchResult: {
            /** Identifies the agent, in both universes; it cannot be changed. */
            agent_id: string;
            /** The kind of participant: agent. */
            role: string;
            /** Whether an organisation or the operator vouches for the agent. */
            verified: boolean;
            /** How far the agent can be trusted: 70 or more proceed, 50 to 69 with limits, below 50 abort. */
            trust_score: number;
            /** The version of the rules that computed the score. */
            trust_policy: string;
            /**
             * How sure the score is, beside it and no part of it; null where suspended or retired agents are shown with 0.
             * @default null
             */
            confidence: components["schemas"]["TrustConfidence"] | null;
            /**
             * The organisation that the agent belongs to; null without one.
             * @default null
             */
            org_id: string | null;
            /** Name of the organisation that the agent belongs to. */
            org_name: string | null;
            /** The organisation's domain, in lower case and punycode. */
            org_domain: string | null;
            /** Whether the organisation has proved that the org_domain is its own; without that it is taken at its word. */
            domain_verified: boolean;
            /** What the agent is best at, in free text. */
            specialty: string | null;
            /** What the agent can do, by weight: at most one of weight 3, two of weight 2 and three of weight 1. */
            capabilities: components["schemas"]["WeightedCapability"][];
            /** What to know before dealing with the agent. */
            flags: ("unregistered" | "unverified" | "no_transactions" | "no_endpoint" | "low_trust" | "domain_proof_lapsed" | "sandbox" | "suspended" | "retired")[];
            routing: components["schemas"]["PublicRouting"];
            /**
             * The messages that the agent accepts: a2a envelopes, mcp (JSON-RPC), or raw JSON.
             * @enum {string}
             */
            message_protocol: "a2a" | "mcp" | "raw";
            /** Whether an a2a agent accepts the JSON-RPC envelope; otherwise it receives the content of the parts. */
            a2a_compliant: boolean;
            /** Media types that the agent accepts. */
            accepted_content_types: string[];
            /** The units that the agent expects in payloads. */
            payload_schema: components["schemas"]["PayloadSchema"] | null;
            /** How to get the agent's own credentials, if it requires any. */
            signup_help: string | null;
            /** The header that carries the agent's own credentials; send it in forwarded_headers of /call. */
            auth_header_name: string | null;
            /** Successful reviews among all reviews received, 0 to 1; null without reviews. */
            success_rate: number | null;
            /** Completed exchanges in production that the agent answered. */
            transaction_count: number;
            /** When the agent was last active: a call, an answer or a change of its record. RFC 3339 in UTC. */
            last_active: string;
            /** How it answers calls through the registry, beside the score and no part of it; null before the first. */
            liveness: components["schemas"]["Liveness"] | null;
            /**
             * What to do at this trust_score.
             * @enum {string}
             */
            recommended_action: "proceed" | "proceed_with_limits" | "abort" | "block";
            /** Rank among the matches, 0 to 1 with four decimals: 0.6 capability, 0.25 trust, 0.1 success, 0.05 activity. */
            match_score: number;
            /** One for each required capability that the agent has. */
            match_reasons: components["schemas"]["MatchReason"][];
            match_parts: components["schemas"]["MatchParts"];
            /** Whether this is the draft itself. */
            is_draft: boolean;
        };
        /** Something that happened to an agent, as its owner sees it. */
        AgentEvent: {
            /** Its place in the event log; positions follow the order of commits. */
            position: string;
            /** Identifies the event permanently. */
            event_id: string;
            /** What happened, in a word. */
            type: string;
            /** When the log recorded it, RFC 3339 in UTC. */
            recorded_at: string;
            /** Where an exchange, review or settlement took place; null for every other event. */
            universe: ("production" | "sandbox") | null;
            /** Who did it. */
            actor: {
                /** Who did it: agent, organisation, admin, operator, system or anonymous. */
                kind: string;
                /** An agent's id, or the name of your organisation; null for others. */
                id: string | null;
                /** The named key of your organisation that was used, if it was one. */
                key_id?: string;
                /** The kinds of credentials that proved it: agent_key, signature, production_key, sandbox_key, admin_token, admin_key, claim_token, call_ref; empty for none, null if they were not recorded or are those of an operator with a name. */
                credentials: string[] | null;
            };
            /** The X-Request-Id of the request that caused it; null for another party's request. */
            request_id: string | null;
            /** Shared by the events of one command or call; null for another party's request. */
            causation_id: string | null;
            /** The W3C trace context of the request that caused it, which an operator or the registry may have made, too; null for another party's request, and if there was no trace. */
            traceparent: string | null;
            /** What happened. */
            data: {
                [key: string]: unknown;
            };
            /** Whether it has left the log: what happened is in a segment of the archive, and not shown here. */
            archived: boolean;
            /** Its place among all events, from 0: its leaf in the log's Merkle tree. */
            leaf_index: string;
            /** The hash of its leaf, in hex, which GET /log/proof/inclusion proves. */
            leaf_hash: string;
            /** The event as its leaf holds it: `leaf_hash` is SHA-256 of a zero byte and the canonical JSON (RFC 8785) of this. Null if the leaf has more than is shown above, such as the hash of a key or the request of another party, and for an archived event. */
            entry: components["schemas"]["LogEntry"] | null;
        };
        /** An event as its leaf of the tree holds it. */
        LogEntry: {
            /** Place in the event log, decimal digits. */
            position: string;
            /** Id of the event. */
            event_id: string;
            /** The stream that contains it. */
            stream: string;
            /** Place in that stream, from 0, decimal digits. */
            revision: string;
            /** What happened. */
            type: string;
            /** When it was recorded, RFC 3339 in UTC. */
            recorded_at: string;
            /** Who caused it, with which kind of credential, and by which request. */
            metadata: {
                [key: string]: unknown;
            };
            /** The data of the event, as stored; personal data only as its hash. */
            data: {
                [key: string]: unknown;
            };
        };
        /** An event as the log holds it, for its operators. */
        LoggedEvent: {
            /** Its place in the event log; positions follow the order of commits. */
            position: string;
            /** Identifies the event permanently. */
            event_id: string;
            /** The stream that contains it. */
            stream: string;
            /** Its place in the stream, from 0. */
            revision: string;
            /** What happened, in a word. */
            type: string;
            /** When the log recorded it, RFC 3339 in UTC. */
            recorded_at: string;
            /** Who caused it and how: `actor` (`kind`, `id`, `issuer`, `keyId`, `credentials`), `correlationId` (the X-Request-Id of the request), `causationId`, `schemaVersion`. */
            metadata: {
                [key: string]: unknown;
            };
            /** What happened in full, as it is stored. Personal data is replaced by its SHA-256. */
            data: {
                [key: string]: unknown;
            };
            /** Which operator caused it, from `metadata`; null if none did. */
            operator: {
                /** The name of the key, or what the issuer of the token calls the operator; null for break-glass. */
                id: string | null;
                /** Who vouches for the id; null for the registry itself. */
                issuer: string | null;
                /** Whether a secret of the installation was used, ADMIN_TOKEN or ADMIN_KEY, which names nobody. */
                break_glass: boolean;
            } | null;
            /** Its place among all events, from 0: its leaf in the log's Merkle tree. */
            leaf_index: string;
            /** Whether it has left the log: what happened is in a segment of the archive, and not shown here. */
            archived: boolean;
            /** SHA-256 of a zero byte and the canonical JSON (RFC 8785) of the first eight members, in hex. */
            leaf_hash: string;
        };
        /** That an agent's personal data is gone. */
        PersonalDataErased: {
            /** Whose data it was. */
            agent_id: string;
            /**
             * The contact of the agent, and what it has answered to reviews, is no longer shown.
             * @constant
             */
            status: "erased";
            /** When it was last erased, RFC 3339 in UTC; null for an agent that never had any. */
            erased_at: string | null;
        };
        /** The operator of a credential. */
        OperatorWhoami: {
            /** Under which name the operator acts; null for the token of the installation. */
            name: string | null;
            /** Who vouches for the name; null for the registry itself. */
            issuer: string | null;
            /**
             * What the operator may do, with all that the lesser roles may.
             * @enum {string}
             */
            role: "viewer" | "operator" | "admin";
            /**
             * A key, a token of the issuer, or the token of the installation: break-glass, which names nobody.
             * @enum {string}
             */
            credential: "operator_key" | "oidc_token" | "admin_token";
            /** Until when it works; null for the token of the installation, RFC 3339 in UTC. */
            expires_at: string | null;
        };
        /** Why the operator does this. */
        OperatorReason: {
            /** Why, for the log and the agent's owner. It cannot be erased: name no person. */
            reason: string;
        };
        /** That an agent is suspended. */
        AgentSuspended: {
            /** The agent. */
            agent_id: string;
            /**
             * Nobody reaches the agent or acts as it.
             * @constant
             */
            status: "suspended";
            /** Why, as the suspension that holds was given it. */
            reason: string;
            /** Since when, RFC 3339 in UTC. */
            suspended_at: string;
        };
        /** That an agent is not suspended. */
        AgentReinstated: {
            /** The agent. */
            agent_id: string;
            /**
             * The agent is not suspended.
             * @constant
             */
            status: "reinstated";
        };
        /** That an organisation is disabled. */
        OrganisationDisabled: {
            /** Id of the organisation. */
            org_id: string;
            /** Its name. */
            org_name: string;
            /**
             * Its keys are refused and its agents are suspended.
             * @constant
             */
            status: "disabled";
            /** Why, as it was disabled for. */
            reason: string;
            /** Since when, RFC 3339 in UTC. */
            disabled_at: string;
        };
        /** That an organisation is not disabled. */
        OrganisationEnabled: {
            /** Id of the organisation. */
            org_id: string;
            /** Its name. */
            org_name: string;
            /**
             * It is not disabled.
             * @constant
             */
            status: "enabled";
        };
        /** The new keys of an organisation, which are shown once. */
        OrganisationKeysReissued: {
            /** Id of the organisation. */
            org_id: string;
            /** Its name. */
            org_name: string;
            /** The new production key. */
            api_key: string;
            /** The new sandbox key. */
            sandbox_api_key: string;
            /** When, RFC 3339 in UTC. */
            reissued_at: string;
        };
        /** Which reviews to void, and why. All conditions must hold; unknown members are refused. */
        VoidReviewsRequest: {
            /** Why, for the log and the owners of the reviewed agents. It cannot be erased: name no person. */
            reason: string;
            /** Only reviews of these exchanges. */
            transaction_ids?: string[];
            /** Only reviews by these agents. */
            reviewer_agent_ids?: string[];
            /** Only reviews of these agents. */
            agent_ids?: string[];
            /**
             * Format: date-time
             * Only reviews made at or after this moment, RFC 3339.
             */
            reviewed_from?: string;
            /**
             * Format: date-time
             * Only reviews made before this moment, RFC 3339.
             */
            reviewed_until?: string;
            /** true: only shows what would be voided. Required, as voiding is final. */
            dry_run: boolean;
        };
        /** Reviews that were voided. */
        ReviewsVoided: {
            /** true: nothing was voided. */
            dry_run: boolean;
            /** Those that were voided, or would be, oldest first; at most 1000. */
            reviews: components["schemas"]["SelectedReview"][];
            /** How many more are selected: repeat the request until it is 0. */
            remaining: number;
        };
        /** A review that was selected to be voided. */
        SelectedReview: {
            /** The exchange that was reviewed. */
            transaction_id: string;
            /** The reviewed agent. */
            agent_id: string;
            /** Who reviewed it. */
            reviewer_agent_id: string;
            /** Whether the reviewer got the requested result. */
            success: boolean;
            /** 1, very bad, to 10, excellent. */
            score: number;
            /** When, RFC 3339 in UTC. */
            reviewed_at: string;
        };
        /** A refusal; if it lists reviews, these are void all the same. */
        ReviewsVoidedAnyway: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
            /** true: nothing was voided. */
            dry_run?: boolean;
            /** Those that were voided, or would be, oldest first; at most 1000. */
            reviews?: components["schemas"]["SelectedReview"][];
            /** How many more are selected: repeat the request until it is 0. */
            remaining?: number;
        };
        /** What an organisation did by UTC days, and what it may do. */
        OrgUsage: {
            /** Name of the organisation. */
            org_name: string;
            limits: components["schemas"]["DailyLimits"];
            /** The days on which the organisation did something, oldest first. */
            days: components["schemas"]["DayUsage"][];
        };
        /** The limits that hold now. */
        DailyLimits: {
            /** Calls and payments in a UTC day; 0: no limit. */
            calls_per_day: number;
            /** Registrations in a UTC day; 0: no limit. */
            registrations_per_day: number;
            /** Reads in a UTC day; 0: no limit. */
            reads_per_day: number;
        };
        /** What an organisation did in one day. */
        DayUsage: {
            /**
             * Format: date
             * The UTC day.
             */
            day: string;
            /** Calls, and payments as an agent. */
            calls: {
                /** Requests that count towards the limit, in both universes. */
                used: number;
                /** Those of them in production. */
                in_production: number;
                /** Those of them in the sandbox. */
                in_sandbox: number;
                /** Requests that ended with an error, whether or not they count. */
                failed: number;
                /** Requests beyond the limit, 429 `quota_exceeded`. */
                refused: number;
            };
            /** Registrations. */
            registrations: {
                /** Requests that count towards the limit, in both universes. */
                used: number;
                /** Those of them in production. */
                in_production: number;
                /** Those of them in the sandbox. */
                in_sandbox: number;
                /** Requests that ended with an error, whether or not they count. */
                failed: number;
                /** Requests beyond the limit, 429 `quota_exceeded`. */
                refused: number;
            };
            /** Reads. */
            reads: {
                /** Requests that count towards the limit, in both universes. */
                used: number;
                /** Those of them in production. */
                in_production: number;
                /** Those of them in the sandbox. */
                in_sandbox: number;
                /** Requests that ended with an error, whether or not they count. */
                failed: number;
                /** Requests beyond the limit, 429 `quota_exceeded`. */
                refused: number;
            };
        };
        /** All three limits; each replaces the one before. */
        OrganisationLimitsRequest: {
            /**
             * Calls and payments in a UTC day. 0: no limit; null or absent: the default of the installation.
             * @default null
             */
            calls_per_day?: number | null;
            /**
             * Registrations in a UTC day. 0: no limit; null or absent: the default of the installation.
             * @default null
             */
            registrations_per_day?: number | null;
            /**
             * Reads in a UTC day. 0: no limit; null or absent: the default of the installation.
             * @default null
             */
            reads_per_day?: number | null;
            /** Why, for the log's readers. It cannot be erased: name no person. */
            reason: string;
        };
        /** How much an organisation may do in a UTC day, with all its keys and agents, in production and its sandbox together. */
        OrganisationLimits: {
            /** Calls and payments in a UTC day; 0: no limit. */
            calls_per_day: number;
            /** Registrations in a UTC day; 0: no limit. */
            registrations_per_day: number;
            /** Reads in a UTC day; 0: no limit. */
            reads_per_day: number;
            /** Id of the organisation. */
            org_id: string;
            /** Its name. */
            org_name: string;
            own: components["schemas"]["OwnLimits"];
            /** Why the operator set them; null if nothing was set. */
            reason: string | null;
            /** When they were set; null if nothing was, RFC 3339 in UTC. */
            set_at: string | null;
        };
        /** What was set for the organisation itself: 0 is no limit, null the default of the installation. */
        OwnLimits: {
            /** Calls and payments. */
            calls_per_day: number | null;
            /** Registrations. */
            registrations_per_day: number | null;
            /** Reads. */
            reads_per_day: number | null;
        };
        /** What an organisation did by UTC days, as operators see it. */
        OrganisationUsage: {
            /** Id of the organisation. */
            org_id: string;
            /** Its name. */
            org_name: string;
            limits: components["schemas"]["DailyLimits"];
            /** The days on which the organisation did something, oldest first. */
            days: components["schemas"]["DayUsage"][];
        };
        /** The key to create. */
        OperatorKeyRequest: {
            /** Under which name its holder acts, in the audit trail: of a person or a machine. It cannot be erased. */
            name: string;
            /**
             * What it may do: viewer reads, operator also acts, admin also decides over keys.
             * @enum {string}
             */
            role: "viewer" | "operator" | "admin";
            /**
             * Format: date-time
             * Until when it works, RFC 3339: at most 366 days; default: 90 days.
             */
            expires_at?: string;
        };
        /** A new key of an operator, which is shown once. */
        OperatorKeyCreated: {
            /** Identifies the key. */
            key_id: string;
            /** Under which name its holder acts. */
            name: string;
            /**
             * What it may do.
             * @enum {string}
             */
            role: "viewer" | "operator" | "admin";
            /** The key, for Authorization: Bearer. */
            key: string;
            /** When it was created, RFC 3339 in UTC. */
            created_at: string;
            /** Until when it works, RFC 3339 in UTC. */
            expires_at: string;
        };
        /** A refusal after which the new key may be valid. */
        OperatorKeyIssuedAnyway: {
            /** What is wrong: a list of faults with the status 422, else words for a person. */
            detail: string | components["schemas"]["ValidationItem"][];
            /**
             * Which rule refused the request; the introduction explains each code.
             * @enum {string}
             */
            code: "malformed_request" | "unknown_host" | "expectation_failed" | "request_timeout" | "headers_too_large" | "validation_failed" | "malformed_json" | "payload_too_large" | "unsupported_media_type" | "route_not_found" | "method_not_allowed" | "rate_limited" | "too_many_calls" | "quota_exceeded" | "credential_required" | "invalid_credential" | "invalid_api_key" | "invalid_admin_key" | "browser_request_refused" | "operator_role_too_low" | "caller_mismatch" | "not_owner" | "wrong_universe" | "invalid_rotation_credential" | "agent_suspended" | "agent_retired" | "organisation_disabled" | "claim_by_owner_only" | "agent_not_found" | "agent_id_taken" | "org_domain_taken" | "org_fields_forbidden" | "sandbox_key_required" | "contact_required" | "price_schedule_incomplete" | "capability_weights_exceeded" | "invalid_public_key" | "unknown_position" | "invalid_claim_token" | "contact_email_missing" | "already_paired" | "idempotency_key_reused" | "idempotency_key_in_use" | "invalid_domain" | "domain_not_allowed" | "agent_card_invalid" | "domain_unreachable" | "clone_paired" | "already_in_universe" | "not_a_confirmed_pair" | "org_name_taken" | "sandbox_key_exists" | "sandbox_key_absent" | "organisation_not_found" | "no_organisation_records" | "org_key_scope_missing" | "org_key_not_found" | "org_key_name_taken" | "org_key_limit_reached" | "org_key_ended" | "domain_not_requested" | "domain_proof_not_found" | "domain_proved_by_other" | "domain_not_proved" | "operator_key_not_found" | "operator_key_name_taken" | "operator_key_limit_reached" | "invalid_sign_in_code" | "demo_absent" | "demo_in_progress" | "webhook_not_found" | "webhook_limit_reached" | "webhook_url_not_allowed" | "replay_in_progress" | "replay_not_found" | "replay_ended" | "no_endpoint" | "invalid_message" | "call_already_made" | "downstream_failed" | "target_unavailable" | "target_busy" | "caller_trust_too_low" | "same_org_domain" | "self_review" | "no_unreviewed_exchange" | "already_reviewed" | "exchange_archived" | "already_answered" | "review_not_found" | "not_in_log" | "log_inconsistent" | "trust_policy_active" | "trust_policy_name_taken" | "trust_policy_outdated" | "trust_policy_not_found" | "policy_job_in_progress" | "policy_job_not_found" | "policy_job_ended" | "policy_job_not_done" | "policy_trial_agent_not_found" | "policy_attack_not_found" | "read_model_behind" | "log_rolled_back" | "write_conflict" | "overloaded" | "unavailable" | "internal";
            /** The X-Request-Id of the answer. */
            request_id: string;
            /** The key, for Authorization: Bearer. */
            key?: string;
            /** Identifies the key. */
            key_id?: string;
        };
        /** A key of an operator, without the secret. */
        OperatorKey: {
            /** Under which name its holder acts. */
            name: string;
            /**
             * What it may do.
             * @enum {string}
             */
            role: "viewer" | "operator" | "admin";
            /** When it was created, RFC 3339 in UTC. */
            created_at: string;
            /** Who created it. */
            created_by: {
                /** The operator who created it; null for the token of the installation. */
                id: string | null;
                /** Who vouches for that operator; null for the registry itself. */
                issuer: string | null;
            };
            /** Until when it works, RFC 3339 in UTC. */
            expires_at: string;
            /** When it was revoked; null if it was not, RFC 3339 in UTC. */
            revoked_at: string | null;
            /** Why it was revoked; null if it was not. */
            revoked_for: string | null;
            /** Identifies the key. */
            key_id: string;
            /**
             * Whether it works now.
             * @enum {string}
             */
            status: "active" | "expired" | "revoked";
            /** When it was last used, to within a minute; null if that is not known or it was never used, RFC 3339 in UTC. */
            last_used_at: string | null;
        };
        /** Why the key is revoked. */
        OperatorKeyRevocation: {
            /** Why, for the log. It cannot be erased: name no person. */
            reason: string;
        };
        /** That a key of an operator is revoked. */
        OperatorKeyRevoked: {
            /** Identifies the key. */
            key_id: string;
            /** Under which name its holder acts. */
            name: string;
            /**
             * It fails everywhere.
             * @constant
             */
            status: "revoked";
            /** Why, as it was revoked for first. */
            reason: string;
            /** Since when, RFC 3339 in UTC. */
            revoked_at: string;
        };
        /** What the code is for. */
        SignInCodeRequest: {
            /**
             * What the tab may do: at most what the asking operator may.
             * @default operator
             * @enum {string}
             */
            role?: "viewer" | "operator" | "admin";
        };
        /** A single-use code, which is shown once. */
        SignInCode: {
            /** The code, for POST /ops/sign-in. */
            code: string;
            /** The console's address with the code in its fragment, which no browser sends. */
            link: string;
            /**
             * What the tab may do.
             * @enum {string}
             */
            role: "viewer" | "operator" | "admin";
            /** Until when the code can be redeemed, RFC 3339 in UTC. */
            expires_at: string;
        };
        /** What the code is redeemed with. */
        SignIn: {
            /** The code. */
            code: string;
        };
        /** State of the installation. */
        OperationsStatus: {
            /** When this was asked, RFC 3339 in UTC. */
            checked_at: string;
            /** The answer of GET /health. */
            health: components["schemas"]["Health"];
            /** Instances that answered in time, by service. */
            instances: {
                /** Which service. */
                service: string;
                /** Its INSTANCE_ID. */
                instance_id: string;
                /** The version that it runs. */
                version: string;
                /** Since when it runs, RFC 3339 in UTC. */
                started_at: string;
                /** Of trust-projection: whether it writes the read models; null where all instances work alike. */
                role: ("active" | "standby") | null;
                /** What is wrong with it; null if nothing is. */
                fault: string | null;
            }[];
            /** Services of which no instance has answered. */
            services_missing: string[];
            /** How long the oldest event that the read models do not have yet has been in the log: 0 if they have all, null if it is unknown. */
            lag_seconds: number | null;
            /** The event at which the read models stopped, since it cannot be applied; null if there is none. */
            poison_event: {
                /** Log position of the event. */
                position: string;
                /** Why it cannot be applied. */
                message: string;
                /** The instance that writes the read models, and stopped there. */
                instance_id: string;
            } | null;
            /** The newest signed head of the log; null if none was signed. It is signed when somebody asks for one. */
            checkpoint: {
                /** Events that it covers. */
                size: number;
                /** When it was signed, RFC 3339 in UTC. */
                signed_at: string;
                /** Why nothing is signed at present; null if nothing is wrong. */
                fault: string | null;
                /** When a witness last cosigned a checkpoint that this log begins with, RFC 3339 in UTC. */
                witnessed_at: string | null;
            } | null;
            /** The witnesses of LOG_WITNESSES, by what they publish; null if that is unknown. */
            witnesses: {
                /** Its name, as its verifier key has it. */
                name: string;
                /** Events of the newest checkpoint that it has cosigned and that this log begins with; null before one was read. */
                size: number | null;
                /** When it did, by its own clock, RFC 3339 in UTC. */
                cosigned_at: string | null;
                /** Whether it has cosigned what this log does not begin with: the log was cut, rewritten or forked. */
                contradicts_log: boolean;
                /** That, or why it could not be read the last time; null if nothing is wrong. */
                fault: string | null;
            }[] | null;
            /** What waits to be sent; null if it is unknown. */
            webhooks: {
                /** Webhooks of all organisations. */
                webhooks: number;
                /** Of those, disabled after their consumer answered 410. */
                disabled: number;
                /** Of those, with more to send than may be queued for one. */
                behind: number;
                /** Queued messages that wait for delivery. */
                pending: number;
                /** When the change of the oldest queued message was, RFC 3339 in UTC. */
                oldest_pending_at: string | null;
                /** Messages that were given up. */
                dead_letters: number;
            } | null;
            /** The replay that is under way; null if there is none. */
            replay: components["schemas"]["Replay"] | null;
        };
        /** A replay of the read models. */
        Replay: {
            /** Names the replay. */
            replay_id: string;
            /**
             * starting, running; switched: the new read models are live; rows_differ: nothing was switched; stopped: cancelled, or its instance stopped; failed: see `error`; interrupted: its process ended without a word, and nothing was switched.
             * @enum {string}
             */
            state: "starting" | "running" | "switched" | "rows_differ" | "stopped" | "failed" | "interrupted";
            /** Whether it switches even if rows differ. */
            accept_differences: boolean;
            /** Name of the trust policy that it puts in force; null for a replay that keeps the policy. */
            policy: string | null;
            /** Who asked for it: the kind of operator, with the name if there is one; null for the command line. */
            requested_by: string | null;
            /** The instance of trust-projection that it runs beside; null for the command line. */
            instance_id: string | null;
            /** When it was asked for, RFC 3339 in UTC. */
            requested_at: string;
            /** When it began to build, RFC 3339 in UTC. */
            started_at: string | null;
            /** When it ended, RFC 3339 in UTC. */
            ended_at: string | null;
            /** How far it is, or was; null before it builds. */
            progress: {
                /**
                 * build: apply the events; compare: every row; switch.
                 * @enum {string}
                 */
                phase: "build" | "compare" | "switch";
                /** Events applied. */
                events: number;
                /** Events in all, estimated where positions have gaps. */
                events_total: number;
                /** Part of the log that is done, 0 to 1. */
                fraction: number;
                /** Events applied in a second, on average. */
                events_per_second: number;
                /** How long building will go on at this rate; null if unknown. */
                remaining_seconds: number | null;
            } | null;
            /** What came of it; null unless it is switched or rows_differ. */
            result: {
                /** Events read from the log. */
                events: number;
                /** From the start to the end. */
                duration_ms: number;
                /** While building, without comparison and switch. */
                events_per_second: number;
                /** Log position that the new read models had at the end. */
                position: string | null;
                /** Whether the new read models are live. */
                switched: boolean;
                /** Null if the live read models were of another version: their rows mean something else. */
                comparison: {
                    /** The position at which both were compared. */
                    position: string | null;
                    /** Rows compared. */
                    rows: number;
                    /** Rows that differ. */
                    rows_differing: number;
                    /** The tables whose rows differ. */
                    tables: {
                        /** The table. */
                        table: string;
                        /** In this table. */
                        rows_differing: number;
                    }[];
                } | null;
                /** What the switch to another trust policy did to scores; null for a replay that keeps the policy. */
                activation: {
                    /** Name of the policy that was in force. */
                    previous_policy: string;
                    /** Log position from which on the policy is in force. */
                    position: string;
                    /** Agents at the switch. */
                    agents: number;
                    /** Of those, agents whose score changed. */
                    moved: number;
                    /** Agents at 70 or above. */
                    trusted: {
                        /** By the policy before. */
                        before: number;
                        /** By the policy in force now. */
                        after: number;
                    };
                    /** Agents at 50 or above. */
                    caution: {
                        /** By the policy before. */
                        before: number;
                        /** By the policy in force now. */
                        after: number;
                    };
                } | null;
            } | null;
            /** Why it failed or was interrupted. */
            error: string | null;
        };
        /** What happened in the last quarter of an hour. */
        OperationsRates: {
            /** When this was asked, RFC 3339 in UTC. */
            checked_at: string;
            /** Length of a step. */
            step_seconds: number;
            /** Where the first step begins, RFC 3339 in UTC. */
            since: string;
            /** Of all gateways that answered. */
            sum: components["schemas"]["Rates"];
            /** Each gateway that answered in time. */
            gateways: {
                /** Its INSTANCE_ID. */
                instance_id: string;
                /** Of this gateway. */
                rates: components["schemas"]["Rates"];
            }[];
            /** Log head and read models over the same time; null if no instance answered. */
            projection: {
                /** The instance of trust-projection that looked: the active one if it answered. */
                instance_id: string;
                /** Where both were, for each step, oldest first; null for a step of which nothing is known. */
                points: (components["schemas"]["LagPoint"] | null)[];
            } | null;
        };
        /** What was counted in the last quarter of an hour. */
        Rates: {
            /** Requests answered, for each step, oldest first; null for a step of which nothing is known. */
            requests: (number | null)[];
            /** Those to POST /call, for each step, oldest first; null for a step of which nothing is known. */
            calls: (number | null)[];
            /** Those to POST /verify and /verify/batch, for each step, oldest first; null for a step of which nothing is known. */
            verifies: (number | null)[];
            /** Requests answered with an error, by code; codes without any are left out. */
            refusals: {
                /** The error's code. */
                code: string;
                /** Requests answered with it, for each step, oldest first; null for a step of which nothing is known. */
                counts: (number | null)[];
            }[];
        };
        /** How far the read models were behind the log. */
        LagPoint: {
            /** How far the read models were; null if they had read nothing. */
            position: string | null;
            /** How far the log went; null if it was empty. */
            head_position: string | null;
            /** The distance between the two. */
            lag: number;
        };
        /** How to replay. */
        ReplayRequest: {
            /**
             * Switch even if rows differ: the code of the projections was changed on purpose.
             * @default false
             */
            accept_differences?: boolean;
        };
        /** A webhook and its state, as operators see it: without its secret. */
        OperatorWebhook: {
            /** Identifies the webhook. */
            webhook_id: string;
            /** Where its messages are sent. */
            url: string;
            /** Agents that it reports on; null for all of the organisation's own in production. */
            agent_ids: string[] | null;
            /** When it was registered, RFC 3339 in UTC. */
            created_at: string;
            /**
             * disabled after its consumer answered 410; a replay enables it again.
             * @enum {string}
             */
            status: "active" | "disabled";
            /** When it was disabled, RFC 3339 in UTC. */
            disabled_at: string | null;
            /** Of a disabled webhook: the lowest position whose message was not delivered; a replay from there misses none. */
            resume_from: string | null;
            /** Queued messages that wait for delivery. */
            pending: number;
            /** Messages that were given up after the last attempt. */
            dead_letters: number;
            /** When its consumer last accepted a message, RFC 3339 in UTC. */
            last_delivered_at: string | null;
            /** The last attempt that failed. */
            last_failure: {
                /** When it was, RFC 3339 in UTC. */
                at: string;
                /** What went wrong, in a word: status_500, total_timeout and the like. */
                reason: string;
            } | null;
            /** The organisation whose webhook it is. */
            org_id: string;
        };
        /** How to play it. */
        DemoRequest: {
            /**
             * How long it rests after each step, so that people can follow.
             * @default 500
             */
            pause_ms?: number;
        };
        /** How the demo goes, or went. */
        Demo: {
            /**
             * idle: not played since the start; failed: see `error`; stopped: `npm start` stops.
             * @enum {string}
             */
            state: "idle" | "running" | "finished" | "failed" | "stopped";
            /** Who asked for it: the kind of operator, with the name if there is one. */
            requested_by: string | null;
            /** When it began, RFC 3339 in UTC. */
            started_at: string | null;
            /** When it ended, RFC 3339 in UTC. */
            ended_at: string | null;
            /** What has happened so far, oldest first. */
            steps: {
                /**
                 * chapter: a heading; registered: an agent joined; found: a match; called: an exchange; reviewed: a review and the new score; judged: the verdict at the end.
                 * @enum {string}
                 */
                kind: "chapter" | "registered" | "found" | "called" | "reviewed" | "judged";
                /** When it happened, RFC 3339 in UTC. */
                at: string;
                /** The step in words. */
                text: string;
                /** More about it, line by line. */
                details: string[];
                /** The agent that it is about; null for a chapter. */
                agent_id: string | null;
                /** Who called or reviewed it; null in other steps. */
                caller_agent_id: string | null;
                /** The exchange; null in other steps than called and reviewed. */
                transaction_id: string | null;
                /** The agent's score after the step; null if the step does not show it. */
                trust_score: number | null;
                /** Its score before a review; null in other steps. */
                trust_score_before: number | null;
                /** What the score means; null if the step does not show it. */
                recommended_action: string | null;
            }[];
            /** Why it failed. */
            error: string | null;
        };
        /** The trust policies that can be named. */
        TrustPolicies: {
            /** Name of the policy by which scores are computed now. */
            in_force: string;
            /** The policies that come with the registry, and those that were in force, the newest of them. */
            policies: {
                /** Its name. */
                name: string;
                /** Whether it is in force. */
                in_force: boolean;
                /** Whether it comes with the registry. */
                built_in: boolean;
                /** When it was last put in force; null for one that the log has not activated, RFC 3339 in UTC. */
                activated_at: string | null;
                /** Log position of that activation; null without one. */
                position: string | null;
                /** The policy itself, as it is written. */
                document: components["schemas"]["TrustPolicy"];
            }[];
            /** JSON Schema (2020-12) of a document of formula v1, from which a form can be made. */
            schema: {
                [key: string]: unknown;
            };
            /** The same for each formula. */
            schemas: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        };
        /** A trust policy of formula v1. */
        TrustPolicyV1: {
            /** Its name, which always means the same policy: other constants need another name. */
            name: string;
            /**
             * The code that computes.
             * @constant
             */
            formula: "v1";
            /** The numbers of the formula. Weights are in reviews of full weight, values in 0 to 1, points in 0 to 100. */
            constants: {
                /** K: weight of the prior, in full reviews. */
                strength: number;
                /** Largest share of all weight that one root may have; 1 disables the cap. */
                rootShareMax: number;
                /** Factor of a rating after a failed exchange. */
                failureFactor: number;
                /** A review with a lower value is a bad one ... */
                badBelow: number;
                /** ... and its weight is multiplied by this. */
                badWeight: number;
                /** A lower weight counts as 0. */
                weightMin: number;
                /** Days in which the weight of a review halves. */
                halfLifeDays: number;
                /** Fast fall: maximum age of a recent review, in days. */
                recentAgeDaysMax: number;
                /** Fast fall: recent reviews per root. */
                recentPerRootMax: number;
                /** Fast fall: points by which recent evidence must be below all evidence. */
                fastFallPoints: number;
            };
            /** What agents start from; null: the prior that the registration recorded. */
            priors: {
                /** Prior of an agent that belongs to an organisation. */
                verified: number;
                /** Prior of any other agent. */
                unverified: number;
            } | null;
        };
        /** A trust policy of formula v2: organisations answer for their agents, and praise needs standing. */
        TrustPolicyV2: {
            /** Its name, which always means the same policy: other constants need another name. */
            name: string;
            /**
             * The code that computes.
             * @constant
             */
            formula: "v2";
            /** The numbers of the formula: those of v1 and some more. */
            constants: {
                /** K: weight of the prior, in full reviews. */
                strength: number;
                /** Largest share of all weight that one root may have; 1 disables the cap. */
                rootShareMax: number;
                /** Factor of a rating after a failed exchange. */
                failureFactor: number;
                /** A review with a lower value is a bad one ... */
                badBelow: number;
                /** ... and its weight is multiplied by this. */
                badWeight: number;
                /** A lower weight counts as 0. */
                weightMin: number;
                /** Days in which the weight of a review halves. */
                halfLifeDays: number;
                /** Fast fall: maximum age of a recent review, in days. */
                recentAgeDaysMax: number;
                /** Fast fall: recent reviews per root. */
                recentPerRootMax: number;
                /** Fast fall: points by which recent evidence must be below all evidence. */
                fastFallPoints: number;
                /** Vouchers that make an organisation an established one. */
                establishedBy: number;
                /** Largest share of all weight for praise by a root that is not established. */
                newRootShareMax: number;
                /** Lowest standing record of an established organisation. */
                establishedRecordMin: number;
                /** An organisation answers for an agent if it has more than this share in its praise. */
                answerShareMin: number;
                /**
                 * What a reviewer without an organisation speaks for: who has raised it, or one root of all such.
                 * @enum {string}
                 */
                unaffiliated: "raisers" | "none";
                /** Records are multiples of this, or 75. */
                recordStep: number;
                /** The voice of this rank lifts the prior of an unaffiliated agent ... */
                voices: number;
                /** ... by at most this. */
                priorLiftMax: number;
                /** Fast fall: roots with a bad recent review that it needs. */
                fallRootsMin: number;
                /** Fast fall: about as many reviews are recent. */
                recentMax: number;
                /** Organisations that are established without vouchers, by their org_id. */
                anchors: string[];
            };
            /** Agents start from the prior that their registration recorded. */
            priors: null;
        };
        /** A trust policy: the formula, its constants, and what agents start from. */
        TrustPolicy: components["schemas"]["TrustPolicyV1"] | components["schemas"]["TrustPolicyV2"];
        /** Which policy to try. */
        PolicyTrialRequest: {
            /** The trust policy: its document, or the name of one that GET /ops/policies lists. */
            policy: string | components["schemas"]["TrustPolicy"];
        };
        /** A trial of a trust policy on the log. */
        PolicyTrial: {
            /**
             * starting, running; done; stopped: cancelled, or its instance stopped; abandoned: nobody asked for it for some time; failed: see `error`; interrupted: its process ended without a word.
             * @enum {string}
             */
            state: "starting" | "running" | "done" | "stopped" | "abandoned" | "failed" | "interrupted";
            /** Name of the trust policy that is tried. */
            policy: string;
            /** Who asked for it: the kind of operator, with the name if there is one. */
            requested_by: string | null;
            /** The instance of trust-projection that it runs beside. */
            instance_id: string | null;
            /** When it was asked for, RFC 3339 in UTC. */
            requested_at: string;
            /** When it began, RFC 3339 in UTC. */
            started_at: string | null;
            /** When it ended, RFC 3339 in UTC. */
            ended_at: string | null;
            /** How far it is, or was; null before it begins. */
            progress: {
                /** Of a trial: compare (all agents), explain (those that are kept), keep (store them); of a simulation: the attack. */
                step: string;
                /** Events of the step that are read, or runs of the simulation that are made. */
                done: number;
                /** Of how many; estimated where positions of the log have gaps. */
                total: number;
                /** Part of all that is done, 0 to 1. */
                fraction: number;
            } | null;
            /** Why it failed or was interrupted. */
            error: string | null;
            /** Names the trial. */
            trial_id: string;
            /** What was found; null unless it is done. */
            result: {
                /** Name of the policy in force, with which it was compared. */
                in_force: string;
                /** Log position up to which was read; null for an empty log. */
                position: string | null;
                /** Events read. */
                events: number;
                /** Agents, in all universes. */
                agents: number;
                /** Reviews that count for scores. */
                reviews: number;
                /** In what the two policies differ. Constants that only one formula has are left out. */
                changes: {
                    /** Its name in the document: constants.strength, priors, formula. */
                    constant: string;
                    /** In the policy in force: its value, or both priors; null if they are as registered. */
                    in_force: (number | string | string[] | {
                        /** Prior of an agent that belongs to an organisation. */
                        verified: number;
                        /** Prior of any other agent. */
                        unverified: number;
                    }) | null;
                    /** In the policy on trial. */
                    on_trial: (number | string | string[] | {
                        /** Prior of an agent that belongs to an organisation. */
                        verified: number;
                        /** Prior of any other agent. */
                        unverified: number;
                    }) | null;
                }[];
                /** Agents whose score would be another. */
                moved: number;
                /** Of those, higher. */
                up: number;
                /** Of those, lower. */
                down: number;
                /** Who would cross which threshold. */
                thresholds: {
                    /** The score at which consumers decide otherwise. */
                    threshold: number;
                    /** Agents that would rise to it or above. */
                    rise: number;
                    /** Agents that would fall below it. */
                    fall: number;
                }[];
                /** Agents that can be listed and looked at: those that move first in the order of the list. */
                agents_kept: number;
            } | null;
        };
        /** An agent that would move under the policy on trial. */
        PolicyTrialAgent: {
            /** The agent. */
            agent_id: string;
            /**
             * Where it lives.
             * @enum {string}
             */
            universe: "production" | "sandbox";
            /** Trust score by the policy in force, 0 to 100. */
            trust_score: number;
            /** Trust score by the policy on trial, 0 to 100. */
            trial_score: number;
            /** By how much it would move; negative for a fall. */
            change: number;
            /** The thresholds that it would cross. */
            crosses: {
                /** The score at which consumers decide otherwise. */
                threshold: number;
                /**
                 * rises: to it or above; falls: below it.
                 * @enum {string}
                 */
                direction: "rises" | "falls";
            }[];
        };
        /** Why an agent would move, and its score over time by both policies. */
        PolicyTrialAgentDetail: {
            /** The agent. */
            agent_id: string;
            /**
             * Where it lives.
             * @enum {string}
             */
            universe: "production" | "sandbox";
            /** Trust score by the policy in force, 0 to 100. */
            trust_score: number;
            /** Trust score by the policy on trial, 0 to 100. */
            trial_score: number;
            /** By how much it would move; negative for a fall. */
            change: number;
            /** The thresholds that it would cross. */
            crosses: {
                /** The score at which consumers decide otherwise. */
                threshold: number;
                /**
                 * rises: to it or above; falls: below it.
                 * @enum {string}
                 */
                direction: "rises" | "falls";
            }[];
            /**
             * By the policy in force, whether all reviews count, or recent ones alone.
             * @enum {string}
             */
            basis: "all" | "recent";
            /**
             * The same by the policy on trial.
             * @enum {string}
             */
            trial_basis: "all" | "recent";
            /**
             * Its organisation, if one of the policies keeps records of organisations.
             * @default null
             */
            organisation: string | null;
            /**
             * Record of its organisation by the policy in force; null without an organisation, and by formula v1.
             * @default null
             */
            record: number | null;
            /**
             * Record of its organisation by the policy on trial; null without an organisation, and by formula v1.
             * @default null
             */
            trial_record: number | null;
            /** Largest first. They need not sum to the change: constants interact. Empty between formulas. */
            effects: {
                /** Its name in the document: constants.strength, priors, formula. */
                constant: string;
                /** What this change would do by itself, in points, unrounded. */
                points: number;
            }[];
            /** Parts of the score that change, the largest changes first. */
            parts: {
                /**
                 * The prior; what the record of its organisation takes from it; what the third voice adds; or the reviews of a root.
                 * @enum {string}
                 */
                kind: "prior" | "record" | "third_voice" | "root";
                /** The root; the organisation of a record; the root of the third voice; null for the prior. */
                root: string | null;
                /** Points of the score by the policy in force. */
                points: number;
                /** Points of the score by the policy on trial. */
                trial_points: number;
                /**
                 * Largest share of all weight that the root may have by the policy in force; null for anything else.
                 * @default null
                 */
                cap: number | null;
                /**
                 * Largest share of all weight that the root may have by the policy on trial; null for anything else.
                 * @default null
                 */
                trial_cap: number | null;
                /**
                 * Whether that cap cuts it by the policy in force.
                 * @default false
                 */
                is_cut: boolean;
                /**
                 * Whether that cap cuts it by the policy on trial.
                 * @default false
                 */
                trial_is_cut: boolean;
                /**
                 * Whether the root was established when it spoke last, by the policy in force; null where there is no such thing.
                 * @default null
                 */
                established: boolean | null;
                /**
                 * Whether the root was established when it spoke last, by the policy on trial; null where there is no such thing.
                 * @default null
                 */
                trial_established: boolean | null;
            }[];
            /** The scores after each event that changed one of them, oldest first; between two, both stay. */
            history: {
                /** Log position of the event that led to the scores. */
                position: string;
                /** When it was recorded, RFC 3339 in UTC. */
                at: string;
                /** Trust score by the policy in force, 0 to 100. */
                trust_score: number;
                /** Trust score by the policy on trial, 0 to 100. */
                trial_score: number;
            }[];
            /** Whether events were left out of the history, evenly, since there were too many. */
            is_thinned: boolean;
        };
        /** Which policy to attack, with which seeds. */
        PolicySimulationRequest: {
            /** The trust policy: its document, or the name of one that GET /ops/policies lists. */
            policy: string | components["schemas"]["TrustPolicy"];
            /**
             * With which seeds.
             * @default {}
             */
            seeds?: {
                /**
                 * The first seed; the others follow it.
                 * @default 1
                 */
                first?: number;
                /**
                 * How many seeds.
                 * @default 1
                 */
                count?: number;
            };
        };
        /** A simulation of attacks on a trust policy. */
        PolicySimulation: {
            /**
             * starting, running; done; stopped: cancelled, or its instance stopped; abandoned: nobody asked for it for some time; failed: see `error`; interrupted: its process ended without a word.
             * @enum {string}
             */
            state: "starting" | "running" | "done" | "stopped" | "abandoned" | "failed" | "interrupted";
            /** Name of the trust policy that is tried. */
            policy: string;
            /** Who asked for it: the kind of operator, with the name if there is one. */
            requested_by: string | null;
            /** The instance of trust-projection that it runs beside. */
            instance_id: string | null;
            /** When it was asked for, RFC 3339 in UTC. */
            requested_at: string;
            /** When it began, RFC 3339 in UTC. */
            started_at: string | null;
            /** When it ended, RFC 3339 in UTC. */
            ended_at: string | null;
            /** How far it is, or was; null before it begins. */
            progress: {
                /** Of a trial: compare (all agents), explain (those that are kept), keep (store them); of a simulation: the attack. */
                step: string;
                /** Events of the step that are read, or runs of the simulation that are made. */
                done: number;
                /** Of how many; estimated where positions of the log have gaps. */
                total: number;
                /** Part of all that is done, 0 to 1. */
                fraction: number;
            } | null;
            /** Why it failed or was interrupted. */
            error: string | null;
            /** Names the simulation. */
            simulation_id: string;
            /** With which seeds. */
            seeds: {
                /** The first seed; the others follow it. */
                first: number;
                /** How many seeds. */
                count: number;
            };
            /** How many attacks there are. */
            attacks_total: number;
            /** Whether every gate holds but for known misses, and every control misses its gate; null unless it is done. */
            proven: boolean | null;
            /** The attacks that are done, in order; also while it runs. */
            attacks: {
                /** Its name. */
                attack: string;
                /** What is attacked, in words. */
                title: string;
                /** The policy without the protection, which must miss the gates; null without one, and where figures have controls of their own. */
                control: string | null;
                /** Whether it is a variant without gates. */
                beyond_the_table: boolean;
                /** Whether all gates hold but for known misses, and each control misses its own, for all seeds; null without gates. */
                proven: boolean | null;
                /** Its figures. */
                figures: {
                    /** What is measured. */
                    figure: string;
                    /** What the figure must be; null for one without a gate. */
                    gate: {
                        /**
                         * How the figure must compare ...
                         * @enum {string}
                         */
                        relation: "<" | "<=" | ">=" | "=";
                        /** ... with this. */
                        limit: number;
                    } | null;
                    /** The value nearest to missing the gate, or furthest beyond it; null for a count that was not reached. */
                    worst: number | null;
                    /** For each seed; null for a count that was not reached. */
                    values: (number | null)[];
                    /** Seeds for which the gate is missed. */
                    missed_seeds: number[];
                    /** Seeds for which this play misses the gate although the policy is as specified (docs/simulation.md); they prove nothing against it. */
                    known_misses: number[];
                    /** The control of the attack; null without one or without a gate. The same as the first of `controls`. */
                    control: {
                        /** The value nearest to meeting the gate; null for a count that was not reached. */
                        best: number | null;
                        /** For each seed; null for a count that was not reached. */
                        values: (number | null)[];
                        /** Seeds for which the control meets the gate, which it must miss. */
                        passed_seeds: number[];
                    } | null;
                    /** All controls of the figure. */
                    controls: {
                        /** What the control lacks. */
                        name: string;
                        /** The value nearest to meeting the gate; null for a count that was not reached. */
                        best: number | null;
                        /** For each seed; null for a count that was not reached. */
                        values: (number | null)[];
                        /** Seeds for which the control meets the gate, which it must miss. */
                        passed_seeds: number[];
                    }[];
                }[];
            }[];
        };
        /** The course of an attack for one seed. */
        SimulatedCourse: {
            /** Its name. */
            attack: string;
            /** What is attacked, in words. */
            title: string;
            /** What the horizontal axis counts. */
            steps: string;
            /** The seed. */
            seed: number;
            /** Scores to mark: the gate's. */
            marks: {
                /** The score. */
                score: number;
                /** What it is. */
                label: string;
            }[];
            /** Scores over the steps. */
            tracks: {
                /** Whose score. */
                label: string;
                /**
                 * By which of the two.
                 * @enum {string}
                 */
                by: "policy" | "control";
                /** Steps, ascending; evenly left out where there are too many. */
                steps: number[];
                /** The score at each of these steps; null where there is none. */
                scores: (number | null)[];
            }[];
        };
        /** Which policy to put in force. */
        PolicyActivationRequest: {
            /** The trust policy: its document, or the name of one that GET /ops/policies lists. */
            policy: string | components["schemas"]["TrustPolicy"];
        };
        /** The public key of the log, which verifies checkpoints and signed verdicts. */
        LogKey: {
            /** The name of the log: the first line of its checkpoints. */
            origin: string;
            /** The key in the form for readers of signed notes (C2SP signed-note). */
            verifier_key: string;
            /** The same key as a JSON Web Key, for signed verdicts. */
            jwk: {
                /**
                 * RFC 8037.
                 * @constant
                 */
                kty: "OKP";
                /**
                 * RFC 8037.
                 * @constant
                 */
                crv: "Ed25519";
                /** The public key, base64url. */
                x: string;
                /** The key id of verifier_key, and the kid of signed verdicts. */
                kid: string;
                /**
                 * The algorithm of signed verdicts.
                 * @constant
                 */
                alg: "EdDSA";
                /**
                 * For signatures alone.
                 * @constant
                 */
                use: "sig";
            };
            /** Every key that the log is known to have, the present one first. Of those that sign, the present one signs verdicts, and all sign checkpoints. */
            keys: {
                /** The key in the form for readers of signed notes (C2SP signed-note). */
                verifier_key: string;
                /** The same key as a JSON Web Key. */
                jwk: {
                    /**
                     * RFC 8037.
                     * @constant
                     */
                    kty: "OKP";
                    /**
                     * RFC 8037.
                     * @constant
                     */
                    crv: "Ed25519";
                    /** The public key, base64url. */
                    x: string;
                    /** The key id of verifier_key, and the kid of signed verdicts. */
                    kid: string;
                    /**
                     * The algorithm of signed verdicts.
                     * @constant
                     */
                    alg: "EdDSA";
                    /**
                     * For signatures alone.
                     * @constant
                     */
                    use: "sig";
                };
                /** Since when it is known to sign, RFC 3339 in UTC. */
                signs_since: string;
                /** When it was known to sign last; null for a key that signs, RFC 3339 in UTC. */
                signed_until: string | null;
            }[];
        };
        /** Proof that an event is in the log. */
        InclusionProof: {
            /** The leaf of the event, from 0, in the order of the log; decimal digits. */
            leaf_index: string;
            /** Its hash: SHA-256 of a zero byte and the canonical entry (RFC 8785). */
            leaf_hash: string;
            /** The audit path from the leaf up (RFC 6962 §2.1.1), in hex. */
            hashes: string[];
            /** Leaves of the tree: the events of the log up to some moment. */
            size: number;
            /** Root of that tree (RFC 6962), SHA-256 in hex. */
            root: string;
            /** The newest signed checkpoint if the proof is for its tree; null for an older tree. */
            checkpoint: string | null;
        };
        /** Proof that a tree is the beginning of a later one. */
        ConsistencyProof: {
            /** Size of the earlier tree. */
            from: number;
            /** Root of the earlier tree. */
            from_root: string;
            /** Size of the later tree. */
            to: number;
            /** Root of the later tree. */
            to_root: string;
            /** The proof (RFC 6962 §2.1.2), in hex. */
            hashes: string[];
            /** The newest signed checkpoint if the proof is for its tree; null for an older tree. */
            checkpoint: string | null;
        };
        /** A review with the proof that it is in the log. */
        ReviewReceipt: {
            /** The agent that was reviewed. */
            agent_id: string;
            /** The exchange that was reviewed. */
            transaction_id: string;
            entry: components["schemas"]["LogEntry"];
            /** The leaf of the event, from 0, in the order of the log; decimal digits. */
            leaf_index: string;
            /** Its hash: SHA-256 of a zero byte and the canonical entry (RFC 8785). */
            leaf_hash: string;
            /** The audit path from the leaf up (RFC 6962 §2.1.1), in hex. */
            hashes: string[];
            /** Leaves of the tree: the events of the log up to some moment. */
            size: number;
            /** Root of that tree (RFC 6962), SHA-256 in hex. */
            root: string;
            /** The signed checkpoint of that tree (C2SP tlog-checkpoint). */
            checkpoint: string;
        };
        /** A review's leaf in the log's tree. */
        ReviewLeaf: {
            /** The exchange that was reviewed. */
            transaction_id: string;
            /** Place of the review in the event log. */
            position: string;
            /** The leaf of the event, from 0, in the order of the log; decimal digits. */
            leaf_index: string;
            /** Its hash: SHA-256 of a zero byte and the canonical entry (RFC 8785). */
            leaf_hash: string;
        };
        /** An agent card that A2A 0.2, 0.3 and 1.0 read. */
        AgentCard: {
            /** The name of the service. */
            name: string;
            /** What it is, and how it is used. */
            description: string;
            /** The version of its interface. */
            version: string;
            /** The line of A2A that `url` is for. */
            protocolVersion: string;
            /**
             * Format: uri
             * Where clients of A2A 0.2 and 0.3 send messages, to get directions.
             */
            url: string;
            /**
             * The transport of `url`.
             * @constant
             */
            preferredTransport: "JSONRPC";
            /** The same for clients of A2A 1.0. */
            supportedInterfaces: {
                /**
                 * Format: uri
                 * Its address.
                 */
                url: string;
                /**
                 * The transport.
                 * @constant
                 */
                protocolBinding: "JSONRPC";
                /** The line of A2A. */
                protocolVersion: string;
            }[];
            /**
             * Format: uri
             * Pages for people.
             */
            documentationUrl: string;
            /** The supported parts of A2A. */
            capabilities: {
                /**
                 * Nothing is streamed over A2A.
                 * @constant
                 */
                streaming: false;
                /**
                 * Nothing is pushed.
                 * @constant
                 */
                pushNotifications: false;
                /**
                 * There are no tasks.
                 * @constant
                 */
                stateTransitionHistory: false;
                /**
                 * There is no other card.
                 * @constant
                 */
                extendedAgentCard: false;
                /** The interfaces by which the registry is used. */
                extensions: {
                    /**
                     * Format: uri
                     * What the registry is used by: its OpenAPI document, or its MCP server.
                     */
                    uri: string;
                    /** What is there. */
                    description: string;
                    /**
                     * A client need not know it.
                     * @constant
                     */
                    required: false;
                    /** The kind of interface, and its addresses. */
                    params: {
                        [key: string]: string;
                    };
                }[];
            };
            /**
             * There is no other card.
             * @constant
             */
            supportsAuthenticatedExtendedCard: false;
            /** Credentials of the skills; each in the form of A2A 0.3 and, in a member, that of 1.0. */
            securitySchemes: {
                [key: string]: {
                    /** The kind of the scheme in OpenAPI. */
                    type: string;
                } & {
                    [key: string]: unknown;
                };
            };
            /** Media types of a message. */
            defaultInputModes: string[];
            /** Media types of an answer. */
            defaultOutputModes: string[];
            /** What the registry does for agents and organisations. */
            skills: {
                /** The operationId of the OpenAPI document. */
                id: string;
                /** What the operation does, in a few words. */
                name: string;
                /** Method and path, and what there is to know. */
                description: string;
                /** Words to find it by. */
                tags: string[];
                /** A request: method, path, and the body where it has one. */
                examples: string[];
                /** What the operation takes. */
                inputModes: string[];
                /** What it answers. */
                outputModes: string[];
                /** The credentials that it takes, each entry enough by itself, as A2A 0.3 writes them. */
                security?: {
                    [key: string]: string[];
                }[];
                /** The same, as A2A 1.0 writes them. */
                securityRequirements?: {
                    /** Schemes that are needed together. */
                    schemes: {
                        [key: string]: {
                            /** Scopes; there are none. */
                            list: string[];
                        };
                    };
                }[];
            }[];
        };
        /** A request of A2A. */
        A2aRequest: {
            /**
             * JSON-RPC 2.0.
             * @constant
             */
            jsonrpc: "2.0";
            /** Repeated in the answer. */
            id?: string | number | null;
            /** A method of A2A. */
            method: string;
            /** The message, and what else the method takes. */
            params?: unknown;
        } & {
            [key: string]: unknown;
        };
        /** An answer of A2A: a result or an error. */
        A2aResponse: {
            /**
             * JSON-RPC 2.0.
             * @constant
             */
            jsonrpc: "2.0";
            /** The id of the request. */
            id: string | number | null;
            /** The registry's message, in the form of the client's line of A2A. */
            result?: {
                [key: string]: unknown;
            };
            /** In place of a result. */
            error?: {
                /** As JSON-RPC and A2A number them. */
                code: number;
                /** What is wrong. */
                message: string;
            };
        };
        /** An OpenAPI document. */
        OpenApiDocument: {
            /** Version of OpenAPI. */
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        /** What this service is, and where its interfaces are. */
        Home: {
            /** What this is. */
            name: string;
            /** Version of the service and of its interface. */
            version: string;
            /** What it does. */
            description: string;
            /** Where its interfaces are. */
            links: {
                /**
                 * Format: uri
                 * Address of the interface as pages for people.
                 */
                docs: string;
                /**
                 * Format: uri
                 * Address of the interface as OpenAPI 3.1.
                 */
                openapi: string;
                /**
                 * Format: uri
                 * Address of the agents that are registered.
                 */
                registry: string;
                /**
                 * Format: uri
                 * Address of the registry's own A2A card.
                 */
                agent_card: string;
                /**
                 * Format: uri
                 * Address of the MCP server (streamable HTTP).
                 */
                mcp: string;
                /**
                 * Format: uri
                 * Address of the state of the service.
                 */
                health: string;
            };
        };
        /** What a webhook receives. */
        WebhookMessage: {
            /**
             * What happened.
             * @constant
             */
            type: "trust_score.changed";
            /** When the score changed, RFC 3339 in UTC. */
            timestamp: string;
            /** The change. */
            data: {
                /** The agent whose score changed. */
                agent_id: string;
                /** The trust score from this change on, 0 to 100. */
                trust_score: number;
                /** The trust score until then; null if the score begins here. */
                previous_score: number | null;
                /** The policy that the score is computed by. */
                trust_policy: string;
                /** Log position of the event that caused the message, decimal digits. */
                position: string;
                /** Why the message is sent. */
                cause: {
                    /** Type of the event that caused it; `record` if it changed the record of the agent's organisation, and by that its score. */
                    type: string;
                    /** Id of that event. */
                    event_id: string;
                    /** For a review: the exchange that was reviewed. */
                    transaction_id: string | null;
                };
            };
        } | {
            /**
             * What happened.
             * @enum {string}
             */
            type: "org_domain.yielded" | "agent.suspended" | "agent.reinstated" | "agent.retired" | "organisation.disabled" | "organisation.enabled" | "organisation.record_changed";
            /** When it happened, RFC 3339 in UTC. */
            timestamp: string;
            /** The notice. */
            data: {
                /** The agent that it happened to; null for the webhook's organisation. */
                agent_id: string | null;
                /** The domain that the agent has lost; null for other notices. */
                org_domain: string | null;
                /** The operator's reason; null where the operator did nothing. */
                reason: string | null;
                /** Of a changed record alone: in place of one message for each of these agents. */
                record_change?: {
                    /** The organisation whose record changed: that of the webhook. */
                    org_id: string;
                    /** The record from this change on, 0 to 75. */
                    record: number;
                    /** The record until then. */
                    previous_record: number;
                    /** The policy that the record is computed by. */
                    trust_policy: string;
                    /** How many scores of its agents in production changed by that, more than 100; GET /org/agents lists the agents with their scores. */
                    agents: number;
                };
                /** Log position of the event that caused the message, decimal digits. */
                position: string;
                /** Why the message is sent. */
                cause: {
                    /** Type of the event that caused it; `record` if it changed the record of the agent's organisation, and by that its score. */
                    type: string;
                    /** Id of that event. */
                    event_id: string;
                    /** For a review: the exchange that was reviewed. */
                    transaction_id: string | null;
                };
            };
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
        responses: never;
    };
    verify: {
        parameters: {
            query?: {
                /** The answer as of that moment: an RFC 3339 time, or a position of the log. Not in the future; what did not exist then is not found. */
                as_of?: string;
                /** true: the answer has a signed_verdict, which others can verify with the log's key; it waits until the newest tree is signed. */
                signed?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: never;
    };
    verifyBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyBatchRequest"];
            };
        };
        responses: never;
    };
    match: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MatchRequest"];
            };
        };
        responses: never;
    };
    listRegistry: {
        parameters: {
            query?: {
                /** Agents on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
                /** Leaves out agents with a lower trust_score. */
                min_trust_score?: number;
                /** Only agents whose agent_id begins with this text, in which no character stands for others; capital and small letters A to Z are the same. At most 1000 are listed, the most trusted: X-Total-Count says no more. */
                agent_id_prefix?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAgent: {
        parameters: {
            query?: {
                /** The answer as of that moment: an RFC 3339 time, or a position of the log. Not in the future; what did not exist then is not found. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    registerAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentRegistration"];
            };
        };
        responses: never;
    };
    redeemClaim: {
        parameters: {
            query: {
                /** The token of a claim link. */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    requestRotation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateRequest"];
            };
        };
        responses: never;
    };
    agentWhoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    retireAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetireRequest"];
            };
        };
        responses: never;
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentUpdate"];
            };
        };
        responses: never;
    };
    importAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportRequest"];
            };
        };
        responses: never;
    };
    listCapabilities: {
        parameters: {
            query?: {
                /** Only capabilities whose name, or an alias of which, contains this text; any spelling. */
                text?: string;
                /** Only capabilities of this category. */
                category?: string;
                /** Capabilities on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getActivity: {
        parameters: {
            query?: {
                /** UTC days, today included. */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    explainTrust: {
        parameters: {
            query?: {
                /** The answer as of that moment: an RFC 3339 time, or a position of the log. Not in the future; what did not exist then is not found. */
                as_of?: string;
                /** Reviews on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getTrustHistory: {
        parameters: {
            query?: {
                /** Changes on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    findOrganisation: {
        parameters: {
            query: {
                /** Name of the organisation. */
                org_name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    explainRecord: {
        parameters: {
            query?: {
                /** The answer as of that moment: an RFC 3339 time, or a position of the log. Not in the future; what did not exist then is not found. */
                as_of?: string;
                /** Reviews on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getRecordHistory: {
        parameters: {
            query?: {
                /** Changes on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    callAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 10 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallRequest"];
            };
        };
        responses: never;
    };
    reviewExchange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewRequest"];
            };
        };
        responses: never;
    };
    answerReview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewAnswerRequest"];
            };
        };
        responses: never;
    };
    payByGet: {
        parameters: {
            query?: {
                /** The payer; counts only together with the key of that agent. */
                caller_agent_id?: string;
                /** The transaction_id of a call to this agent, whose caller is the payer. Others are ignored. */
                call_ref?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    payByPost: {
        parameters: {
            query?: {
                /** The payer; counts only together with the key of that agent. */
                caller_agent_id?: string;
                /** The transaction_id of a call to this agent, whose caller is the payer. Others are ignored. */
                call_ref?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A body of any type, or none; it goes to the agent's endpoint. At most 10 MiB. */
        requestBody?: {
            content: {
                "*/*": unknown;
            };
        };
        responses: never;
    };
    listSettlements: {
        parameters: {
            query?: {
                /** Settlements on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
                /** One organisation's, exact but for case. */
                org_name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrgCreateRequest"];
            };
        };
        responses: never;
    };
    whoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listOrgAgents: {
        parameters: {
            query?: {
                /** Default: all agents. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getOrgAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listOrgPayments: {
        parameters: {
            query?: {
                /** Payments on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getOrgPaymentTotals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    issueSandboxKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    revokeSandboxKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    replaceOrgKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listOrgKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createOrgKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrgNamedKeyRequest"];
            };
        };
        responses: never;
    };
    replaceOrgNamedKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrgNamedKeyReplacement"];
            };
        };
        responses: never;
    };
    revokeOrgKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listOrgDomains: {
        parameters: {
            query?: {
                /** Domains on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    requestDomainProof: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainRequest"];
            };
        };
        responses: never;
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    vouchForDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainVoucher"];
            };
        };
        responses: never;
    };
    withdrawDomainProof: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainWithdrawal"];
            };
        };
        responses: never;
    };
    confirmCapabilityAlias: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AliasConfirmation"];
            };
        };
        responses: never;
    };
    undoCapabilityAlias: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AliasUndoing"];
            };
        };
        responses: never;
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    registerWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: never;
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplayRequest"];
            };
        };
        responses: never;
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** Only those in this state; if absent, all that are not delivered. */
                status?: "pending" | "dead" | "delivered";
                /** Entries on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    openWebhookListener: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listenToWebhookMessages: {
        parameters: {
            query?: {
                /** Only messages of events after this log position. */
                after?: string;
                /** Agents of any organisation, separated by commas; absent: all of the organisation's own. */
                agent_ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    publishAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveAgentRequest"];
            };
        };
        responses: never;
    };
    withdrawAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveAgentRequest"];
            };
        };
        responses: never;
    };
    promoteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromoteRequest"];
            };
        };
        responses: never;
    };
    previewMatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewMatchRequest"];
            };
        };
        responses: never;
    };
    listAgentEvents: {
        parameters: {
            query?: {
                /** Only events of these types: names separated by commas. */
                type?: string;
                /** Only events of one request: its X-Request-Id. */
                correlation_id?: string;
                /** Only events of one call: its start, its end, its review, the answer to that, its voiding, and the payments that were asked for or made in it. */
                transaction_id?: string;
                /** Only events that a credential of this kind has proved, or the organisation's named key of this id. */
                credential?: ("agent_key" | "signature" | "production_key" | "sandbox_key" | "admin_token" | "admin_key" | "operator_key" | "oidc_token" | "claim_token" | "sign_in_code" | "call_ref") | string;
                /** Only events recorded at or after this moment, RFC 3339. */
                from?: string;
                /** Only events recorded before this moment, RFC 3339. */
                to?: string;
                /** Only events after this position, which is one that was given out: of an event, or up to which an export went. */
                after?: string;
                /** Only events before this position. */
                before?: string;
                /** Oldest or newest first. */
                order?: "asc" | "desc";
                /** Events on a page; default: 100. */
                limit?: number;
                /** true: server-sent events as they happen; so does Accept: text/event-stream. From `after` on, else only new ones. Not with from, to, before, limit, order=desc or format. */
                follow?: "true" | "false";
                /** jsonl: all matching events as JSON Lines, whose last line confirms completeness; so does Accept: application/x-ndjson. Not with limit, order=desc or follow. */
                format?: "json" | "jsonl";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listEvents: {
        parameters: {
            query?: {
                /** Only events of these types: names separated by commas. */
                type?: string;
                /** Only events of one request: its X-Request-Id. */
                correlation_id?: string;
                /** Only events of one call: its start, its end, its review, the answer to that, its voiding, and the payments that were asked for or made in it. */
                transaction_id?: string;
                /** Only events that a credential of this kind has proved, or the organisation's named key of this id. */
                credential?: ("agent_key" | "signature" | "production_key" | "sandbox_key" | "admin_token" | "admin_key" | "operator_key" | "oidc_token" | "claim_token" | "sign_in_code" | "call_ref") | string;
                /** Only events recorded at or after this moment, RFC 3339. */
                from?: string;
                /** Only events recorded before this moment, RFC 3339. */
                to?: string;
                /** Only events after this position, which is one that was given out: of an event, or up to which an export went. */
                after?: string;
                /** Only events before this position. */
                before?: string;
                /** Oldest or newest first. */
                order?: "asc" | "desc";
                /** Events on a page; default: 100. */
                limit?: number;
                /** true: server-sent events as they happen; so does Accept: text/event-stream. From `after` on, else only new ones. Not with from, to, before, limit, order=desc or format. */
                follow?: "true" | "false";
                /** jsonl: all matching events as JSON Lines, whose last line confirms completeness; so does Accept: application/x-ndjson. Not with limit, order=desc or follow. */
                format?: "json" | "jsonl";
                /** Only events about this agent. */
                agent_id?: string;
                /** Only events of this organisation, by name (exact but for case) or id, and of agents that belonged to it then. */
                org?: string;
                /** Only events caused by the operator of this name, of whichever issuer. */
                operator?: string;
                /** true: only events caused with a secret of the installation, ADMIN_TOKEN or ADMIN_KEY. */
                break_glass?: "true";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    erasePersonalData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    operatorWhoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    suspendAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorReason"];
            };
        };
        responses: never;
    };
    reinstateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorReason"];
            };
        };
        responses: never;
    };
    disableOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorReason"];
            };
        };
        responses: never;
    };
    enableOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorReason"];
            };
        };
        responses: never;
    };
    reissueOrganisationKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorReason"];
            };
        };
        responses: never;
    };
    voidReviews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoidReviewsRequest"];
            };
        };
        responses: never;
    };
    getOrgUsage: {
        parameters: {
            query?: {
                /** The first day, such as 2026-01-01. Default: 29 days before the last one. */
                from?: string;
                /** The last day. Default: today, in UTC. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getOrganisationLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    setOrganisationLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganisationLimitsRequest"];
            };
        };
        responses: never;
    };
    getOrganisationUsage: {
        parameters: {
            query?: {
                /** The first day, such as 2026-01-01. Default: 29 days before the last one. */
                from?: string;
                /** The last day. Default: today, in UTC. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listOperatorKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createOperatorKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorKeyRequest"];
            };
        };
        responses: never;
    };
    revokeOperatorKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorKeyRevocation"];
            };
        };
        responses: never;
    };
    createSignInCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInCodeRequest"];
            };
        };
        responses: never;
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: never;
    };
    getOperationsStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getOperationsRates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listReplays: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    startReplay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: never;
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    cancelReplay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listAllWebhooks: {
        parameters: {
            query?: {
                /** Only those of this organisation. */
                org_id?: string;
                /** Webhooks on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listDeliveriesOfAnyWebhook: {
        parameters: {
            query?: {
                /** Only those in this state; if absent, all that are not delivered. */
                status?: "pending" | "dead" | "delivered";
                /** Entries on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    replayAnyWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplayRequest"];
            };
        };
        responses: never;
    };
    getDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    playDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DemoRequest"];
            };
        };
        responses: never;
    };
    listPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listPolicyTrials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    startPolicyTrial: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 0.0625 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyTrialRequest"];
            };
        };
        responses: never;
    };
    getPolicyTrial: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    cancelPolicyTrial: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listPolicyTrialAgents: {
        parameters: {
            query?: {
                /** Agents on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getPolicyTrialAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listPolicySimulations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    startPolicySimulation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 0.0625 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicySimulationRequest"];
            };
        };
        responses: never;
    };
    getPolicySimulation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    cancelPolicySimulation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getSimulatedCourse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    activatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 0.0625 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyActivationRequest"];
            };
        };
        responses: never;
    };
    getLogCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getLogKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getLogInclusionProof: {
        parameters: {
            query?: {
                /** Which leaf, from 0. */
                index?: number;
                /** Id of the event. */
                event_id?: string;
                /** Leaves of the tree; default: those of the newest signed checkpoint, which is then in the answer. */
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getLogConsistencyProof: {
        parameters: {
            query?: {
                /** Leaves of the earlier tree; required. */
                from?: number;
                /** Leaves of the tree; default: those of the newest signed checkpoint, which is then in the answer. */
                to?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getLogTile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getLogTileOf2Parts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getLogTileOf3Parts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getLogTileOf4Parts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getReviewReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listReviewLeaves: {
        parameters: {
            query?: {
                /** Reviews on the page. */
                limit?: number;
                /** How many entries to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getAgentCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getOlderAgentCard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    askForDirections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 0.0625 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["A2aRequest"];
            };
        };
        responses: never;
    };
    describeInterface: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    readHome: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    readDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    readDocsFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    readConsoleFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    readConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    readConsolePage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    readConsolePage2: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    readConsolePage3: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    receiveWebhookMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookMessage"];
            };
        };
        responses: {
            /** The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The message is received. The body does not matter. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** The message is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
