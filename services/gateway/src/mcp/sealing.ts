import { createHmac, hkdfSync } from 'node:crypto';

const keyBytes = 32;

/** What REGISTRY_SECRET is good for in the MCP server, one key a purpose (HKDF, RFC 5869), the same at every gateway. */
export type McpKeys = {
  /** AES-256 keys that seal what is kept, and what gateways tell each other. */
  sessions: Buffer;
  events: Buffer;
  peers: Buffer;
  /** A name that says nothing of its parts to whoever has not the secret. */
  nameOf(parts: readonly (string | null)[]): Buffer;
};

export const deriveMcpKeys = (secret: string): McpKeys => {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `agent-trust-registry mcp ${purpose}`, keyBytes));
  const names = derive('names');
  return {
    sessions: derive('sessions'),
    events: derive('events'),
    peers: derive('peers'),
    // As JSON, no two lists of parts make one text.
    nameOf: (parts) => createHmac('sha256', names).update(JSON.stringify(parts), 'utf8').digest(),
  };
};
