/**
 * A webhook consumer in a separate process, so that it can be killed. It writes each message to a file before it answers, so no acknowledged
 * message is lost with it. Arguments: port, secret, file.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { certificate, privateKey } from '@agent-trust/test-kit/loopback-certificate';
import { Webhook } from 'standardwebhooks';

const [port = '', secret = '', file = ''] = process.argv.slice(2);
const webhook = new Webhook(secret);

createServer({ cert: certificate, key: privateKey }, (request, response) => {
  void (async () => {
    const id = String(request.headers['webhook-id']);
    const message = webhook.verify(await text(request), {
      'webhook-id': id,
      'webhook-timestamp': String(request.headers['webhook-timestamp']),
      'webhook-signature': String(request.headers['webhook-signature']),
    }) as { data: Record<string, unknown> };
    const { agent_id: agentId, position, trust_score: score, previous_score: previous } = message.data;
    appendFileSync(file, `${JSON.stringify({ id, agentId, position, score, previous })}\n`);
    response.writeHead(204).end();
  })().catch(() => response.writeHead(401).end());
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
