import type { InvokeRoute } from './invoke-route.ts';

/** What the tools of one caller have at hand. */
export type McpContext = {
  invoke: InvokeRoute;
  /** Makes the session act with this agent key; null: with what its requests' headers say. */
  setAgentKey: (key: string | null) => Promise<void>;
  /** Whether a key is some agent's now. */
  isLiveAgentKey: (key: string) => Promise<boolean>;
  baseUrl: string;
  /** Names the message in logs, events and refusals. */
  requestId: string;
  logger: { error: (fields: object, message: string) => void };
};
