import type { ServerResponse } from 'node:http';
import { type RunningAgent, listen } from '@agent-trust/dev-stack/demo-agents';
import { textMessage } from '../../support/registry.ts';
import { agentKeyOf, anybody, keyOf, operator, unreviewed, type WrittenRegistry } from './written-registry.ts';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const payTo = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const demand = {
  x402Version: 1,
  accepts: [
    {
      scheme: 'exact',
      network: 'base-sepolia',
      maxAmountRequired: '12300',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      payTo,
      resource: 'https://agent.example/forecast',
      description: 'A forecast',
      mimeType: 'application/json',
      maxTimeoutSeconds: 60,
      extra: { name: 'USDC', version: '2' },
    },
  ],
};
const authorization = { from: '0x857b06519E91e3A54538791bDbb0E22373e36b66', to: payTo, value: '12300' };
const payment = encoded({
  x402Version: 1,
  scheme: 'exact',
  network: 'base-sepolia',
  payload: { signature: '0xsignature', authorization },
});
const settled = encoded({
  success: true,
  transaction: '0x9f2c7b1f4d0a3e6c8b5d2a1f0e9c8d7b6a5f4e3d2c1b0a9f8e7d6c5b4a392817',
  network: 'base-sepolia',
  payer: authorization.from,
});

const answer = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** An agent whose path says what it does: answers, breaks off, never answers, or wants to be paid. */
export function startFixtureAgent(): Promise<RunningAgent> {
  return listen(({ url = '', headers }, response) => {
    if (url.startsWith('/breaks')) response.destroy();
    else if (url.startsWith('/paid') && headers['x-payment'] === undefined) answer(response, 402, demand);
    else if (url.startsWith('/paid')) answer(response, 200, { forecast: 'sun' }, { 'x-payment-response': settled });
    else if (!url.startsWith('/silent')) answer(response, 200, { jsonrpc: '2.0', id: 1, result: { ok: true } });
  });
}

type Call = { by: string; agentId: string };

/** An exchange that nobody reviews, to be archived. */
export async function writeFirstExchange(registry: WrittenRegistry, agentUrl: string): Promise<void> {
  await registry.register(keyOf('gamma'), 'archived', { endpoint_url: new URL('/answers', agentUrl).href });
  await registry.register(keyOf('gamma'), 'archiver');
  const call = { caller_agent_id: 'archiver', agent_id: 'archived', message: textMessage('hello') };
  await registry.post(agentKeyOf('archiver'), '/call', call);
}

/** Calls that complete, fail and are abandoned; reviews, an answer, voided reviews and a payment. `killCallProxy` ends it while it waits. */
export async function writeExchanges(
  registry: WrittenRegistry,
  agentUrl: string,
  killCallProxy: () => Promise<void>,
): Promise<void> {
  const { post, register, known, send } = registry;
  const at = (path: string): Record<string, unknown> => ({ endpoint_url: new URL(path, agentUrl).href });
  const called = ({ by, agentId }: Call) =>
    send(agentKeyOf(by), 'POST', '/call', { caller_agent_id: by, agent_id: agentId, message: textMessage('hello') });
  const completed = async (call: Call): Promise<string> => {
    const { status, body, text } = await called(call);
    if (status !== 200) throw new Error(`a call answered ${status}: ${text}`);
    return String(body['transaction_id']);
  };
  const review = (by: string, agentId: string, transactionId: string, score: number) =>
    post(agentKeyOf(by), '/review', {
      caller_agent_id: by,
      receiver_agent_id: agentId,
      transaction_id: transactionId,
      success: score > 5,
      score,
    });

  await register(keyOf('beta'), 'answering', at('/answers'));
  await register(anybody, 'breaking', { ...at('/breaks'), contact_email: 'b@agent.example' });
  await register(keyOf('alpha'), 'silent', at('/silent'));
  await register(keyOf('beta'), 'selling', { ...at('/paid'), settlement_rail: ['x402'], http_methods: ['GET'] });
  for (const by of ['buyer', 'critic', 'thief']) await register(keyOf('alpha'), by, { org_domain: `${by}.example` });

  const abandoned = called({ by: 'buyer', agentId: 'silent' });
  await killCallProxy();
  await abandoned.catch(() => undefined);

  for (const [index, score] of [9, 8, 2].entries()) {
    const transactionId = await completed({ by: index === 2 ? 'critic' : 'buyer', agentId: 'answering' });
    await review(index === 2 ? 'critic' : 'buyer', 'answering', transactionId, score);
    known.exchanges[`review ${index + 1}`] = { transactionId, agentId: 'answering', readableBy: keyOf('beta') };
  }
  await post(keyOf('beta'), '/review/answer', {
    agent_id: 'answering',
    transaction_id: known.exchanges['review 3']?.transactionId,
    text: 'The price was in the first line of the answer.',
  });
  const forged = await completed({ by: 'thief', agentId: 'answering' });
  await review('thief', 'answering', forged, 1);
  const voided = { reviewer_agent_ids: ['thief'], agent_ids: ['answering'], reason: 'a stolen key', dry_run: false };
  await post(operator, '/ops/reviews/void', voided);

  await called({ by: 'buyer', agentId: 'breaking' });
  // Reviewed after an upgrade.
  const last = await completed({ by: 'buyer', agentId: 'answering' });
  known.exchanges[unreviewed] = { transactionId: last, agentId: 'answering', readableBy: keyOf('beta') };

  await send(agentKeyOf('buyer'), 'GET', '/pay/selling');
  const paid = await send(agentKeyOf('buyer'), 'GET', '/pay/selling', undefined, { 'x-payment': payment });
  if (paid.status !== 200) throw new Error(`a payment answered ${paid.status}: ${paid.text}`);
}
