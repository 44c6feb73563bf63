import { issueClaim, rotateResponse } from '@agent-trust/contracts';
import { type MailServer, startMailServer } from '@agent-trust/test-kit/mail-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sha256Hex } from '../../credentials/keys.ts';
import { agentKey, orgKey } from '../../testing/agents.ts';
import {
  adminToken,
  answerAsKnown,
  type GatewayUnderTest,
  post,
  startGatewayUnderTest,
} from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
let mailServer: MailServer;
const contactEmail = 'owner@agent.example';
let lastAddress = 0;
const rotate = (headers: Record<string, string> = {}): Promise<Response> => {
  lastAddress += 1;
  const address = `198.51.100.${lastAddress}`;
  return post(`${under.url}/rotate`, { agent_id: `caller ${lastAddress}` }, { 'x-forwarded-for': address, ...headers });
};

beforeAll(async () => {
  mailServer = await startMailServer();
  under = await startGatewayUnderTest({
    TRUST_PROXY: '127.0.0.1',
    BASE_URL: 'https://registry.example',
    CLAIM_DELIVERY: 'smtp',
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SMTP_FROM: 'Registry <registry@registry.example>',
  });
});
beforeEach(() => {
  answerAsKnown(under.bus);
  mailServer.mails.length = 0;
  mailServer.onMail = async () => undefined;
  under.bus.answer(issueClaim, ({ authority }) => ({
    position: '9',
    expiresAt: '2026-01-01T00:30:00.000Z',
    contactEmail: authority.kind === 'uncredentialed' ? contactEmail : null,
  }));
});
afterAll(async () => {
  await under.stop();
  await mailServer.stop();
});

it('sends the link of a request without a credential, and answers without link and address', async () => {
  const response = await rotate();
  const text = await response.text();
  expect(rotateResponse.parse(JSON.parse(text))).toEqual({
    agent_id: `caller ${lastAddress}`,
    status: 'claim_sent',
    agent_key: null,
    claim_link: null,
  });
  expect(text).not.toContain(contactEmail);
  expect(mailServer.mails.map(({ to }) => to)).toEqual([[contactEmail]]);
  const mail = mailServer.mails[0]?.text ?? '';
  const link = /^ +(https:\/\/registry\.example\/rotate\?token=\S+)$/mu.exec(mail)?.[1] ?? '';
  const token = new URL(link).searchParams.get('token') ?? '';
  expect(under.bus.inputsOf(issueClaim).at(-1)?.claimTokenHash).toBe(sha256Hex(token));
  expect(mail).toContain(`caller%20${lastAddress}`);
  expect(mail).toContain(`198.51.100.${lastAddress}`);
  expect(mail).toContain('2026-01-01T00:30:00.000Z');
  expect(under.logged()).not.toMatch(/owner@|token=/u);
});

it('answers requests with a credential inline nevertheless', async () => {
  for (const headers of [
    { 'x-api-key': orgKey },
    { authorization: `Bearer ${adminToken}` },
    { authorization: `Bearer ${agentKey}` },
  ]) {
    const body = rotateResponse.parse(await (await rotate(headers)).json());
    expect([body.status, body.claim_link]).toEqual(['claim_issued', expect.stringContaining('/rotate?token=')]);
  }
  expect(mailServer.mails).toEqual([]);
});

it("returns 503 if the mail cannot be sent, without link, address or the server's text", async () => {
  mailServer.onMail = () => Promise.reject(new Error(`mailbox ${contactEmail} is full`));
  const response = await rotate();
  const text = await response.text();
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(JSON.parse(text)).toMatchObject({ code: 'unavailable' });
  for (const word of [contactEmail, 'token', 'full', 'claim_link']) expect(text).not.toContain(word);
  expect(under.logged()).toContain('SMTP: ');
  expect(under.logged()).not.toMatch(/owner@|token=|is full/u);
});
