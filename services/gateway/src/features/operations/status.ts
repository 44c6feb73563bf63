import {
  getOperations,
  getOperationsStatusRoute,
  instanceAnswer,
  type LogWitness,
  logWitness,
  replay,
  signedCheckpoint,
  toWire,
  webhookBacklog,
} from '@agent-trust/contracts';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { edgeLimits } from '../../limits.ts';
import type { Gateway } from '../../gateway.ts';
import { registryHealth } from '../health/health.ts';

/** Every installation has at least one instance of each. */
const services = ['gateway', 'registry-write', 'trust-projection', 'call-proxy', 'pay-proxy'];

type Instance = {
  service: string;
  instance_id: string;
  version: string;
  started_at: string;
  role: 'active' | 'standby' | null;
  fault: string | null;
};

type Poison = { position: string; message: string; instance_id: string };

/** The instances that answer in time, and the event that one of them cannot apply. What is not an answer of an instance is left out. */
const askInstances = async ({
  rpc,
}: Pick<Gateway, 'rpc'>): Promise<{ instances: Instance[]; poison: Poison | null }> => {
  const answers = await rpc.callRoll(edgeLimits.rollCallMs);
  let poison: Poison | null = null;
  const instances = answers.flatMap(({ service, answer }): Instance[] => {
    const { data } = instanceAnswer.safeParse(answer);
    if (data === undefined) return [];
    const { instanceId, version, startedAt, role, fault, poisonPosition: position } = data;
    if (position !== null) poison = { position, message: fault ?? '', instance_id: instanceId };
    return [{ service, instance_id: instanceId, version, started_at: startedAt, role, fault }];
  });
  const rank = ({ service }: Instance): number => services.indexOf(service);
  instances.sort((a, b) => rank(a) - rank(b) || a.instance_id.localeCompare(b.instance_id));
  return { instances, poison };
};

const lastWitnessed = (witnesses: readonly LogWitness[]): string | null =>
  witnesses
    .flatMap(({ cosignedAt }) => cosignedAt ?? [])
    .toSorted()
    .at(-1) ?? null;

/** State of the installation. Each part has a time to answer; one that does not is unknown. */
export const operationsStatus: Endpoint = endpoint(getOperationsStatusRoute, async ({ request }, gateway) => {
  const unknown = { lagSeconds: null, checkpoint: null, witnesses: null, webhooks: null, replay: null };
  const [health, { instances, poison }, operations] = await Promise.all([
    registryHealth(gateway, request),
    askInstances(gateway).catch(() => ({ instances: [], poison: null })),
    ask(gateway, request, getOperations, {}, edgeLimits.operationsTimeoutMs).catch(() => unknown),
  ]);
  const { lagSeconds, checkpoint, witnesses, webhooks, replay: running } = operations;
  return {
    checked_at: new Date().toISOString(),
    health: health.body,
    instances,
    services_missing: services.filter((name) => instances.every(({ service }) => service !== name)),
    lag_seconds: lagSeconds,
    poison_event: poison,
    checkpoint:
      checkpoint === null
        ? null
        : { ...toWire(signedCheckpoint, checkpoint), witnessed_at: lastWitnessed(witnesses ?? []) },
    witnesses: witnesses?.map((one) => toWire(logWitness, one)) ?? null,
    webhooks: webhooks === null ? null : toWire(webhookBacklog, webhooks),
    replay: running === null ? null : toWire(replay, running),
  };
});
