import { agentStream, type answerReview as contract, type ExchangeEvent, exchangeStream } from '@agent-trust/contracts';
import {
  type AnswerReview,
  ensureMayAnswer,
  ensureUnansweredReview,
  exchangeDecider,
  type ExchangeState,
} from '@agent-trust/domain';
import type { HandledCommand } from '@agent-trust/event-log';
import type { Sent, UnaryHandler } from '@agent-trust/nats-rpc';
import { sealText } from '@agent-trust/personal-data';
import { beginCommand, type CommandDeps, onceOnly, readState, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams, exchangeStreams } from '../stream-kinds.ts';

/**
 * Records an owner's answer to a review, sealed with the reviewed agent's key. The text is sealed after everything that can be refused, so
 * that a refused request leaves no key behind. An erasure that destroys the key meanwhile erases this answer, too: unlike a contact it is not
 * sealed again, because it is given once, and was given before the erasure ended.
 */
export function answerReview(deps: CommandDeps): UnaryHandler<typeof contract> {
  return (input, context) => {
    const { agentId, authority, transactionId, text, commandId } = input;
    const running = beginCommand(deps, input.actor, context);
    const stream = exchangeStream(transactionId);
    return onceOnly(deps, input, exchangeStreams, stream, outcomeOf, async (read) => {
      const agent = ensureMayAnswer(agentId, authority, await readState(deps.log, agentStreams, agentStream(agentId)));
      ensureUnansweredReview({ transactionId, agent }, read.state);
      const key = await deps.contactKeys.current(agentId);
      const answer = sealText(key, { answerTo: transactionId }, text);
      const command: AnswerReview = { type: 'AnswerReview', transactionId, agent, answer, now: running.now };
      const decided = { on: read, events: exchangeDecider.decide(command, read.state) };
      return outcomeOf(
        await runCommand(deps, running, exchangeStreams, stream, command, { commandId, decided, goesOn: false }),
      );
    });
  };
}

const outcomeOf = (handled: HandledCommand<ExchangeState, ExchangeEvent>): Sent<(typeof contract)['output']> => {
  const answered = handled.events.find((event) => event.type === 'ReviewAnswered');
  if (answered === undefined) throw new Error('a command that answers a review has not answered it');
  return { answeredAt: answered.data.answeredAt, position: writtenPosition(handled) };
};
