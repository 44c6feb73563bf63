import { isFrequentKey, limits } from '@agent-trust/contracts';
import { startReplica } from '@agent-trust/edge-replica/bus';
import type { LogWatch } from '@agent-trust/log-state';
import type { JetStreamLink, Rpc } from '@agent-trust/nats-rpc';
import { createCheckTarget, createSafeFetch } from '@agent-trust/safe-fetch';
import { type Logger, warnOfLoweredReplica } from '@agent-trust/service-kit';
import { createFindToken } from './domain-proof/find-token.ts';
import { domainProofLimits } from './domain-proof/limits.ts';
import { keepLookingAgain } from './domain-proof/look-again.ts';
import { createNameServers } from './domain-proof/name-servers.ts';
import { importLimits } from './features/import-agent/limits.ts';
import { createOidc } from './http/caller/operator/oidc/oidc.ts';
import { createKeyUses } from './http/caller/key-uses.ts';
import { createNonceStore } from './http/caller/signature/nonce-store.ts';
import { ownAuthorities } from './http/caller/signature/signable-request.ts';
import { eventsLimits } from './features/events/event-query.ts';
import type { Gateway } from './gateway.ts';
import { closeGently } from './http/close-gently.ts';
import { createServer } from './http/server.ts';
import { createCallerBytes, createOwnerLimiter, createCallerLimiter } from './concurrency/caller-limiter.ts';
import { createOwnerQueue } from './concurrency/owner-queue.ts';
import { createYieldingStreams } from './features/call/yielding-streams.ts';
import { createIdempotency } from './idempotency/idempotency.ts';
import { leaseMsOf } from './idempotency/limits.ts';
import { createKeyDirectory } from './http/caller/key-directory/key-directory.ts';
import { edgeLimits } from './limits.ts';
import { createMailer } from './features/rotate/mail/mailer.ts';
import { createMcpServer } from './features/mcp/create-mcp-server.ts';
import { createMcp } from './features/mcp/mcp.ts';
import { consoleFilesOf } from './features/console/console-files.ts';
import { createFindVerdict } from './features/discover/find-verdict.ts';
import { createShownAgents } from './features/match/shown-agents.ts';
import { createSignInCodes } from './features/sign-in/sign-in-codes.ts';
import { observeGateway } from './observe-gateway.ts';
import { createQuotas } from './quota/quotas.ts';
import { createAnonymousIds } from './rate-limit/client-address.ts';
import { countedLimiter } from './rate-limit/counted-limiter.ts';
import { createRateLimiter } from './rate-limit/rate-limiter.ts';
import { createRegistrationLimiter } from './rate-limit/registration-limiter.ts';
import { endpoints } from './features/endpoints.ts';
import { rememberCounts } from './features/operations/recent-counts.ts';
import { type GatewaySettings, registrySecretsOf } from './settings.ts';

type StartedGateway = {
  readonly gateway: Gateway;
  readonly address: string;
  /** Stops accepting, lets running requests finish for `graceMs`, then ends the rest. */
  stop(graceMs: number): Promise<void>;
};

const mebibyte = 1024 * 1024;
const keyUsesOf = {
  operators: {
    name: 'operator_key_uses',
    keptDays: limits.operatorKeyDaysMax + 30,
    bytesMax: mebibyte,
    keysMax: limits.operatorKeysListedMax,
  },
  /** Of 80,000 keys that were used in a year. */
  organisations: {
    name: 'organisation_key_uses',
    keptDays: limits.orgKeyDaysMax + 30,
    bytesMax: 16 * mebibyte,
    keysMax: 20_000,
  },
} as const;

