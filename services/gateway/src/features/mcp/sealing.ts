import { deriveKey, macOf } from '../../credentials/derive-key.ts';

/** What REGISTRY_SECRET is good for in the MCP server. */
export type McpKeys = {
  /** AES-256 keys that seal what is kept, and what gateways tell each other. */
  sessions: Buffer;
  events: Buffer;
  peers: Buffer;
  /** A name that says nothing of its parts to whoever has not the secret. */
  nameOf(parts: readonly (string | null)[]): Buffer;
};

export function deriveMcpKeys(secret: string): McpKeys {
  const derive = (purpose: string): Buffer => deriveKey(secret, `mcp ${purpose}`);
  const names = derive('names');
  return {
    sessions: derive('sessions'),
    events: derive('events'),
    peers: derive('peers'),
    nameOf: (parts) => macOf(names, parts).digest(),
  };
}
