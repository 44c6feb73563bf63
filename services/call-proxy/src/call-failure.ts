import type { ExchangeFailureReason } from '@agent-trust/contracts';
import { isOwnLimit, type OutboundError } from '@agent-trust/safe-fetch';

/** How an outbound request failed, in the words of the exchange's record: what this proxy had no room for was not the agent's doing. */
export function failureReason(error: OutboundError): ExchangeFailureReason {
  if (isOwnLimit(error)) return 'cancelled';
  switch (error.kind) {
    case 'not_allowed':
    case 'invalid_url':
      return 'not_allowed';
    case 'unreachable':
      return 'unreachable';
    case 'timeout':
      return 'timeout';
    case 'too_large':
      return 'too_large';
    case 'protocol':
      return 'protocol_error';
    case 'aborted':
      return 'cancelled';
    default:
      return error.kind satisfies never;
  }
}

/** What the caller is told. Never the agent's address, nor anything that the network said of it. */
export const failureText: Record<ExchangeFailureReason, string> = {
  not_allowed: "The agent's endpoint may not be reached from here.",
  unreachable: 'The agent could not be reached.',
  timeout: 'The agent did not answer in time.',
  too_large: 'The agent answered more than the registry passes on: 10 MiB of body or 32 KiB of headers.',
  protocol_error: 'The agent broke off or did not speak HTTP.',
  cancelled: 'The call was given up before the agent had answered.',
};

/** What the caller is told where the registry had no room for the call. */
export const noRoomText =
  'The registry had too much to do for others to send the call, and gave it up. That says nothing of the agent; try again.';