export async function startGateway(
  settings: GatewaySettings,
  logger: Logger,
  { rpc, jetstream, logState }: { rpc: Rpc; jetstream: JetStreamLink; logState: Pick<LogWatch, 'state' | 'whenKnown'> },
): Promise<StartedGateway> {
  warnOfLoweredReplica(settings.REPLICA_BYTES, logger);
  const stopping = new AbortController();
  const window = { countMax: limits.rotateRequestsPerMinute, windowMs: 60_000 };
  const safeFetch = createSafeFetch({ allow: settings.OUTBOUND_ALLOW });
  const nameServers = createNameServers(settings.DOMAIN_PROOF_DNS);
  const proofFetch = createSafeFetch({
    allow: settings.OUTBOUND_ALLOW,
    resolve: nameServers.addresses,
    extraCa: settings.DOMAIN_PROOF_CA_FILE,
  });
  const findToken = createFindToken({ safeFetch: proofFetch, nameServers, port: settings.DOMAIN_PROOF_PORT });
  const oidc = createOidc(settings, logger);
  const gateway: Gateway = {
    settings,
    logger,
    rpc,
    jetstream,
    rotationLimiter: countedLimiter('rotation', createRateLimiter(jetstream, window)),
    registrationLimiter: countedLimiter(
      'registration',
      createRegistrationLimiter(jetstream, settings.REGISTRATIONS_PER_MINUTE),
    ),
    importLimiter: countedLimiter(
      'import',
      createRateLimiter(jetstream, { ...window, countMax: limits.importRequestsPerMinute }),
    ),
    signInCodes: createSignInCodes(jetstream),
    signInLimiter: countedLimiter(
      'sign_in',
      createRateLimiter(jetstream, { ...window, countMax: limits.signInsPerMinute }),
    ),
    imports: createOwnerQueue(importLimits.imports),
    domainProofLimiter: countedLimiter(
      'domain_proof',
      createRateLimiter(jetstream, { ...window, countMax: limits.domainProofsPerMinute }),
    ),
    domainProofs: createOwnerQueue(domainProofLimits.looks),
    findToken,
    safeFetch,
    checkTarget: createCheckTarget({ allow: settings.OUTBOUND_ALLOW, lookupMs: importLimits.lookupMs }),
    idempotency: createIdempotency(jetstream, registrySecretsOf(settings), logger, {
      leaseMs: leaseMsOf(settings.READ_MODEL_WAIT_MS),
      logState,
    }),
    orgListings: createOwnerQueue(edgeLimits.orgListings),
    eventStreams: createOwnerLimiter(eventsLimits.streams),
    stopping: stopping.signal,
    callLimiter: createCallerLimiter({ ...edgeLimits.calls, perAgentMax: settings.CALLS_PER_CALLER_MAX }),
    yieldingStreams: createYieldingStreams(),
    longBodyLimiter: createOwnerLimiter(edgeLimits.longBodies),
    bodyBytes: createCallerBytes(edgeLimits.bodyBytes),
    answerBytes: createCallerBytes(edgeLimits.answerBytes),
    paymentLimiter: createCallerLimiter(edgeLimits.payments),
    uploadLimiter: createCallerLimiter(edgeLimits.uploads),
    anonymousIdOf: createAnonymousIds(settings.REGISTRY_SECRET),
    console: consoleFilesOf(settings, logger),
    shownAgents: createShownAgents(),
    findVerdict: createFindVerdict(rpc, () => gateway.baseUrl),
    replica: startReplica(
      rpc.connection,
      { service: 'gateway', bytesMax: settings.REPLICA_BYTES, isFrequent: isFrequentKey, hasWriters: true },
      logger,
    ),
    mailer: mailerOf(settings),
    quotas: createQuotas({ rpc, replica: () => gateway.replica, logger }),
    nonces: createNonceStore(jetstream),
    oidc,
    operatorKeyUses: createKeyUses(jetstream, logger, keyUsesOf.operators),
    organisationKeyUses: createKeyUses(jetstream, logger, keyUsesOf.organisations),
    keyDirectory: createKeyDirectory({ safeFetch, bases: settings.KEY_DIRECTORY_BASE }),
    authorities: new Set(),
    baseUrl: settings.BASE_URL?.replace(/\/+$/u, '') ?? '',
  };
  const stopObserving = observeGateway(gateway);
  const stopRemembering = rememberCounts(rpc);
  const lookingAgain = keepLookingAgain({ rpc, findToken, logger }, stopping.signal);
  const app = createServer(gateway, endpoints, createMcp(gateway, rpc.connection, createMcpServer));
  const address = await app.listen({ host: settings.HOST, port: settings.PORT });
  if (gateway.baseUrl === '') gateway.baseUrl = reachable(address);
  gateway.authorities = ownAuthorities(gateway.baseUrl, reachable(address));
  return {
    gateway,
    address,
    stop: async (graceMs) => {
      stopping.abort();
      try {
        await closeGently(app.server, () => app.close(), graceMs);
      } finally {
        stopObserving();
        stopRemembering();
        await gateway.quotas.stop();
        gateway.replica.close();
        await lookingAgain;
        await oidc?.close();
        await proofFetch.close();
        await safeFetch.close();
      }
    },
  };
}

/** The wildcard address is not reachable by that name. */
const reachable = (address: string): string => address.replace(/\/\/(0\.0\.0\.0|\[::\]):/u, '//127.0.0.1:');

/** The settings require a server and a sender for mail. */
const mailerOf = ({ CLAIM_DELIVERY, SMTP_URL, SMTP_FROM }: GatewaySettings): Gateway['mailer'] =>
  CLAIM_DELIVERY === 'smtp' && SMTP_URL !== undefined && SMTP_FROM !== undefined
    ? createMailer(SMTP_URL, SMTP_FROM)
    : null;
