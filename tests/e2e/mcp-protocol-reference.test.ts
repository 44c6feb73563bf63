/**
 * Runs each worked example of protocol_reference as the tool returns it, with only the placeholders replaced. Everything in an expected
 * answer must be in the real one; a placeholder without a value takes the real one's.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { type ReferenceStep, type ReferenceTopic, referenceTopics } from '@agent-trust/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrg, freshClient, join, type Member, stack } from '../support/ask.ts';
import { done, type ToolClient, toolClient } from '../support/mcp-tools.ts';
import { createFirstBuyer } from '../support/payments/buyers.ts';
import { type Facilitator, startFacilitator } from '../support/payments/facilitator.ts';
import { type Seller, startFirstSeller } from '../support/payments/sellers.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { unique } from '../support/registry.ts';
import { followExample, type Values } from '../support/worked-examples.ts';

let receiving: RecordingAgent;
let facilitator: Facilitator;
let seller: Seller;
let own: Member;
let receiver: Member;
let sellerAgent: Member;
let client: ToolClient;
let folder: string;
beforeAll(async () => {
  [receiving, facilitator] = await Promise.all([startRecordingAgent(), startFacilitator()]);
  seller = await startFirstSeller(facilitator);
  own = await join((await createOrg()).key);
  const { key } = await createOrg();
  receiver = await join(key, { endpoint_url: receiving.url });
  sellerAgent = await join(key, { endpoint_url: seller.url, settlement_rail: ['x402'] });
  client = await toolClient(freshClient());
  folder = await mkdtemp(joinPath(tmpdir(), 'worked-example-'));
});
afterAll(async () => {
  await client.end();
  seller.stop();
  await Promise.all([receiving.stop(), facilitator.stop(), rm(folder, { recursive: true })]);
});

/** The payment that a wallet signs for a demand: its library gets the demand, and the request that it would send is captured. */
const signedPayment = async (demand: unknown): Promise<string> => {
  let signed = '';
  const answerIt = (async (input: string | URL | Request, init?: RequestInit) => {
    signed = new Request(input, init).headers.get('x-payment') ?? '';
    return Response.json(signed === '' ? demand : {}, { status: signed === '' ? 402 : 200 });
  }) as typeof fetch;
  await createFirstBuyer(answerIt).fetch('http://by.tool/');
  return signed;
};

/** Values that the reader of an example provides. */
const valuesOf = (): Values => ({
  AGENT_KEY: own.auth['authorization']?.replace('Bearer ', '') ?? '',
  AGENT_ID: own.agentId,
  NEW_AGENT_ID: unique('example'),
  CONTACT_EMAIL: 'owner@agent.example',
  ENDPOINT_URL: receiving.url,
  RECEIVER_ID: receiver.agentId,
  SELLER_ID: sellerAgent.agentId,
  IDEMPOTENCY_KEY: unique('key'),
  X_PAYMENT: ({ body }) => signedPayment((body as { body: unknown }).body),
});

type Explained = {
  title: string;
  explanation: string;
  placeholders: { name: string; meaning: string }[];
  steps: ReferenceStep[];
};
const explain = async (topic: ReferenceTopic): Promise<Explained> =>
  done(await client.tool('protocol_reference', { topic })) as Explained;

describe.each(referenceTopics)('%s', (topic) => {
  it('has an example that works', async () => {
    const { steps, placeholders } = await explain(topic);
    expect(steps.length).toBeGreaterThan(1);
    const all = valuesOf();
    const named = placeholders.map(({ name }) => name);
    for (const name of named) expect(all).toHaveProperty(name);
    // Only declared placeholders have a value; all others must come from an answer.
    const values = Object.fromEntries(Object.entries(all).filter(([name]) => named.includes(name)));
    const session = await toolClient(freshClient());
    await followExample(steps, values, session, folder);
    await session.end();
  });

  it('describes this registry, and is short', async () => {
    const { explanation, steps } = await explain(topic);
    expect(explanation.length).toBeLessThan(1_600);
    const urls = steps.flatMap(({ url }) => (url === undefined ? [] : [new URL(url).origin]));
    expect(urls.every((origin) => stack.bareUrls.includes(origin) || stack.urls.includes(origin))).toBe(true);
  });
});

it('a wrong example is detected', async () => {
  const step = (body: Record<string, unknown>, is_error = false): ReferenceStep => ({
    title: 'Look',
    kind: 'tool',
    tool: 'verify_agent',
    arguments: { agent_id: '<AGENT_ID>' },
    answer: { is_error, body },
  });
  const follow = (...steps: ReferenceStep[]) => followExample(steps, { AGENT_ID: own.agentId }, client, folder);
  await follow(step({ agent_id: '<AGENT_ID>', role: '<ROLE>' }), step({ role: '<ROLE>' }));
  for (const wrong of [
    step({ verified: false }),
    step({ flags: ['none', 'none'] }),
    step({ none: '<NONE>' }),
    step({}, true),
  ])
    await expect(follow(wrong)).rejects.toThrow('"Look": answer');
  await expect(follow({ ...step({}), arguments: { agent_id: '<UNKNOWN>' } })).rejects.toThrow('<UNKNOWN>');
});
