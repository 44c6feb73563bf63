import type { components, operations } from './generated/interface.ts';

/** Names of the types on the wire. Their fields have the names that they have on the wire, and are described only by the contracts. */

type Schemas = components['schemas'];
type Sent<Id extends keyof operations> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;
type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

export type ErrorCode = Schemas['Error']['code'];
export type ValidationItem = Schemas['ValidationItem'];

export type Health = Schemas['Health'];

export type VerifyRequest = Sent<'verify'>;
export type VerifyBatchRequest = Sent<'verifyBatch'>;
export type UnregisteredAgent = Schemas['UnregisteredAgent'];
export type VerifiedTrustObject = Schemas['VerifiedTrustObject'];
export type TrustObject = Schemas['TrustObject'];
export type UnregisteredVerdict = Schemas['UnregisteredVerdict'];
export type MatchRequest = Schemas['MatchRequest'];
export type MatchResult = Schemas['MatchResult'];
export type ActivityQuery = QueryOf<'getActivity'>;
export type Activity = Schemas['Activity'];
export type NewAgent = Schemas['NewAgent'];
export type Mover = Schemas['Mover'];
export type ActiveDay = Schemas['ActiveDay'];
export type MatchParts = Schemas['MatchParts'];
export type MatchPart = Schemas['MatchPart'];
export type CapabilitiesQuery = QueryOf<'listCapabilities'>;
export type CapabilityTree = Schemas['CapabilityTree'];
export type CapabilityCategory = Schemas['CapabilityCategory'];
export type KnownCapability = Schemas['KnownCapability'];
export type KnownAlias = Schemas['KnownAlias'];
export type RegistryQuery = QueryOf<'listRegistry'>;
export type AgentProfile = Schemas['AgentProfile'];
export type RatingRecord = Schemas['RatingRecord'];
export type TrustQuery = QueryOf<'explainTrust'>;
export type ExplainedTrust = Schemas['ExplainedTrust'];
export type TrustContribution = Schemas['TrustContribution'];
export type ExplainedReview = Schemas['ExplainedReview'];
export type TrustHistoryQuery = QueryOf<'getTrustHistory'>;
export type TrustHistory = Schemas['TrustHistory'];
export type TrustChange = Schemas['TrustChange'];

export type RecordQuery = QueryOf<'explainRecord'>;
export type OrganisationRecord = Schemas['OrganisationRecord'];
export type RecordReview = Schemas['RecordReview'];
export type RecordHistoryQuery = QueryOf<'getRecordHistory'>;
export type RecordHistory = Schemas['RecordHistory'];
export type RecordChange = Schemas['RecordChange'];
export type FoundOrganisation = Schemas['FoundOrganisation'];

export type RegisterRequest = Schemas['AgentRegistration'];
export type RegisterResponse = Schemas['RegisterResponse'];
export type UpdateRequest = Schemas['AgentUpdate'];
export type CapabilityConfirmationRequired = Schemas['CapabilityConfirmationRequired'];
export type RotationRequest = Sent<'requestRotation'>;
export type RotateResponse = Schemas['RotateResponse'];

export type CallRequest = Schemas['CallRequest'];
export type CallResponse = Schemas['CallResponse'];
export type FailedCall = Schemas['FailedCall'];
export type CallAlreadyMade = Schemas['CallAlreadyMade'];
export type ReviewRequest = Schemas['ReviewRequest'];
export type ReviewAnswer = Schemas['ReviewAnswer'];
export type ReviewAnswerRequest = Schemas['ReviewAnswerRequest'];
export type ReviewAnswered = Schemas['ReviewAnswered'];

export type AgentCard = Schemas['AgentCard'];
export type ImportRequest = Schemas['ImportRequest'];
export type ImportPreview = Schemas['ImportPreview'];
export type ImportResponse = Schemas['ImportResponse'];

export type OrgCreateRequest = Schemas['OrgCreateRequest'];
export type OrgCreateResponse = Schemas['OrgCreateResponse'];
export type OrgWhoami = Schemas['OrgWhoami'];
export type UsageQuery = QueryOf<'getOrgUsage'>;
export type OrgUsage = Schemas['OrgUsage'];
export type OrganisationUsage = Schemas['OrganisationUsage'];
export type OrganisationLimits = Schemas['OrganisationLimits'];
export type OrganisationLimitsRequest = Sent<'setOrganisationLimits'>;
export type OrgAgentsQuery = QueryOf<'listOrgAgents'>;
export type OwnerTrustObject = Schemas['OwnerTrustObject'];
export type OwnerAgentProfile = Schemas['OwnerAgentProfile'];
export type OrgPaymentsQuery = QueryOf<'listOrgPayments'>;
export type OrgPayment = Schemas['OrgPayment'];
export type OrgPaymentTotal = Schemas['OrgPaymentTotal'];
export type OrgDomainsQuery = QueryOf<'listOrgDomains'>;
export type OrgDomain = Schemas['OrgDomain'];
export type RequestedDomain = Schemas['RequestedDomain'];
export type AliasConfirmation = Schemas['AliasConfirmation'];
export type CapabilityAlias = Schemas['CapabilityAlias'];
export type DomainVoucher = Schemas['DomainVoucher'];
export type DomainProofWithdrawn = Schemas['DomainProofWithdrawn'];
export type OperatorKeyRequest = Schemas['OperatorKeyRequest'];
export type OperatorKeyCreated = Schemas['OperatorKeyCreated'];
export type SignInCodeRequest = Sent<'createSignInCode'>;
export type SignInCode = Schemas['SignInCode'];
export type OperatorKey = Schemas['OperatorKey'];
export type OperatorKeyRevoked = Schemas['OperatorKeyRevoked'];
export type OrgSandboxKey = Schemas['OrgSandboxKey'];
export type OrgSandboxKeyRevoked = Schemas['OrgSandboxKeyRevoked'];
export type OrgNamedKeyRequest = Schemas['OrgNamedKeyRequest'];
export type OrgNamedKeyCreated = Schemas['OrgNamedKeyCreated'];
export type OrgNamedKey = Schemas['OrgNamedKey'];
export type OrgNamedKeyReplacement = Schemas['OrgNamedKeyReplacement'];
export type OrgNamedKeyReplaced = Schemas['OrgNamedKeyReplaced'];
export type OrgNamedKeyRevoked = Schemas['OrgNamedKeyRevoked'];
export type OrgKey = Schemas['OrgKey'];

