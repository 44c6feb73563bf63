import { keyOf, type WrittenRegistry } from './written-registry.ts';

/** A port below those that systems give out, so that a consumer can be there again when the fixture is used. */
const consumerPort = 27_439;

/** Where the messages of the fixture's webhook go: to nobody, until a test listens there. */
export const consumerUrl = `https://localhost:${consumerPort}/hook`;

export async function writeWebhooks({ post, must, known }: WrittenRegistry): Promise<void> {
  const by = keyOf('beta');
  const kept = await post(by, '/org/webhooks', { url: consumerUrl });
  const webhookId = String(kept['webhook_id']);
  known.webhooks['kept'] = { webhookId, secret: String(kept['secret']), url: consumerUrl };
  await post(by, `/org/webhooks/${webhookId}/replay`, { from_position: '0' });
  const deleted = await post(by, '/org/webhooks', { url: `${consumerUrl}/deleted` });
  await must(by, 'DELETE', `/org/webhooks/${String(deleted['webhook_id'])}`);
}
