import type { Attribution, relayPayment as contract, Universe } from '@agent-trust/contracts';
import type { DemandPlace, ProxyDeps, RoutableTarget } from '@agent-trust/proxy-kit';
import type { PayAddress, Redaction } from '@agent-trust/x402';
import type { z } from 'zod';

export type PayInput = z.output<typeof contract.input>;

export type PayContext = {
  correlationId: string;
  traceparent: string | undefined;
  /** Aborts when the payer disconnects. */
  signal: AbortSignal;
  /** Registers a function to run when the payment is over, in whatever way. */
  onOver: (end: () => void) => void;
};

/** Who pays, what that rests on, and the universe in which the agent is looked up. */
export type Payer = {
  attribution: Attribution;
  callerAgentId: string | null;
  callRef: string | null;
  universe: Universe;
};

export type Payment = {
  deps: ProxyDeps;
  input: PayInput;
  context: PayContext;
  payer: Payer;
  target: RoutableTarget;
  payAddress: PayAddress;
  /** Its query is without the registry's own parameters. */
  demandPlace: DemandPlace;
  redaction: Redaction;
};
