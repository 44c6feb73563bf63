import { DomainError, limits } from '@agent-trust/contracts';
import { BudgetFullError, ByteBudget, type ByteShare } from '@agent-trust/limits';
import { OutboundError } from '@agent-trust/safe-fetch';
import { callProxyLimits } from './limits.ts';

/** The agent that calls. */
type Caller = { agentId: string; orgId: string | null };

/** The reason of a call that is given up although its agent answers. */
export const noRoomForAnswer = 'no_room_for_answer';

/** The bytes that this proxy holds for calls: agents of organisations and all others have budgets of their own. */
export type HeldBytes = {
  /** Counts a message. @throws DomainError overloaded */
  holdMessage(caller: Caller, bytes: number): () => void;
  /**
   * Counts an answer, before more of it is read than a short one has; waits its turn, at most `waitMs`.
   *
   * @param bytes as announced; null if it was not.
   * @throws OutboundError `noRoomForAnswer`.
   */
  holdAnswer(caller: Caller, bytes: number | null, waitMs: number): Promise<() => void>;
};

export function createHeldBytes(): HeldBytes {
  const messages = new ByteBudget();
  const answers = new ByteBudget();
  return {
    holdMessage: (caller, bytes) => {
      if (bytes <= callProxyLimits.shortBytesMax) return () => undefined;
      const { release, full } = messages.tryTake(sharesOf(caller), bytes);
      if (release !== undefined) return release;
      throw new DomainError(
        'overloaded',
        'as many bytes of long messages as this proxy takes are under way; nothing was sent, try again in a moment',
        { limitedBy: full.of },
      );
    },
    holdAnswer: async (caller, bytes, waitMs) => {
      try {
        return await answers.take(sharesOf(caller), Math.min(bytes ?? Infinity, limits.callAnswerBytesMax), waitMs);
      } catch (error) {
        if (!(error instanceof BudgetFullError)) throw error;
        throw new OutboundError('aborted', noRoomForAnswer, error);
      }
    },
  };
}

/** `of` says that nobody else has a part in the share. */
type CallerShare = ByteShare & { of: 'caller' | undefined };

const sharesOf = ({ agentId, orgId }: Caller): CallerShare[] => {
  const { perCallerMax, perOrgMax, ofOrgsMax, withoutOrgMax } = callProxyLimits.heldBytes;
  const ofCaller = { of: 'caller' } as const;
  const ofMany = { of: undefined } as const;
  return [
    { key: `agent ${agentId}`, max: perCallerMax, ...ofCaller },
    ...(orgId === null
      ? [{ key: 'without organisation', max: withoutOrgMax, ...ofMany }]
      : [
          { key: `organisation ${orgId}`, max: perOrgMax, ...ofCaller },
          { key: 'organisations', max: ofOrgsMax, ...ofMany },
        ]),
  ];
};
