export { type Currency, currencyOf, networkId, networkNames, unitsOf } from './currency.ts';
export { createAddressMatcher, type AddressMatcher } from './address-matcher.ts';
export { decodeHeader, encodeHeader } from './header-codec.ts';
export { x402Limits } from './limits.ts';
export {
  paymentHeaders,
  paymentIdentityOf,
  restorePaymentHeaders,
  type SentPayment,
  sentPaymentOf,
} from './payment.ts';
export { paymentResponseHeaders, type Settlement, settlementOf } from './settlement-of.ts';
export { paymentRequired, redactDemand, type RedactedDemand, redactPaymentHeaders } from './redact-demand.ts';
export { createRedaction, type PayAddress, type Redaction } from './redaction.ts';
export { type Requirement, requirementsIn } from './requirement.ts';
