import { DomainError } from '@agent-trust/contracts';
import type { Gateway } from '../gateway.ts';

export type HostOwner = Pick<Gateway, 'authorities'> & {
  readonly settings: Pick<Gateway['settings'], 'ALLOWED_HOSTS' | 'MCP_ALLOWED_HOSTS'>;
};

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a gateway answers to this `Host`. A web page can point a name of its own at a registry that only its reader can reach, and so
 * talk to it as its own server (DNS rebinding): what it cannot do is send another name than its own.
 *
 * @param host As sent. Known are loopback, the names of BASE_URL and of the listen address, each with any port, and ALLOWED_HOSTS.
 */
export function isKnownHost({ authorities, settings }: HostOwner, host: string): boolean {
  const asked = host.toLowerCase();
  if (authorities.has(asked)) return true;
  const name = nameOf(asked);
  const { ALLOWED_HOSTS, MCP_ALLOWED_HOSTS } = settings;
  return (
    loopbackNames.has(name) ||
    [...ALLOWED_HOSTS, ...MCP_ALLOWED_HOSTS].some((known) => known === asked || known === name) ||
    [...authorities].some((known) => nameOf(known) === name)
  );
}

export function unknownHost(): DomainError {
  return new DomainError(
    'unknown_host',
    'this registry does not go by the name in the Host header; its operator can name it in BASE_URL or ALLOWED_HOSTS',
  );
}

const nameOf = (host: string): string => host.replace(/:\d+$/u, '');
