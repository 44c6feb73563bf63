import { z } from 'zod';
import type { WeightedCapability } from '../capability/name.ts';
import { confirmationAnswersOnWire } from '../capability/wire.ts';
import { agentId, text } from '../text.ts';
import { snakeCase } from '../wire-form.ts';
import { configurationField, type ConfigurationPatch } from './configuration.ts';
import { fieldTexts } from './field-texts.ts';
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

const nullish = <Schema extends z.ZodType>(schema: Schema, description: string): z.ZodOptional<z.ZodNullable<Schema>> =>
  schema.nullish().describe(description);

/** The configuration fields that registration and update take in the same form. */
const configurationFields = {
  endpoint_url: nullish(endpointUrl, fieldTexts.endpoint_url),
  protocol: nullish(token, fieldTexts.protocol),
  accepted_terms_format: nullish(text(), fieldTexts.accepted_terms_format),
  settlement_rail: nullish(settlementRails, `${fieldTexts.settlement_rail} One alone may be a bare string.`),
  http_methods: nullish(httpMethods, fieldTexts.http_methods),
  specialty: nullish(text(), fieldTexts.specialty),
  price_schedule: nullish(
    priceSchedule,
    `${fieldTexts.price_schedule} Needs payment_network, payment_pay_to and payment_asset beside it.`,
  ),
  payment_network: nullish(token, fieldTexts.payment_network),
  payment_pay_to: nullish(token, fieldTexts.payment_pay_to),
  payment_asset: nullish(token, fieldTexts.payment_asset),
  payload_schema: nullish(payloadSchema, fieldTexts.payload_schema),
  signup_help: nullish(text(), fieldTexts.signup_help),
  auth_header_name: nullish(headerName, fieldTexts.auth_header_name),
};

const byOrganisation = 'Only with an organisation key, which sets it, or the admin token.';

/** The other fields that both take. */
const identityFields = {
  agent_id: agentId,
  org_name: nullish(orgName, `${fieldTexts.org_name} ${byOrganisation}`),
  org_domain: nullish(orgDomain, `${fieldTexts.org_domain} Only with an organisation key or the admin token.`),
  contact_info: nullish(text(), fieldTexts.contact_info),
  contact_email: nullish(email, fieldTexts.contact_email),
  public_key: nullish(text(), fieldTexts.public_key),
};

/** POST /register. Only agent_id is required. Defaults are set in the domain, since a clone takes the values of its live agent. */
export const registerBody = z
  .object({
    ...identityFields,
    ...configurationFields,
    ...confirmationAnswersOnWire,
    capabilities: capabilities.optional().meta({ default: [], description: fieldTexts.capabilities }),
    message_protocol: messageProtocol.optional().meta({ default: 'a2a', description: fieldTexts.message_protocol }),
    a2a_compliant: z.boolean().optional().meta({ default: false, description: fieldTexts.a2a_compliant }),
    accepted_content_types: acceptedContentTypes
      .optional()
      .meta({ default: ['text/plain', 'application/json'], description: fieldTexts.accepted_content_types }),
    clone_from_agent_id: nullish(
      agentId,
      'Sandbox key only: a live agent of the same organisation. Absent fields are copied from it, and the two are paired permanently.',
    ),
    verified: z.boolean().optional().describe('Admin credential only: starts verified, at 75.'),
  })
  .meta({ id: 'AgentRegistration', description: 'A registration. Unknown fields are ignored.' });
export type RegisterBody = z.infer<typeof registerBody>;

/** POST /update. An absent field stays as it is, null clears it. Unknown fields are ignored. */
export const updateBody = z
  .object({
    ...identityFields,
    ...configurationFields,
    ...confirmationAnswersOnWire,
    capabilities: nullish(capabilities, `${fieldTexts.capabilities} null is the empty list.`),
    message_protocol: nullish(messageProtocol, `${fieldTexts.message_protocol} null leaves it as it is.`),
    a2a_compliant: nullish(z.boolean(), `${fieldTexts.a2a_compliant} null leaves it as it is.`),
    accepted_content_types: acceptedContentTypes.optional().describe(fieldTexts.accepted_content_types),
    pull_from_agent_id: nullish(
      agentId,
      'Sandbox key only: the live agent paired with this clone. Its configuration replaces this one, except for the other fields of the request.',
    ),
  })
  .meta({ id: 'AgentUpdate', description: 'The fields to change: an absent field stays as it is.' });
export type UpdateBody = z.infer<typeof updateBody>;

type IdentityPatch = {
  orgName: string | null | undefined;
  orgDomain: string | null | undefined;
  publicKey: string | null | undefined;
  contact: { contactInfo: string | null | undefined; contactEmail: string | null | undefined };
};

/** The fields of an update besides its configuration; absent ones are undefined. */
export function identityPatchFromWire(body: UpdateBody): IdentityPatch {
  return {
    orgName: body.org_name,
    orgDomain: body.org_domain,
    publicKey: body.public_key,
    contact: { contactInfo: body.contact_info, contactEmail: body.contact_email },
  };
}

/** The configuration part of a registration or an update, as parsed. */
export type ConfigurationOnWire = z.output<z.ZodObject<typeof configurationFields>> & {
  capabilities?: WeightedCapability[] | null | undefined;
  message_protocol?: MessageProtocol | null | undefined;
  a2a_compliant?: boolean | null | undefined;
  accepted_content_types?: string[] | undefined;
};

const fieldNames = configurationField.options.map((field) => ({ field, wireName: snakeCase(field) }));

/**
 * The configuration fields that a body names, from the wire's names to the code's; null clears. Capabilities are cleared to the empty
 * list, and null for message_protocol and a2a_compliant, which have no empty value, counts as absent.
 */
export function configurationPatchFromWire(body: ConfigurationOnWire): ConfigurationPatch {
  const values: Record<string, unknown> = body;
  const patch = {
    ...Object.fromEntries(fieldNames.map(({ field, wireName }) => [field, values[wireName]])),
    capabilities: body.capabilities === null ? [] : body.capabilities,
    messageProtocol: body.message_protocol ?? undefined,
    a2aCompliant: body.a2a_compliant ?? undefined,
    payloadSchema: payloadSchemaFromWire(body.payload_schema),
  };
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

const payloadSchemaFromWire = (schema: ConfigurationOnWire['payload_schema']): ConfigurationPatch['payloadSchema'] =>
  schema == null
    ? schema
    : {
        currency: schema.currency ?? null,
        dateFormat: schema.date_format ?? null,
        quantityUnit: schema.quantity_unit ?? null,
        weightUnit: schema.weight_unit ?? null,
      };
