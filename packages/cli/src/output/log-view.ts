import type { SignedVerdict, VerifiedReceipt } from '@agent-trust/client/log';
import { keyName } from '../settings/log-key.ts';
import { actionCell, timeText } from './agent-view.ts';
import type { Output } from './output.ts';
import { safeLine } from './safe-text.ts';

/** A review that is in the log, and by whose word. */
export function showReceipt(
  { checkpoint, index, universe, entry }: VerifiedReceipt,
  logKey: string,
  out: Output,
): void {
  const said = entry.data as Record<string, unknown>;
  out.line(`${out.paint('green', 'verified')}  the review is in the log`);
  out.fields([
    ['reviewed agent', String(said['receiverAgentId'])],
    ['by', String(said['callerAgentId'])],
    ['exchange', String(said['transactionId'])],
    ['recorded', timeText(entry.recorded_at)],
    ['place', `event ${index} of ${checkpoint.size}, position ${entry.position}`],
    ['universe', universe],
    ['log', checkpoint.origin],
    ['signed by', keyName(logKey)],
  ]);
}

/** A signed verdict: all that it says, and by whose word. */
export function showSignedVerdict(verdict: SignedVerdict, logKey: string, out: Output): void {
  const { agent_id: agentId, trust_score: score, iat, position, log, universe, trust_policy: policy } = verdict;
  const action = actionCell(verdict.recommended_action, out);
  out.line(`${out.paint('bold', safeLine(agentId))}  trust ${score}/100: ${(action.paint ?? String)(action.text)}`);
  out.fields([
    ['signature', { text: 'valid', paint: (plain) => out.paint('green', plain) }],
    ['universe', universe],
    ['policy', policy],
    ['signed by', keyName(logKey)],
    ['signed at', timeText(new Date(iat * 1_000).toISOString())],
    ['log', `${log.origin}, ${log.size} events; computed up to position ${position}`],
  ]);
}
