import { connectRpc } from '@agent-trust/nats-rpc';

/** The key-value buckets, by the service that may read them. The bus stores nothing else. */
const bucketsOf = {
  gateway: [
    'rate_limits',
    'registration_counts',
    'nonces',
    'idempotency',
    'idempotency_anonymous',
    'idempotency_budgets',
    'mcp_sessions',
    'mcp_events',
    'sign_in_codes',
  ],
  'pay-proxy': ['payment_demands', 'payment_demands_anonymous', 'settlement_outbox'],
};

type StreamInfo = { state?: { first_seq: number; last_seq: number; messages: number } };
type StoredMessage = { message?: { seq: number; subject: string; data?: string; hdrs?: string } };
/** A bucket may hold tens of thousands of entries, and each takes one request. */
const readersPerBucket = 16;

/** Every entry of every bucket as text: its key, its headers and its value. `natsUrl` holds the service's credentials. */
export async function* busEntries(
  natsUrl: string,
  service: keyof typeof bucketsOf = 'gateway',
): AsyncGenerator<{ bucket: string; text: string }> {
  const rpc = await connectRpc({ natsUrl, service, instanceId: 'end-to-end-tests' });
  const request = async <Answer>(subject: string, body: unknown): Promise<Answer> =>
    (await rpc.connection.request(`$JS.API.STREAM.${subject}`, JSON.stringify(body))).json<Answer>();
  const decode = (base64 = ''): string => Buffer.from(base64, 'base64').toString('latin1');
  try {
    for (const bucket of bucketsOf[service]) {
      const { state } = await request<StreamInfo>(`INFO.KV_${bucket}`, {});
      const [first, last] = [state?.first_seq ?? 1, state?.last_seq ?? 0];
      const share = Math.ceil((last - first + 1) / readersPerBucket);
      const texts: string[] = [];
      const read = async (from: number): Promise<void> => {
        const end = Math.min(from + share, last + 1);
        for (let seq = from; seq < end; ) {
          // The first entry from `seq` on: earlier ones may have been replaced or deleted.
          const wanted = { seq, next_by_subj: `$KV.${bucket}.>` };
          const { message } = await request<StoredMessage>(`MSG.GET.KV_${bucket}`, wanted);
          if (message === undefined || message.seq >= end) return;
          // Drop the bucket's name: in front of the key it would make a hash look like a token.
          const key = message.subject.slice(`$KV.${bucket}.`.length);
          texts.push(`${key}\n${decode(message.hdrs)}\n${decode(message.data)}`);
          seq = message.seq + 1;
        }
      };
      await Promise.all(Array.from({ length: readersPerBucket }, (_, reader) => read(first + reader * share)));
      for (const text of texts) yield { bucket, text };
    }
  } finally {
    await rpc.close();
  }
}
