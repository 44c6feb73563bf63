/**
 * CLAIM_DELIVERY=smtp in the whole system, with a mail server that requires TLS and a login, and links that expire after seconds. Bugs: an
 * anonymous caller who requests the claim link of somebody else's agent gets it, or learns its recipient from answers, refusals or log lines;
 * a claim link in an old mail or log works forever.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from '@agent-trust/dev-stack';
import { waitFor } from '@agent-trust/test-kit';
import { type MailServer, mailServerCertificate, startMailServer } from '@agent-trust/test-kit/mail-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCheckedStack } from '../support/checked-stack.ts';
import { linkExpiries } from '../support/claim-events.ts';
import {
  type Answer,
  bearer,
  claim,
  createOrganisation,
  type Http,
  httpTo,
  orgKey,
  unique,
} from '../support/registry.ts';
import { findSecrets, secretsIn } from '../support/secrets-at-rest.ts';

const login = { user: 'registry', password: 'mail-password/with:signs' };
const contactEmail = 'the-owner@agent.example';
/** Long enough for a link to be redeemed on a busy machine; a test waits for its end. */
const linkSeconds = 15;
/** An attempt to send a mail has ten seconds; without an end of its own it would wait for ever. */
const mailMsMax = 60_000;

let folder: string;
let mailServer: MailServer;
let stack: Stack;
let http: Http;
const settings = (): NodeJS.ProcessEnv => ({
  ...process.env,
  CLAIM_DELIVERY: 'smtp',
  SMTP_URL: `smtp://${login.user}:${encodeURIComponent(login.password)}@localhost:${mailServer.port}?tls=true`,
  SMTP_FROM: 'The Registry <registry@registry.example>',
  NODE_EXTRA_CA_CERTS: join(folder, 'mail.crt'),
  CLAIM_TOKEN_TTL_SECONDS: String(linkSeconds),
  TRUST_PROXY: '127.0.0.1',
  LOG_LEVEL: 'trace',
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claims-by-mail-'));
  writeFileSync(join(folder, 'mail.crt'), mailServerCertificate);
  mailServer = await startMailServer({ tls: 'starttls', login });
  stack = await startCheckedStack(settings());
  http = httpTo(stack.url);
});
beforeEach(() => {
  mailServer.mails.length = 0;
  mailServer.onMail = async () => undefined;
});
afterAll(async () => {
  await stack?.stop();
  await mailServer?.stop();
  rmSync(folder, { recursive: true, force: true });
});

