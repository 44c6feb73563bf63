export { createRegistryClient, type RegistryClient } from './client.ts';
export {
  BrokenStreamError,
  ClientError,
  NetworkError,
  RegistryError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
export { answerInfo } from './http/read-json.ts';
export { isConfirmationRequired } from './operations/agents.ts';
export type { AsOf, RegistryPage } from './operations/discover.ts';
export type { LogTile, ReviewLeavesPage } from './operations/log.ts';
export type { OrganisationRecordPage, RecordHistoryPage } from './operations/organisation-record.ts';
export type { ExplainedTrustPage, TrustHistoryPage } from './operations/trust.ts';
export type { CallOptions, CallStream } from './operations/exchange.ts';
export type {
  EndOfExport,
  EventsPage,
  EventsQuery,
  ExportOptions,
  ExportQuery,
  FollowOptions,
  FollowQuery,
} from './operations/events.ts';
export type { LogQuery, OrgAgentsPage, OrgPaymentsPage, SettlementsPage } from './operations/organisation.ts';
export type { PolicyTrialAgentsPage } from './operations/policy-lab.ts';
export type { PayAnswer, PayOptions } from './operations/pay.ts';
export type { WebhookDeliveriesPage } from './operations/webhooks.ts';
export type {
  AnswerInfo,
  ClientOptions,
  CredentialKind,
  Credentials,
  RequestOptions,
  RetryOptions,
  WriteOptions,
} from './options.ts';
export type { NextPage, PageQuery } from './pages.ts';
export type { OnPaymentRequired, PaymentDemand, PaymentRequirement, PaymentSettlement } from './payment/types.ts';
export {
  type Ed25519Jwk,
  exportPrivateKeyJwk,
  exportPrivateKeyPem,
  generateKeyPair,
  importKeyPair,
  type KeyPair,
  type PrivateKey,
} from './signature/key-pair.ts';
export { type RequestToSign, type SignedHeaders, signRequest } from './signature/sign-request.ts';
export type { SignBytes, Signer } from './signature/signer.ts';
export type { StreamEvent } from './stream/event-parser.ts';
export type * from './types.ts';
