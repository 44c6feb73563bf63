import { deriveKeys, macOf, type RegistrySecrets, type SealKeys } from '../../credentials/seal.ts';

/** The uses of REGISTRY_SECRET in the MCP server. */
export type McpKeys = ReturnType<typeof deriveMcpKeys>;

/** A name that reveals nothing of its parts without the secret. */
export type NameOf = (parts: readonly (string | null)[]) => Buffer;

export function deriveMcpKeys(secrets: RegistrySecrets) {
  const derive = (purpose: string): SealKeys => deriveKeys(secrets, `mcp ${purpose}`);
  const names = derive('names').map(
    (key): NameOf =>
      (parts) =>
        macOf(key, parts).digest(),
  ) as [NameOf, ...NameOf[]];
  return {
    /** AES-256 keys that seal stored sessions and events, and messages between gateways. */
    sessions: derive('sessions'),
    events: derive('events'),
    peers: derive('peers'),
    nameOf: names[0],
    /** `nameOf`, and what it was with the previous secret. */
    names,
  };
}
