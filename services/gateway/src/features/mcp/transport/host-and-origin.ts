import { type HostOwner, isKnownHost } from '../../../http/known-hosts.ts';
import { McpRefusal, rpcCodes } from '../mcp-refusal.ts';

/**
 * Refuses requests of web pages that reach this server by a name of their own (DNS rebinding): an unknown Host, or an Origin of another
 * server. Programs send no Origin. @param origins Those of web pages that may use this server, besides its own. @throws McpRefusal 403
 */
export function checkHostAndOrigin(
  { host, origin }: { host?: string | undefined; origin?: string | undefined },
  gateway: HostOwner,
  origins: ReadonlySet<string>,
): void {
  if (host === undefined || !isKnownHost(gateway, host)) {
    throw new McpRefusal(
      403,
      rpcCodes.refused,
      'this host name is not allowed; the operator can add it to ALLOWED_HOSTS',
    );
  }
  if (origin === undefined || isOwn(origin, host.toLowerCase(), gateway.authorities) || origins.has(origin)) return;
  throw new McpRefusal(
    403,
    rpcCodes.refused,
    'this origin is not allowed; the operator can add it to MCP_ALLOWED_ORIGINS',
  );
}

const isOwn = (origin: string, asked: string, authorities: ReadonlySet<string>): boolean => {
  const own = /^https?:\/\/(.+)$/u.exec(origin)?.[1];
  return own !== undefined && (own === asked || authorities.has(own));
};
