import { callWaitsMs } from '@agent-trust/contracts';
import { streamTotalTimeoutMs } from '../contact-agent.ts';

/**
 * How long a caller may leave a full window of a streamed answer unread. A caller that reads a few KiB a second needs about a minute
 * for a quarter of a window, which is when the proxy hears of it.
 */
export const callerStallTimeoutMs = 180_000;

/** What is granted beyond all waits: a proxy that was held up, and clocks of the log and of the read model's database that differ. */
export const exchangeEndMarginMs = 30_000;

/**
 * The longest that a proxy keeps an exchange open, in milliseconds from the moment at which the log recorded its start: the append's own
 * way back, the agent's time, for a stream a caller that stalls at its end, and the attempts to write down a settlement and the end. A proxy that is alive
 * has written an end before; so an exchange that is open for longer may be declared abandoned.
 *
 * @param callTimeoutMs CALL_TIMEOUT_MS of the proxy that starts the exchange.
 */
export function exchangeEndsWithinMs(streaming: boolean, callTimeoutMs: number): number {
  return (
    callWaitsMs.startRecord +
    (streaming ? streamTotalTimeoutMs + callerStallTimeoutMs : callTimeoutMs) +
    callWaitsMs.settlementRecord +
    callWaitsMs.endRecord +
    exchangeEndMarginMs
  );
}
