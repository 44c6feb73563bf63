import { isIPv4, isIPv6 } from 'node:net';
import { email } from '@agent-trust/contracts';
import { type Setting, setting } from '@agent-trust/service-kit';

/** The mail server of SMTP_URL. */
export type SmtpServer = {
  host: string;
  port: number;
  /** `from_start`: smtps. `required`: STARTTLS, and no mail without it. `off`: neither. */
  tls: 'from_start' | 'required' | 'off';
  login: { user: string; password: string } | null;
};

/** The sender of mails: an address, and a name or ''. */
export type Mailbox = { name: string; address: string };

const defaultPorts: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * Reads `smtp://` or `smtps://` with host, port, user and password. A claim link is worth a key, so `smtp://` requires TLS, unless
 * `?tls=false` says otherwise (a relay in a private network) or the server is on this machine. Undefined for any other text.
 */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  const defaultPort = defaultPorts[url?.protocol ?? ''];
  if (url === null || defaultPort === undefined || url.hash !== '' || !['', '/'].includes(url.pathname))
    return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/u, '$1').toLowerCase();
  const wish = tlsWish(url.searchParams);
  if (!isHost(host) || wish === undefined || url.port === '0') return undefined;
  const login = loginOf(url);
  if (login === undefined) return undefined;
  const port = url.port === '' ? defaultPort : Number(url.port);
  if (url.protocol === 'smtps:') return wish === false ? undefined : { host, port, tls: 'from_start', login };
  return { host, port, tls: (wish ?? !isLoopback(host)) ? 'required' : 'off', login };
}

const tlsWish = (query: URLSearchParams): boolean | null | undefined => {
  const names = [...query.keys()];
  if (names.length === 0) return null;
  if (names.length > 1 || names[0] !== 'tls') return undefined;
  return { true: true, false: false }[query.get('tls') ?? ''];
};

/** Null for no login; undefined for an incomplete one. */
const loginOf = ({ username, password }: URL): SmtpServer['login'] | undefined => {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
};

const isHost = (host: string): boolean => isIPv6(host) || /^[a-z0-9_]([a-z0-9_.-]{0,252}[a-z0-9_])?$/u.test(host);

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** Reads `address` or `Name <address>`; undefined for any other text. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name = '', bracketed, bare] =
    /^(?:([^<>"\p{Cc}]{0,128}?)\s*<([^<>\s]+)>|([^<>\s]+))$/u.exec(text.trim()) ?? [];
  const address = bracketed ?? bare ?? '';
  return email.safeParse(address).success ? { name: name.trim(), address } : undefined;
}

export function smtpServerSetting(): Setting<SmtpServer> {
  return setting(
    'smtp:// or smtps:// with a host and, where needed, a port, user:password and ?tls=true or ?tls=false',
    parseSmtpUrl,
  );
}

export function mailboxSetting(): Setting<Mailbox> {
  return setting('an e-mail address, or a name and <an address>', parseMailbox);
}