export type WebhookRequest = Schemas['WebhookRequest'];
export type RegisteredWebhook = Schemas['RegisteredWebhook'];
export type Webhook = Schemas['Webhook'];
export type OperatorWebhook = Schemas['OperatorWebhook'];
export type AllWebhooksQuery = QueryOf<'listAllWebhooks'>;
export type WebhookSecret = Schemas['WebhookSecret'];
export type WebhookDeleted = Schemas['WebhookDeleted'];
export type WebhookReplay = Schemas['WebhookReplay'];
export type WebhookDeliveriesQuery = QueryOf<'listWebhookDeliveries'>;
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookListener = Schemas['WebhookListener'];
/** The messages of one event, as a listener gets them. */
export type ListenedMessages = Schemas['ListenedMessages'];
/** A message with the headers that a delivery has. */
export type ListenedMessage = ListenedMessages['messages'][number];
/** What a webhook receives. */
export type WebhookMessage = Schemas['WebhookMessage'];

export type MoveAgentRequest = Schemas['MoveAgentRequest'];
export type MoveAgentResponse = Schemas['MoveAgentResponse'];
export type PromoteRequest = Schemas['PromoteRequest'];
export type PromoteResponse = Schemas['PromoteResponse'];
export type PreviewMatchRequest = Schemas['PreviewMatchRequest'];
export type PreviewMatchResponse = Schemas['PreviewMatchResponse'];

export type AgentWhoami = Schemas['AgentWhoami'];
export type OperatorWhoami = Schemas['OperatorWhoami'];
export type AgentSuspended = Schemas['AgentSuspended'];
export type AgentReinstated = Schemas['AgentReinstated'];
export type OrganisationDisabled = Schemas['OrganisationDisabled'];
export type OrganisationEnabled = Schemas['OrganisationEnabled'];
export type OrganisationKeysReissued = Schemas['OrganisationKeysReissued'];
export type VoidReviewsRequest = Schemas['VoidReviewsRequest'];
export type ReviewsVoided = Schemas['ReviewsVoided'];
export type OperationsStatus = Schemas['OperationsStatus'];
export type OperationsRates = Schemas['OperationsRates'];
export type Rates = Schemas['Rates'];
export type LagPoint = Schemas['LagPoint'];
export type Replay = Schemas['Replay'];
export type DemoRequest = Sent<'playDemo'>;
export type Demo = Schemas['Demo'];
export type TrustPolicy = Schemas['TrustPolicy'];
export type TrustPolicies = Schemas['TrustPolicies'];
export type PolicyTrialRequest = Schemas['PolicyTrialRequest'];
export type PolicyTrial = Schemas['PolicyTrial'];
export type PolicyTrialAgent = Schemas['PolicyTrialAgent'];
export type PolicyTrialAgentsQuery = QueryOf<'listPolicyTrialAgents'>;
export type PolicyTrialAgentDetail = Schemas['PolicyTrialAgentDetail'];
export type PolicySimulationRequest = Schemas['PolicySimulationRequest'];
export type PolicySimulation = Schemas['PolicySimulation'];
export type SimulatedCourse = Schemas['SimulatedCourse'];
export type PolicyActivationRequest = Schemas['PolicyActivationRequest'];
export type AgentRetired = Schemas['AgentRetired'];
export type PersonalDataErased = Schemas['PersonalDataErased'];

export type AgentEvent = Schemas['AgentEvent'];
export type LoggedEvent = Schemas['LoggedEvent'];

export type LogKey = Schemas['LogKey'];
export type InclusionQuery = QueryOf<'getLogInclusionProof'>;
export type InclusionProof = Schemas['InclusionProof'];
export type ConsistencyQuery = QueryOf<'getLogConsistencyProof'>;
export type ConsistencyProof = Schemas['ConsistencyProof'];
export type ReviewLeaf = Schemas['ReviewLeaf'];
export type ReviewLeavesQuery = QueryOf<'listReviewLeaves'>;
export type ReviewReceipt = Schemas['ReviewReceipt'];

export type SettlementsQuery = QueryOf<'listSettlements'>;
export type Settlement = Schemas['Settlement'];
