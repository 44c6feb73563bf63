import { z } from 'zod';
import { boundedRecord } from '../http/bounded-record.ts';
import { limits } from '../limits.ts';
import { agentId, text } from '../text.ts';
import type { AgentConfiguration } from './configuration.ts';
import {
  acceptedContentTypes,
  capabilities,
  email,
  endpointUrl,
  headerName,
  httpMethods,
  messageProtocol,
  orgDomain,
  orgName,
  payloadSchema,
  priceSchedule,
  settlementRails,
  token,
} from './fields.ts';

const nullish = <Schema extends z.ZodType>(schema: Schema): z.ZodOptional<z.ZodNullable<Schema>> =>
  schema.nullable().optional();

/** POST /register. Unknown fields are ignored; only agent_id is required. */
export const registerBody = z
  .object({
    agent_id: agentId,
    org_name: nullish(orgName),
    org_domain: nullish(orgDomain),
    contact_info: nullish(text()),
    contact_email: nullish(email),
    capabilities: capabilities.default([]),
    endpoint_url: nullish(endpointUrl),
    protocol: nullish(token),
    accepted_terms_format: nullish(text()),
    settlement_rail: nullish(settlementRails),
    http_methods: nullish(httpMethods),
    specialty: nullish(text()),
    public_key: nullish(text()),
    price_schedule: nullish(priceSchedule),
    payment_network: nullish(token),
    payment_pay_to: nullish(token),
    payment_asset: nullish(token),
    capability_confirmations: nullish(boundedRecord(z.string(), z.boolean(), limits.capabilitiesMax)),
    candidate_matches: nullish(boundedRecord(z.string(), z.string(), limits.capabilitiesMax)),
    message_protocol: messageProtocol.default('a2a'),
    a2a_compliant: z.boolean().default(false),
    accepted_content_types: acceptedContentTypes.default(['text/plain', 'application/json']),
    payload_schema: nullish(payloadSchema),
    signup_help: nullish(text()),
    auth_header_name: nullish(headerName),
    clone_from_agent_id: nullish(agentId),
    verified: z.boolean().optional().meta({ description: 'Admin credential only: start verified, at 75.' }),
  })
  .meta({ id: 'AgentRegistration' });
export type RegisterBody = z.infer<typeof registerBody>;

/** The configuration part of a registration, from the wire's names to the code's. */
export const configurationFromWire = (body: RegisterBody): AgentConfiguration => ({
  capabilities: body.capabilities,
  endpointUrl: body.endpoint_url ?? null,
  protocol: body.protocol ?? null,
  acceptedTermsFormat: body.accepted_terms_format ?? null,
  settlementRail: body.settlement_rail ?? null,
  httpMethods: body.http_methods ?? null,
  specialty: body.specialty ?? null,
  priceSchedule: body.price_schedule ?? null,
  paymentNetwork: body.payment_network ?? null,
  paymentPayTo: body.payment_pay_to ?? null,
  paymentAsset: body.payment_asset ?? null,
  messageProtocol: body.message_protocol,
  a2aCompliant: body.a2a_compliant,
  acceptedContentTypes: body.accepted_content_types,
  payloadSchema:
    body.payload_schema == null
      ? null
      : {
          currency: body.payload_schema.currency ?? null,
          dateFormat: body.payload_schema.date_format ?? null,
          quantityUnit: body.payload_schema.quantity_unit ?? null,
          weightUnit: body.payload_schema.weight_unit ?? null,
        },
  signupHelp: body.signup_help ?? null,
  authHeaderName: body.auth_header_name ?? null,
});
