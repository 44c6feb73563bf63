import {
  agentStream,
  DomainError,
  type ExchangeEvent,
  exchangeStream,
  findUnreviewedExchange,
  getReviewerStanding,
  sameUniverse,
  type submitReview as contract,
} from '@agent-trust/contracts';
import {
  exchangeDecider,
  type ExchangeState,
  type Reviewer,
  type ReviewExchange,
  type ReviewParty,
} from '@agent-trust/domain';
import { type HandledCommand, readStream, type StreamRead } from '@agent-trust/event-log';
import type { Received, Sent, UnaryHandler } from '@agent-trust/nats-rpc';
import { askProjection } from '../ask-projection.ts';
import type { CommandDeps } from '../command-deps.ts';
import { beginCommand, onceOnly, readState, type RunningCommand, runCommand, writtenPosition } from '../run-command.ts';
import { agentStreams, exchangeStreams } from '../stream-kinds.ts';

type Input = Received<(typeof contract)['input']>;
type Reviewed = HandledCommand<ExchangeState, ExchangeEvent>;

/**
 * Records a review. Without a transaction id the newest unreviewed exchange of the pair is meant. When another review of that
 * exchange is faster the answer is `already_reviewed`: going on to the next one would let one click, sent twice, rate two exchanges.
 */
export function submitReview(deps: CommandDeps): UnaryHandler<typeof contract> {
  return (input, context) => {
    const running = beginCommand(deps, input.actor, context);
    const { transactionId, commandId } = input;
    // Without an exchange there is nothing that the command could have written to.
    if (transactionId === null) return review(deps, running, input, null);
    const answer = (reviewed: Reviewed) => ({ transactionId, position: writtenPosition(reviewed) });
    const stream = exchangeStream(transactionId);
    return onceOnly(deps, commandId, exchangeStreams, stream, answer, (read) => review(deps, running, input, read));
  };
}

const review = async (
  deps: CommandDeps,
  running: RunningCommand,
  input: Input,
  given: StreamRead<ExchangeState> | null,
): Promise<Sent<(typeof contract)['output']>> => {
  const receiver = await receiverOf(deps, input);
  const reviewer = await reviewerOf(deps, running, input);
  // Of a pair without such an exchange the decider refuses an unknown one, after what this caller may not review at all.
  const transactionId = input.transactionId ?? (await newestUnreviewed(deps, running, input)) ?? '';
  const stream = exchangeStream(transactionId);
  const read = given ?? (await readStream({ log: deps.log, ...exchangeStreams, stream }));
  const { success, score } = input;
  const command: ReviewExchange = {
    type: 'ReviewExchange',
    transactionId,
    reviewer,
    receiver,
    success,
    score,
    now: running.now,
  };
  const reviewed = await runCommand(deps, running, exchangeStreams, stream, command, {
    commandId: input.commandId,
    decided: { read, events: exchangeDecider.decide(command, read.state) },
  });
  return { transactionId, position: writtenPosition(reviewed) };
};

/** From the log, not a read model: whether two agents share an organisation is decided on what is true now. */
const receiverOf = async (deps: CommandDeps, { receiverAgentId, callerUniverse }: Input): Promise<ReviewParty> => {
  const receiver = await readState(deps.log, agentStreams, agentStream(receiverAgentId));
  if (receiver.kind === 'unregistered' || !sameUniverse(receiver.universe, callerUniverse)) {
    throw new DomainError('agent_not_found', `agent ${JSON.stringify(receiverAgentId)} is not registered`);
  }
  return receiver;
};

/** The reviewer as the trust policy sees it now; what the review freezes. */
const reviewerOf = async (deps: CommandDeps, running: RunningCommand, input: Input): Promise<Reviewer> => {
  const { standing } = await askProjection(deps, running, getReviewerStanding, { agentId: input.callerAgentId });
  if (standing === null) {
    // The caller was authenticated, so it exists: the answer comes from a read model that is behind.
    throw new DomainError(
      'read_model_behind',
      'the standing of the caller is not known yet; nothing was written, try again',
    );
  }
  const { orgId, orgDomain, trustScore, roots } = standing;
  return { agentId: input.callerAgentId, universe: input.callerUniverse, orgId, orgDomain, trustScore, roots };
};

const newestUnreviewed = async (
  deps: CommandDeps,
  running: RunningCommand,
  { callerAgentId, receiverAgentId, callerUniverse: universe, commandId }: Input,
): Promise<string | null> => {
  if (commandId !== null) return null;
  const pair = { callerAgentId, receiverAgentId, universe };
  return (await askProjection(deps, running, findUnreviewedExchange, pair)).transactionId;
};
