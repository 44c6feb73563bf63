import type { Rpc } from '@agent-trust/nats-rpc';
import type { Logger } from '@agent-trust/service-kit';
import type { RateLimiter } from './rate-limit/rate-limiter.ts';
import type { GatewaySettings } from './settings.ts';

/** What every route has at hand. */
export type Gateway = {
  readonly settings: GatewaySettings;
  readonly logger: Logger;
  readonly rpc: Rpc;
  readonly rotationLimiter: RateLimiter;
  /** Address for links, without a slash at its end. Known once the server listens. */
  baseUrl: string;
};
