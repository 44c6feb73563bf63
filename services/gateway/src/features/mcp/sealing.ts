import { deriveKey, macOf } from '../../credentials/seal.ts';

/** The uses of REGISTRY_SECRET in the MCP server. */
export type McpKeys = ReturnType<typeof deriveMcpKeys>;

export function deriveMcpKeys(secret: string) {
  const derive = (purpose: string): Buffer => deriveKey(secret, `mcp ${purpose}`);
  const names = derive('names');
  return {
    /** AES-256 keys that seal stored sessions and events, and messages between gateways. */
    sessions: derive('sessions'),
    events: derive('events'),
    peers: derive('peers'),
    /** A name that reveals nothing of its parts without the secret. */
    nameOf: (parts: readonly (string | null)[]): Buffer => macOf(names, parts).digest(),
  };
}
