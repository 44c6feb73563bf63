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
  ensureRegisteredAgent,
  exchangeDecider,
  type ExchangeState,
  type Reviewer,
  type ReviewExchange,
  type ReviewParty,
} from '@agent-trust/domain';
import { type HandledCommand, readStream, type StreamRead } from '@agent-trust/event-log';
import type { Received, Sent, UnaryHandler } from '@agent-trust/nats-rpc';
import {
  askProjection,
  beginCommand,
  type CommandDeps,
  onceOnly,
  readState,
  runCommand,
  type RunningCommand,
  writtenPosition,
} from '../run-command.ts';
import { agentStreams, exchangeStreams } from '../stream-kinds.ts';

type Input = Received<(typeof contract)['input']>;
type Reviewed = HandledCommand<ExchangeState, ExchangeEvent>;

/**
 * Records a review. Without a transaction id it reviews the pair's newest unreviewed exchange. If another review of that exchange is
 * faster, the answer is `already_reviewed`: to continue with the next exchange would let one click, sent twice, rate two of them.
 */
export function submitReview(deps: CommandDeps): UnaryHandler<typeof contract> {
  return (input, context) => {
    const running = beginCommand(deps, input.actor, context);
    const { transactionId, commandId } = input;
    // Without an exchange, an earlier attempt cannot have written anything.
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
  // Without such an exchange, the decider checks the other rules first and then refuses the unknown one.
  const transactionId = input.transactionId ?? (await newestUnreviewed(deps, running, input)) ?? '';
  const stream = exchangeStream(transactionId);
  const read = given ?? (await readStream({ log: deps.log, ...exchangeStreams, stream }));
  const { success, score } = input;
  const { now } = running;
  const command: ReviewExchange = { type: 'ReviewExchange', transactionId, reviewer, receiver, success, score, now };
  const reviewed = await runCommand(deps, running, exchangeStreams, stream, command, {
    commandId: input.commandId,
    decided: { read, events: exchangeDecider.decide(command, read.state) },
  });
  return { transactionId, position: writtenPosition(reviewed) };
};

/** From the log, not a read model: whether two agents share an organisation is decided on the present state. */
const receiverOf = async (deps: CommandDeps, { receiverAgentId, callerUniverse }: Input): Promise<ReviewParty> => {
  const receiver = await readState(deps.log, agentStreams, agentStream(receiverAgentId));
  const isVisible = receiver.kind === 'registered' && sameUniverse(receiver.universe, callerUniverse);
  return ensureRegisteredAgent(receiverAgentId, receiver, isVisible);
};

/** The reviewer's present standing, which the review records. */
const reviewerOf = async (deps: CommandDeps, running: RunningCommand, input: Input): Promise<Reviewer> => {
  const { standing } = await askProjection(deps, running, getReviewerStanding, { agentId: input.callerAgentId });
  if (standing === null) {
    // The caller was authenticated, so it exists: the read model is behind.
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
