import type { Attribution, relayPayment as contract, Universe } from '@agent-trust/contracts';
import type { EventLog } from '@agent-trust/event-log';
import type { Rpc } from '@agent-trust/nats-rpc';
import type { SafeFetch, TargetGuard } from '@agent-trust/safe-fetch';
import type { Logger } from '@agent-trust/service-kit';
import type { DemandPlace, KeptDemands } from '@agent-trust/settlements';
import type { Redaction, PayAddress } from '@agent-trust/x402';
import type { z } from 'zod';

export type PayInput = z.output<typeof contract.input>;
export type PayHead = z.output<typeof contract.head>;

export type PayDeps = {
  rpc: Rpc;
  log: EventLog;
  logger: Logger;
  safeFetch: SafeFetch;
  guard: TargetGuard;
  demands: KeptDemands;
  /** Address of the gateway, without a slash at its end. */
  baseUrl: string;
  callTimeoutMs: number;
  newId: () => string;
  now: () => Date;
};

export type PayContext = {
  correlationId: string;
  traceparent: string | undefined;
  /** Aborts when the payer has left. */
  signal: AbortSignal;
};

/** Who pays, and what that rests on; the universe in which the agent is looked for. */
export type Payer = {
  attribution: Attribution;
  callerAgentId: string | null;
  callRef: string | null;
  universe: Universe;
};

/** One payment under way to an agent whose endpoint is known. */
export type Payment = {
  deps: PayDeps;
  input: PayInput;
  context: PayContext;
  payer: Payer;
  endpointUrl: string;
  payAddress: PayAddress;
  /** The agent, and the query without the registry's own parameters. */
  demandPlace: DemandPlace;
  redaction: Redaction;
};
