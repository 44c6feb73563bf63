import { getWriterStatus } from '@agent-trust/contracts';
import type { HealthPart } from '@agent-trust/service-kit';
import type { Gateway } from '../../gateway.ts';
import { edgeLimits } from '../../limits.ts';

/** State of what this gateway needs beside the read models, for `GET /health` and `/readyz`. Never rejects. */
export async function edgeParts({
  rpc,
  jetstream,
}: Pick<Gateway, 'rpc' | 'jetstream'>): Promise<Record<'message_bus' | 'jetstream' | 'registry_write', HealthPart>> {
  const isWriterUp = rpc.request(getWriterStatus, {}, { timeoutMs: edgeLimits.healthTimeoutMs }).then(
    () => true,
    () => false,
  );
  return {
    message_bus: part(rpc.status().connected, 'not connected to NATS'),
    jetstream: part(jetstream.answers(), 'does not answer'),
    registry_write: part(await isWriterUp, 'no instance answers'),
  };
}

const part = (isUp: boolean, detail: string): HealthPart => (isUp ? { status: 'ok' } : { status: 'down', detail });
