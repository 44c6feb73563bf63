import type { AgentConfiguration } from '@agent-trust/contracts';

/** What a registration leaves unsaid (specification, "Agent"). */
export const defaultConfiguration: AgentConfiguration = {
  capabilities: [],
  endpointUrl: null,
  protocol: null,
  acceptedTermsFormat: null,
  settlementRail: null,
  httpMethods: null,
  specialty: null,
  priceSchedule: null,
  paymentNetwork: null,
  paymentPayTo: null,
  paymentAsset: null,
  messageProtocol: 'a2a',
  a2aCompliant: false,
  acceptedContentTypes: ['text/plain', 'application/json'],
  payloadSchema: null,
  signupHelp: null,
  authHeaderName: null,
};
