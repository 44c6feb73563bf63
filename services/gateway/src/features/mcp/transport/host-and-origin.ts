import { McpRefusal, rpcCodes } from '../mcp-refusal.ts';

export type KnownPlaces = {
  /** Host names, or host names with a port; a name alone stands for all its ports. Lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Origins of web pages that may use this server, besides its own. */
  readonly origins: ReadonlySet<string>;
};

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests of web pages that reach this server by a name of their own (DNS rebinding): an unknown Host, or an Origin of another
 * server. Programs send no Origin. @param authorities Hosts of this registry, with ports. @throws McpRefusal 403
 */
export function checkHostAndOrigin(
  { host, origin }: { host?: string | undefined; origin?: string | undefined },
  authorities: ReadonlySet<string>,
  known: KnownPlaces,
): void {
  const asked = host?.toLowerCase() ?? '';
  const names = new Set([...loopbackNames, ...[...authorities].map(nameOf)]);
  if (!names.has(nameOf(asked)) && !known.hosts.has(asked) && !known.hosts.has(nameOf(asked))) {
    throw new McpRefusal(
      403,
      rpcCodes.refused,
      'this host name is not allowed; the operator can add it to MCP_ALLOWED_HOSTS',
    );
  }
  if (origin === undefined || isOwn(origin, asked, authorities) || known.origins.has(origin)) return;
  throw new McpRefusal(
    403,
    rpcCodes.refused,
    'this origin is not allowed; the operator can add it to MCP_ALLOWED_ORIGINS',
  );
}

const nameOf = (host: string): string => host.replace(/:\d+$/u, '');

const isOwn = (origin: string, asked: string, authorities: ReadonlySet<string>): boolean => {
  const own = /^https?:\/\/(.+)$/u.exec(origin)?.[1];
  return own !== undefined && (own === asked || authorities.has(own));
};
