import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { certificate, privateKey } from './certificate.ts';

export { certificate as mailServerCertificate } from './certificate.ts';

export type ReceivedMail = {
  /** The envelope's addresses. */
  from: string;
  to: string[];
  /** By lower-case name, unfolded. */
  headers: Record<string, string>;
  text: string;
  raw: string;
  /** Whether the connection used TLS, and which user was logged in. */
  secure: boolean;
  user: string | null;
};

export type MailServerOptions = {
  /** `starttls` offers it; `from_start` is smtps. Default: none. */
  tls?: 'none' | 'starttls' | 'from_start';
  /** Credentials required of every client. Without TLS they are sent in clear. */
  login?: { user: string; password: string };
  port?: number;
};

/** An SMTP server that keeps the mails that it receives. */
export type MailServer = {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** What the server does with a complete mail; rejecting refuses it. Default: accepts it. */
  onMail: (mail: ReceivedMail) => Promise<void>;
  stop(): Promise<void>;
};

/** Starts a server on loopback; with TLS it uses `certificate`. */
export async function startMailServer({ tls = 'none', login, port = 0 }: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const started: Pick<MailServer, 'onMail'> = { onMail: async () => undefined };
  const options: SMTPServerOptions = {
    secure: tls === 'from_start',
    key: privateKey,
    cert: certificate,
    authOptional: login === undefined,
    allowInsecureAuth: tls === 'none',
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(login === undefined ? ['AUTH'] : [])],
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.password
        ? done(null, { user: username })
        : done(new Error('Invalid username or password')),
    onData: (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope;
      const take = async (): Promise<void> => {
        const mail: ReceivedMail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...parseMail((await buffer(stream)).toString('utf8')),
          secure: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
        };
        await started.onMail(mail);
        mails.push(mail);
      };
      callbackify(take)((error) => done(error));
    },
  };
  const server = new SMTPServer(options);
  server.on('error', () => undefined); // A client that disconnects is no failure of the server.
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  return Object.assign(started, {
    mails,
    port: (listener.address() as AddressInfo).port,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

/** Parses a mail of one part, plain or quoted-printable. */
const parseMail = (raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'raw'> => {
  const [head = '', ...body] = raw.split('\r\n\r\n');
  const headers = Object.fromEntries(
    head
      .replaceAll(/\r\n[ \t]+/gu, ' ')
      .split('\r\n')
      .map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.toLowerCase(), value.join(':').trim()];
      }),
  );
  const encoded = body.join('\r\n\r\n');
  const isQuoted = headers['content-transfer-encoding'] === 'quoted-printable';
  const text = (isQuoted ? decodeQuotedPrintable(encoded) : encoded).replaceAll('\r\n', '\n');
  return { headers, text, raw };
};

/** RFC 2045 §6.7. */
const decodeQuotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r\n/gu, '')
      .replaceAll(/=([0-9A-F]{2})/gu, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
