import { DomainError, email } from '@agent-trust/contracts';
import { createTransport } from 'nodemailer';
import type { Mailbox, SmtpServer } from './smtp-server.ts';

type Mail = { to: string; subject: string; text: string };

export type Mailer = {
  /**
   * Resolves when the server has accepted the mail. @throws DomainError unavailable, overloaded; without the address and the server's text.
   */
  send(mail: Mail): Promise<void>;
};

export function createMailer(server: SmtpServer, from: Mailbox, limits: MailLimits = mailLimits): Mailer {
  const { host, port, tls, login } = server;
  const transport = createTransport({
    host,
    port,
    secure: tls === 'from_start',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    opportunisticTLS: false,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: limits.connectTimeoutMs,
    greetingTimeout: limits.idleTimeoutMs,
    socketTimeout: limits.idleTimeoutMs,
    socketCloseTimeout: limits.closeTimeoutMs,
    dnsTimeout: limits.dnsTimeoutMs,
    maxResponseSize: limits.serverReplyBytesMax,
    // Its log would contain addresses, and in debug mode the mail.
    logger: false,
    debug: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let underWay = 0;
  return {
    send: async ({ to, subject, text }) => {
      if (underWay >= limits.mailsAtOnceMax) {
        throw new DomainError(
          'overloaded',
          'as many mails as may be sent at one time are under way; try again in a moment',
        );
      }
      // The library would read several addresses from other texts.
      if (!email.safeParse(to).success) throw new Error('a mail is to go to what is no address');
      underWay += 1;
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          textEncoding: 'quoted-printable',
          // Suppresses out-of-office replies (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
          // The other timeouts are for silence; a server that sends a little now and then would never reach them.
          signal: AbortSignal.timeout(limits.sendTimeoutMs),
        });
      } catch (error) {
        throw new DomainError('unavailable', 'the mail could not be sent; try again later', {
          cause: withoutWords(error),
        });
      } finally {
        underWay -= 1;
      }
    },
  };
}

/** The server's text may contain the address; codes are enough for the log. */
const withoutWords = (error: unknown): Error => {
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown };
  const said = [code, command, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number');
  return new Error(`SMTP: ${said.join(' ') || 'failed'}`);
};

export type MailLimits = Readonly<Record<keyof typeof mailLimits, number>>;

export const mailLimits = {
  /** From the first connection attempt until the server has accepted the mail. */
  sendTimeoutMs: 10_000,
  connectTimeoutMs: 5_000,
  dnsTimeoutMs: 3_000,
  /** Silence of the server once connected. */
  idleTimeoutMs: 5_000,
  closeTimeoutMs: 1_000,
  serverReplyBytesMax: 64 * 1024,
  /** Concurrent mails; further requests are refused. Nothing waits in a queue. */
  mailsAtOnceMax: 32,
} as const;

type ClaimMail = {
  to: string;
  agentId: string;
  claimLink: string;
  baseUrl: string;
  /** The caller's network address. */
  askedFrom: string;
  /** RFC 3339; null for a link that does not expire. */
  expiresAt: string | null;
};

/** The mail with a claim link that an anonymous caller requested. */
export function claimMail({ to, agentId, claimLink, baseUrl, askedFrom, expiresAt }: ClaimMail): Mail {
  return {
    to,
    subject: 'A new key for your agent',
    text: `The Agent Trust Registry at ${baseUrl} was asked for a new key of the agent

    ${shownAgentId(agentId)}

whose contact address this is. Whoever asked did so without a credential, from the network address ${askedFrom}.

To get the key, open this link:

    ${claimLink}

It works once${expiresAt === null ? '' : `, until ${expiresAt}`}. The key is shown then, and the agent's present key stops working.

If it was not you who asked, do nothing: nobody gets a key without this link, and the present key goes on working.
Pass the link on to nobody: whoever opens it can act as your agent.
`,
  };
}

/**
 * An agent_id may contain any text, and the registrant chose both it and the address: it must not look like the registry's own words, a
 * link or an address. Letters and digits stay; the rest is percent-encoded as in a URL's path.
 */
export function shownAgentId(agentId: string): string {
  return agentId.replaceAll(/[^\p{L}\p{M}\p{N}._~-]/gu, (character) =>
    encodeURIComponent(character).replaceAll(
      /[!'()*]/gu,
      (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  );
}
