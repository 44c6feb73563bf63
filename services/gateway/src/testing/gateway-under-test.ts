import {
  authenticateAgentKey,
  authenticateOperatorKey,
  authenticateOrgKey,
  findSignatureKey,
  getAgent,
  getOwnerAgent,
  getOrganisationLimits,
  getWriterStatus,
  type OrganisationLimits,
  production,
  redeemStartCode,
  registerAgent,
  settleUsage,
} from '@agent-trust/contracts';
import { connectJetStream, connectRpc } from '@agent-trust/nats-rpc';
import { createLogger, readConfig } from '@agent-trust/service-kit';
import { createTestBus } from '@agent-trust/test-kit';
import { sha256Hex } from '../credentials/keys.ts';
import type { Gateway } from '../gateway.ts';
import { settings } from '../settings.ts';
import { startGateway } from '../start-gateway.ts';
import {
  agentKey,
  callerIdentity,
  organisation,
  orgKey,
  ownerAgent,
  publicAgent,
  sandbox,
  sandboxKey,
} from './agents.ts';
import { type FakeBus, startFakeBus } from './fake-bus.ts';

export const adminToken = 'admin-token-of-the-tests';
export const adminKey = 'admin-key-of-the-tests';
export const registrySecret = 'registry-secret-of-the-tests';

export type GatewayUnderTest = {
  readonly url: string;
  readonly gateway: Gateway;
  readonly bus: FakeBus;
  readonly natsUrl: string;
  /** Everything that the gateway has logged, as text. */
  logged(): string;
  stopGateway(): Promise<void>;
  stop(): Promise<void>;
};

const stopGraceMs = 8_000;
/** When a test has ended, connections that it has left open are of no interest. */
const cleanUpGraceMs = 500;

/**
 * A gateway on a free port, on a separate bus (or the one of `NATS_URL`), with the other services replaced by the test.
 *
 * @param waits whether `bus` answers the gateway's waits for readers, or the real feed does
 */
export async function startGatewayUnderTest(
  env: Record<string, string> = {},
  waits: 'answered' | 'on the feed' = 'answered',
): Promise<GatewayUnderTest> {
  const natsUrl = env['NATS_URL'] ?? createTestBus().url;
  const bus = await startFakeBus(natsUrl);
  answerAsKnown(bus);
  const lines: string[] = [];
  const logger = createLogger({
    service: 'gateway',
    instanceId: 'test',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  const config = readConfig(settings, {
    NATS_URL: natsUrl,
    PORT: '0',
    ADMIN_KEY: adminKey,
    ADMIN_TOKEN: adminToken,
    REGISTRY_SECRET: registrySecret,
    WEBHOOK_SECRET: 'what the secrets of the tests come from',
    INSTANCE_ID: 'test',
    READ_MODEL_WAIT_MS: '10s',
    REGISTRATIONS_PER_MINUTE: '0',
    ...env,
  });
  const peer = { natsUrl, service: 'gateway', instanceId: config.INSTANCE_ID, logger };
  const [rpc, jetstream] = await Promise.all([connectRpc(peer), connectJetStream(peer)]);
  const started = await startGateway(config, logger, {
    rpc,
    jetstream,
    logState: { state: () => ({ accepted: 0, fault: null }), whenKnown: () => Promise.resolve(null) },
  });
  const { gateway } = started;
  const replica = { ...gateway.replica, untilVisible: bus.untilVisible };
  if (waits === 'answered') Object.assign(gateway, { replica });
  let stopped: Promise<void> | undefined;
  const stopGateway = (graceMs = stopGraceMs): Promise<void> => {
    stopped ??= started.stop(graceMs).then(async () => {
      await jetstream.close();
      await rpc.close();
    });
    return stopped;
  };
  return {
    url: started.address,
    gateway,
    bus,
    natsUrl,
    logged: () => lines.join(''),
    stopGateway: () => stopGateway(),
    stop: async () => {
      await stopGateway(cleanUpGraceMs);
      await bus.close();
    },
  };
}

/** Answers for the keys and agents of agents.ts; every position is readable at once. */
export function answerAsKnown(bus: FakeBus): void {
  bus.answer(authenticateAgentKey, ({ keyHash }) => ({
    agent: keyHash === sha256Hex(agentKey) ? callerIdentity : null,
  }));
  bus.answer(getOrganisationLimits, ({ organisation: orgId }) => ({ limits: limitsOf(orgId) }));
  bus.answer(settleUsage, () => ({ granted: [] }));
  bus.answer(authenticateOrgKey, ({ keyHash }) => {
    const known = { [sha256Hex(orgKey)]: organisation, [sha256Hex(sandboxKey)]: sandbox };
    return { organisation: known[keyHash] ?? null };
  });
  bus.answer(authenticateOperatorKey, () => ({ operatorKey: null }));
  bus.answer(redeemStartCode, () => ({ role: null }));
  bus.answer(findSignatureKey, () => ({ signer: null }));
  bus.answer(getAgent, ({ agentId }) => ({ agent: agentId === 'receiver' ? publicAgent() : null }));
  bus.answer(getOwnerAgent, ({ agentId }) => ({ agent: ownerAgent({ agentId }) }));
  bus.answer(registerAgent, ({ agentId }) => ({
    outcome: 'registered' as const,
    agentId,
    universe: production,
    registeredAt: '2026-01-01T00:00:00.000Z',
    position: '7',
  }));
  bus.answer(getWriterStatus, () => ({}));
  bus.answerWaits(() => Promise.resolve());
}

/** POSTs JSON. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** An organisation without limits. */
const limitsOf = (orgId: string): OrganisationLimits => ({
  orgId,
  orgName: 'Acme',
  callsPerDay: 0,
  registrationsPerDay: 0,
  readsPerDay: 0,
  own: { callsPerDay: null, registrationsPerDay: null, readsPerDay: null },
  reason: null,
  setAt: null,
});
