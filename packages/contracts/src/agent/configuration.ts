import { nullableText } from '../text.ts';
import { z } from 'zod';
import { weightedCapability } from '../capability/name.ts';
import { messageProtocol } from './fields.ts';

/**
 * The configuration of an agent in events and commands: every configuration field of a registration, normalised, null if not set. Shapes
 * were checked at the edge; these schemas guard the log.
 */
export const agentConfiguration = z.object({
  capabilities: z.array(weightedCapability),
  endpointUrl: nullableText,
  protocol: nullableText,
  acceptedTermsFormat: nullableText,
  settlementRail: z.array(z.string()).nullable(),
  httpMethods: z.array(z.string()).nullable(),
  specialty: nullableText,
  priceSchedule: z.array(z.object({ task: z.string(), price: z.number() })).nullable(),
  paymentNetwork: nullableText,
  paymentPayTo: nullableText,
  paymentAsset: nullableText,
  messageProtocol,
  a2aCompliant: z.boolean(),
  acceptedContentTypes: z.array(z.string()),
  payloadSchema: z
    .object({
      currency: nullableText,
      dateFormat: nullableText,
      quantityUnit: nullableText,
      weightUnit: nullableText,
    })
    .nullable(),
  signupHelp: nullableText,
  authHeaderName: nullableText,
});
export type AgentConfiguration = z.infer<typeof agentConfiguration>;

/** Names of configuration fields; events list the changed ones. */
export const configurationField = agentConfiguration.keyof();
export type ConfigurationField = z.infer<typeof configurationField>;

/** The fields that a request names. An absent field stays as it is, null clears it. */
export const configurationPatch = agentConfiguration.partial();
export type ConfigurationPatch = z.infer<typeof configurationPatch>;

/** How to reach the people behind an agent. Personal data: separate from the configuration, and sealed before it is written. */
export const agentContact = z.object({ contactInfo: nullableText, contactEmail: nullableText });
export type AgentContact = z.infer<typeof agentContact>;