let clients = 0;
const rotate = (agentId: string, headers: Record<string, string> = {}): Promise<Answer> => {
  clients += 1;
  const client = { 'x-forwarded-for': `203.0.113.${clients}` };
  return http.post('/rotate', { agent_id: agentId }, { ...client, ...headers });
};
const registerWithLink = async (
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<{ agentId: string; link: string }> => {
  const agentId = typeof fields['agent_id'] === 'string' ? fields['agent_id'] : unique('agent');
  const { status, body } = await http.post(
    '/register',
    { agent_id: agentId, contact_email: contactEmail, ...fields },
    headers,
  );
  // In every mode the answer to a registration contains the link.
  expect([status, secretsIn(JSON.stringify(body))]).toEqual([201, ['a claim token']]);
  return { agentId, link: String(body['claim_link']) };
};
const register = async (...request: Parameters<typeof registerWithLink>): Promise<string> =>
  (await registerWithLink(...request)).agentId;
const linkIn = (text = ''): string => /^ +(http\S+\/rotate\?token=\S+)$/mu.exec(text)?.[1] ?? '';

describe('without a credential', () => {
  it('the link goes to the contact_email, over TLS with a login, and works once; the answer shows neither link nor address', async () => {
    const agentId = await register();
    expect(mailServer.mails).toEqual([]);
    const answer = await rotate(agentId);
    expect([answer.status, answer.body]).toEqual([
      200,
      { agent_id: agentId, status: 'claim_sent', agent_key: null, claim_link: null },
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect([...answer.headers].join('\n')).not.toContain(contactEmail);
    const [mail, ...others] = mailServer.mails;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      from: 'registry@registry.example',
      to: [contactEmail],
      secure: true,
      user: login.user,
    });
    for (const words of [agentId, `203.0.113.${clients}`, 'It works once, until 20', 'If it was not you who asked'])
      expect(mail?.text).toContain(words);
    const key = await claim(http, linkIn(mail?.text));
    expect((await http.post('/update', { agent_id: agentId, specialty: 'claimed' }, bearer(key))).status).toBe(200);
    const again = new URL(linkIn(mail?.text));
    expect((await http.get(`${again.pathname}${again.search}`)).status).toBe(400);
  });

  it("an agent_id that imitates a message to the owner does not appear as the registry's own text", async () => {
    const agent_id = `${unique('a')} https://evil.example/?q=1 you@evil.example`;
    const reversed = { agent_id: `${agent_id}\u202E`, contact_email: contactEmail };
    expect((await http.post('/register', reversed)).status).toBe(422);
    const agentId = await register({ agent_id });
    expect((await rotate(agentId)).body['status']).toBe('claim_sent');
    expect(mailServer.mails[0]?.text).not.toMatch(/https:\/\/evil|you@evil/u);
    expect(mailServer.mails[0]?.to).toEqual([contactEmail]);
  });

  it('requests that inline delivery refuses are refused the same, and no mail is sent', async () => {
    const organisation = await createOrganisation(stack);
    const without = await register({ contact_email: null }, orgKey(organisation.key));
    const hidden = await register({}, orgKey(organisation.sandboxKey));
    const codes = [await rotate('nobody at all'), await rotate(hidden), await rotate(without)].map(
      ({ status, body }) => [status, body['code']],
    );
    expect(codes).toEqual([
      [404, 'agent_not_found'],
      [404, 'agent_not_found'],
      [400, 'contact_email_missing'],
    ]);
    expect(mailServer.mails).toEqual([]);
  });

  it('five requests a minute for an agent send five mails', async () => {
    const agentId = await register();
    for (let turn = 0; turn < 5; turn += 1) expect((await rotate(agentId)).status).toBe(200);
    expect((await rotate(agentId)).status).toBe(429);
    expect(mailServer.mails).toHaveLength(5);
    // The owner is not locked out.
    expect((await rotate(agentId, bearer(stack.adminToken))).status).toBe(200);
  });
});

it('a caller with the key of the organisation, the admin or the agent gets the link inline', async () => {
  const organisation = await createOrganisation(stack);
  const agentId = await register({}, orgKey(organisation.key));
  const first = await rotate(agentId, orgKey(organisation.key));
  expect([first.status, first.body['status']]).toEqual([200, 'claim_issued']);
  const key = await claim(http, first.body['claim_link']);
  for (const headers of [bearer(stack.adminToken), bearer(key)]) {
    const { body } = await rotate(agentId, headers);
    expect([body['status'], secretsIn(JSON.stringify(body))]).toEqual(['claim_issued', ['a claim token']]);
  }
  expect(mailServer.mails).toEqual([]);
});

it('a link works until it expires, and then gets the same 400 as an unknown one, whatever credential requested it', async () => {
  const redeem = (link: string): Promise<Answer> => http.get(new URL(link).pathname + new URL(link).search);
  const mailedLink = async (agentId: string): Promise<string> => {
    await rotate(agentId);
    return linkIn(mailServer.mails.at(-1)?.text);
  };
  const { agentId, link } = await registerWithLink();
  const { body } = await rotate(agentId, bearer(stack.adminToken));
  const links = [link, await mailedLink(agentId), String(body['claim_link'])];
  const expiries = await linkExpiries(stack, agentId);
  expect(expiries).toHaveLength(3);
  await waitFor(() => expiries.every((expiry) => Date.now() > Date.parse(String(expiry))));
  const unknown = new URL(link);
  unknown.searchParams.set('token', `${unknown.searchParams.get('token')?.split('.')[0]}.${'A'.repeat(43)}`);
  const answers = await Promise.all([...links, unknown.href].map(redeem));
  const reported = answers.map((answer) => JSON.stringify([answer.status, { ...answer.body, request_id: '' }]));
  expect(new Set(reported).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 400, body: { code: 'invalid_claim_token' } });
  expect(answers[0]?.headers.get('cache-control')).toBe('no-store');
  expect(answers[0]?.headers.get('referrer-policy')).toBe('no-referrer');

  const fresh = await redeem(await mailedLink(agentId));
  expect([fresh.status, fresh.body['status']]).toEqual([200, 'rotated']);
  expect((await redeem(link)).status).toBe(400);
});

describe('a failing mail server', () => {
  it('leads to a 503 without details, in bounded time; the next request succeeds after its recovery', async () => {
    const agentId = await register();
    mailServer.onMail = () => Promise.reject(new Error(`mailbox of ${contactEmail} is full`));
    const refused = await rotate(agentId);
    mailServer.onMail = () => new Promise(() => undefined);
    const began = performance.now();
    const unanswered = await rotate(agentId);
    expect(performance.now() - began).toBeLessThan(mailMsMax);
    const { port } = mailServer;
    await mailServer.stop();
    const gone = await rotate(agentId);
    // Another process may have the port for a moment.
    mailServer = await waitFor(() => startMailServer({ tls: 'starttls', login, port }));
    for (const { status, body, headers } of [refused, unanswered, gone]) {
      expect([status, body['code'], headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
      expect(Object.keys(body).toSorted()).toEqual(['code', 'detail', 'request_id']);
      expect(JSON.stringify(body)).not.toMatch(/owner|full|token/u);
    }
    expect((await rotate(agentId)).body['status']).toBe('claim_sent');
  });
});

it('no link, password or address is in any log line, event or row', async () => {
  const agentId = await register();
  await rotate(agentId);
  const token = new URL(linkIn(mailServer.mails.at(-1)?.text)).searchParams.get('token') ?? '';
  const places = {
    logsFolder: join(stack.dataDir, 'logs'),
    eventLogUrl: stack.environment['EVENT_LOG_URL'] ?? '',
    readModelsUrl: stack.environment['DATABASE_URL'] ?? '',
    adminKey: stack.adminKey,
    adminToken: stack.adminToken,
  };
  const secrets = [token, token.split('.')[1] ?? '', login.password, encodeURIComponent(login.password)];
  expect(await findSecrets(places, [...secrets, contactEmail])).toEqual([]);
});
