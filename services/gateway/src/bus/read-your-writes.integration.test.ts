/** Bug: a write is answered before readers see it, or not at all. The leader of the replicas is the test. */
import { encodeMessage, replicaSubjects } from '@agent-trust/edge-replica';
import { waitFor } from '@agent-trust/test-kit';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../testing/gateway-under-test.ts';
import { untilReadable } from './read-your-writes.ts';

let under: GatewayUnderTest;
let leader: NatsConnection;
beforeAll(async () => {
  under = await startGatewayUnderTest({ REPLICA_BYTES: '0', READ_MODEL_WAIT_MS: '2s' }, 'on the feed');
  const { hostname, port, username, password } = new URL(under.natsUrl);
  leader = await connect({ servers: `${hostname}:${port}`, user: username, pass: password });
});
afterAll(async () => {
  await leader.close();
  await under.stop();
});

const publish = (watermark: bigint): void =>
  leader.publish(
    replicaSubjects.feed('rare'),
    encodeMessage({ kind: 'heartbeat', scope: 'rare', epoch: 1, seq: 0, watermark }),
  );

it('answers a write when a leader says that it is visible', async () => {
  let isAnswered = false;
  const answered = untilReadable(under.gateway, '7').then(() => (isAnswered = true));
  publish(6n);
  await leader.flush();
  expect(isAnswered).toBe(false);
  publish(7n);
  await answered;
  await untilReadable(under.gateway, '7');
});

it('refuses when none says so in time, with what exists only in this answer', async () => {
  const refused = untilReadable(under.gateway, '9', { agent_key: 'a key' });
  publish(8n);
  await expect(refused).rejects.toMatchObject({ code: 'read_model_behind', fields: { agent_key: 'a key' } });
});

it('goes on after a message that it cannot read', async () => {
  leader.publish(replicaSubjects.watermark, '{"kind":"watermark","epoch":1,"position":"9; "}');
  await waitFor(() => under.logged().includes('a message of the leader cannot be read'));
  publish(10n);
  await expect(untilReadable(under.gateway, '10')).resolves.toBeUndefined();
});
