import { connectRpc } from '@agent-trust/nats-rpc';

/** Key-value buckets by who may read them: nothing else is kept on the bus. */
const bucketsOf = {
  gateway: [
    'rate_limits',
    'nonces',
    'idempotency',
    'idempotency_strangers',
    'idempotency_budgets',
    'mcp_sessions',
    'mcp_events',
  ],
  'pay-proxy': ['payment_demands', 'payment_demands_strangers'],
};

type StreamInfo = { state?: { first_seq: number; last_seq: number; messages: number } };
type StoredMessage = { message?: { subject: string; data?: string; hdrs?: string } };

/** Every entry of every bucket as text: its key, its headers and its value. `natsUrl` is the service's own. */
export async function* keptOnTheBus(
  natsUrl: string,
  service: keyof typeof bucketsOf = 'gateway',
): AsyncGenerator<{ bucket: string; text: string }> {
  const rpc = await connectRpc({ natsUrl, service, instanceId: 'end-to-end-tests' });
  const ask = async <Answer>(subject: string, body: unknown): Promise<Answer> =>
    (await rpc.connection.request(`$JS.API.STREAM.${subject}`, JSON.stringify(body))).json<Answer>();
  const decode = (base64 = ''): string => Buffer.from(base64, 'base64').toString('latin1');
  try {
    for (const bucket of bucketsOf[service]) {
      const { state } = await ask<StreamInfo>(`INFO.KV_${bucket}`, {});
      for (let seq = state?.first_seq ?? 1; seq <= (state?.last_seq ?? 0); seq += 1) {
        const { message } = await ask<StoredMessage>(`MSG.GET.KV_${bucket}`, { seq });
        if (message === undefined) continue;
        // The bucket's name before the key would make a hash look like a token.
        const key = message.subject.slice(`$KV.${bucket}.`.length);
        yield { bucket, text: `${key}\n${decode(message.hdrs)}\n${decode(message.data)}` };
      }
    }
  } finally {
    await rpc.close();
  }
}
