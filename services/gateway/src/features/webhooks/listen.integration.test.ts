/**
 * Bugs: a listener that was opened before WEBHOOK_SECRET was replaced takes every message for a forged one; an organisation's key that is replaced while
 * a question waits for an event still gets that event.
 */
import { authenticateOrgKey, listWebhookMessages } from '@agent-trust/contracts';
import { isSigned } from '@agent-trust/webhook-signature';
import { afterEach, expect, it } from 'vitest';
import { organisation, orgKey } from '../../testing/agents.ts';
import { type GatewayUnderTest, post, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
afterEach(() => under.stop());

const headers = { 'x-api-key': orgKey };
const group = { position: '9', messages: [{ id: 'msg_1', body: '{"type":"trust_score.changed"}' }] };
type Listener = { listener_id: string; secret: string };
type Message = { headers: Record<string, string>; body: string };

const openListener = async (): Promise<Listener> =>
  (await (await post(`${under.url}/org/webhooks/listeners`, undefined, headers)).json()) as Listener;

/** The text of the stream up to an end that `isEnough` sees. */
const listened = async ({ listener_id: id }: Listener, isEnough: (text: string) => boolean): Promise<string> => {
  const abort = new AbortController();
  const answer = await fetch(`${under.url}/org/webhooks/listeners/${id}/messages?after=8`, {
    headers,
    signal: abort.signal,
  });
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    if (isEnough(text)) break;
  }
  abort.abort();
  return text;
};

const messageIn = (text: string): Message => {
  const data = /^data: (\{.*\})$/mu.exec(text)?.[1] ?? '{}';
  const [message] = (JSON.parse(data) as { messages: Message[] }).messages;
  if (message === undefined) throw new Error(`no message in ${text}`);
  return message;
};

it('a listener goes on while WEBHOOK_SECRET is replaced', async () => {
  const former = 'what the secrets of the tests came from';
  under = await startGatewayUnderTest({ WEBHOOK_SECRET: former });
  const listener = await openListener();
  await under.stop();
  under = await startGatewayUnderTest({
    WEBHOOK_SECRET: 'what the secrets come from now, and former',
    WEBHOOK_SECRET_PREVIOUS: former,
  });
  under.bus.answer(listWebhookMessages, () => ({ groups: [group], upTo: '9', seenTo: '9', isCut: false }));
  const message = messageIn(await listened(listener, (text) => text.includes('data: ')));
  expect(isSigned(message, listener.secret)).toBe(true);
  const fresh = await openListener();
  const other = messageIn(await listened(fresh, (text) => text.includes('data: ')));
  expect([isSigned(other, fresh.secret), isSigned(other, listener.secret)]).toEqual([true, false]);
});

it('a key that is replaced while a question waits gets nothing more', async () => {
  under = await startGatewayUnderTest();
  const listener = await openListener();
  let isReplaced = false;
  under.bus.answer(authenticateOrgKey, () => ({ organisation: isReplaced ? null : organisation }));
  under.bus.answer(listWebhookMessages, ({ waitMs }) => {
    if (waitMs === 0) return { groups: [], upTo: '8', seenTo: '8', isCut: false };
    isReplaced = true;
    return { groups: [group], upTo: '9', seenTo: '9', isCut: false };
  });
  const text = await listened(listener, (so) => so.includes('event: end') || so.includes('trust_score'));
  expect(text).toContain('not_allowed_any_more');
  expect(text).not.toContain('trust_score');
});
