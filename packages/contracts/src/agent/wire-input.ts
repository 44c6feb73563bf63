import { z } from 'zod';
import type { WeightedCapability } from '../capability/name.ts';
import { confirmationAnswersOnWire } from '../capability/wire.ts';
import { agentId, text } from '../text.ts';
import type { ConfigurationPatch } from './configuration.ts';
import {
  acceptedContentTypes,
  capabilities,
  email,
  endpointUrl,
  headerName,
  httpMethods,
  type MessageProtocol,
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

/** The configuration fields that registration and update take in the same form. */
const configurationFields = {
  endpoint_url: nullish(endpointUrl),
  protocol: nullish(token),
  accepted_terms_format: nullish(text()),
  settlement_rail: nullish(settlementRails),
  http_methods: nullish(httpMethods),
  specialty: nullish(text()),
  price_schedule: nullish(priceSchedule),
  payment_network: nullish(token),
  payment_pay_to: nullish(token),
  payment_asset: nullish(token),
  payload_schema: nullish(payloadSchema),
  signup_help: nullish(text()),
  auth_header_name: nullish(headerName),
};

/** The other fields that both take. */
const identityFields = {
  agent_id: agentId,
  org_name: nullish(orgName),
  org_domain: nullish(orgDomain),
  contact_info: nullish(text()),
  contact_email: nullish(email),
  public_key: nullish(text()),
};

/**
 * POST /register. Unknown fields are ignored; only agent_id is required. What the body does not name takes its default in the domain
 * and not here: for a clone the live agent's value is the default.
 */
export const registerBody = z
  .object({
    ...identityFields,
    ...configurationFields,
    ...confirmationAnswersOnWire,
    capabilities: capabilities.optional().meta({ default: [] }),
    message_protocol: messageProtocol.optional().meta({ default: 'a2a' }),
    a2a_compliant: z.boolean().optional().meta({ default: false }),
    accepted_content_types: acceptedContentTypes.optional().meta({ default: ['text/plain', 'application/json'] }),
    clone_from_agent_id: nullish(agentId).meta({
      description:
        'Sandbox key only: a live agent of the same organisation. What the request does not name is copied from it, and the two are paired for ever.',
    }),
    verified: z.boolean().optional().meta({ description: 'Admin credential only: start verified, at 75.' }),
  })
  .meta({ id: 'AgentRegistration' });
export type RegisterBody = z.infer<typeof registerBody>;

/** POST /update. A field that is absent stays as it is, null clears. Unknown fields, those of a registration among them, are ignored. */
export const updateBody = z
  .object({
    ...identityFields,
    ...configurationFields,
    ...confirmationAnswersOnWire,
    capabilities: nullish(capabilities),
    message_protocol: nullish(messageProtocol).meta({ description: 'null leaves it as it is.' }),
    a2a_compliant: nullish(z.boolean()).meta({ description: 'null leaves it as it is.' }),
    accepted_content_types: acceptedContentTypes.optional(),
    pull_from_agent_id: nullish(agentId).meta({
      description:
        'Sandbox key only: the live agent that this clone is paired with. Its configuration takes the place of this one, except for the fields named beside.',
    }),
  })
  .meta({ id: 'AgentUpdate' });
export type UpdateBody = z.infer<typeof updateBody>;

type IdentityPatch = {
  orgName: string | null | undefined;
  orgDomain: string | null | undefined;
  publicKey: string | null | undefined;
  contact: { contactInfo: string | null | undefined; contactEmail: string | null | undefined };
};

/** What an update names besides its configuration, from the wire's names to the code's; what is absent is undefined. */
export const identityPatchFromWire = (body: UpdateBody): IdentityPatch => ({
  orgName: body.org_name,
  orgDomain: body.org_domain,
  publicKey: body.public_key,
  contact: { contactInfo: body.contact_info, contactEmail: body.contact_email },
});

/** The configuration part of a registration or an update, as parsed. */
export type ConfigurationOnWire = z.output<z.ZodObject<typeof configurationFields>> & {
  capabilities?: WeightedCapability[] | null | undefined;
  message_protocol?: MessageProtocol | null | undefined;
  a2a_compliant?: boolean | null | undefined;
  accepted_content_types?: string[] | undefined;
};

/**
 * The configuration fields that a body names, from the wire's names to the code's; null clears. Capabilities are cleared to the empty
 * list, and null for message_protocol and a2a_compliant, which have no empty value, counts as absent.
 */
export const configurationPatchFromWire = (body: ConfigurationOnWire): ConfigurationPatch => {
  const patch: ConfigurationPatch = {
    capabilities: body.capabilities === null ? [] : body.capabilities,
    endpointUrl: body.endpoint_url,
    protocol: body.protocol,
    acceptedTermsFormat: body.accepted_terms_format,
    settlementRail: body.settlement_rail,
    httpMethods: body.http_methods,
    specialty: body.specialty,
    priceSchedule: body.price_schedule,
    paymentNetwork: body.payment_network,
    paymentPayTo: body.payment_pay_to,
    paymentAsset: body.payment_asset,
    messageProtocol: body.message_protocol ?? undefined,
    a2aCompliant: body.a2a_compliant ?? undefined,
    acceptedContentTypes: body.accepted_content_types,
    payloadSchema: payloadSchemaFromWire(body.payload_schema),
    signupHelp: body.signup_help,
    authHeaderName: body.auth_header_name,
  };
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
};

const payloadSchemaFromWire = (schema: ConfigurationOnWire['payload_schema']): ConfigurationPatch['payloadSchema'] =>
  schema == null
    ? schema
    : {
        currency: schema.currency ?? null,
        dateFormat: schema.date_format ?? null,
        quantityUnit: schema.quantity_unit ?? null,
        weightUnit: schema.weight_unit ?? null,
      };
