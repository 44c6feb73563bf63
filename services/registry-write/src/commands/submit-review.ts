import {
  agentStream,
  DomainError,
  type ExchangeEvent,
  exchangeStream,
  getReviewFacts,
  sameUniverse,
  type submitReview as contract,
} from '@agent-trust/contracts';
import {
  endedExchange,
  ensureRegisteredAgent,
  exchangeDecider,
  type ExchangeState,
  type Reviewer,
  type ReviewExchange,
  type ReviewParty,
} from '@agent-trust/domain';
import { type HandledCommand, type KnownStream, readStream } from '@agent-trust/event-log';
import type { Received, Sent, UnaryHandler } from '@agent-trust/nats-rpc';
import {
  askProjection,
  beginCommand,
  type CommandDeps,
  decidedOrChecked,
  onceOnly,
  readState,
  runCommand,
  type RunningCommand,
  writtenPosition,
} from '../run-command.ts';
import { agentStreams, exchangeStreams } from '../stream-kinds.ts';

type Input = Received<(typeof contract)['input']>;
type Facts = Received<(typeof getReviewFacts)['output']>;
type Output = Sent<(typeof contract)['output']>;
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
    if (transactionId === null || commandId === null) return review(deps, running, input, null);
    const answer = (reviewed: Reviewed) => ({ transactionId, position: writtenPosition(reviewed) });
    const stream = exchangeStream(transactionId);
    return onceOnly(deps, input, exchangeStreams, stream, answer, (read) => review(deps, running, input, read));
  };
}

/** A review of an exchange between agents as they are known. */
type Proposed = {
  transactionId: string;
  reviewer: Reviewer;
  receiver: ReviewParty;
  exchange: KnownStream<ExchangeState>;
  isArchived: boolean;
};

/**
 * Decides on what the read models say of the agents and the exchange: every write that was acknowledged before is in it, and the exchange
 * is where it was when the review is appended. Only a review that would be refused is decided again, on the log.
 */
const review = async (
  deps: CommandDeps,
  running: RunningCommand,
  input: Input,
  read: KnownStream<ExchangeState> | null,
): Promise<Output> => {
  const facts = await factsOf(deps, running, input);
  const known = knownFrom(input, facts, read);
  return decidedOrChecked(known && (() => append(deps, running, input, known)), async () =>
    append(deps, running, input, await readFrom(deps, input, facts, read)),
  );
};

const factsOf = async (deps: CommandDeps, running: RunningCommand, input: Input): Promise<Facts> => {
  const { callerAgentId, receiverAgentId, callerUniverse: universe, transactionId, commandId } = input;
  const question = { callerAgentId, receiverAgentId, universe, transactionId };
  const facts = await askProjection(deps, running, getReviewFacts, question);
  // A repeated command has to name its exchange: the first attempt would change which one is the newest.
  return transactionId === null && commandId !== null ? { ...facts, transactionId: null } : facts;
};

const append = async (
  deps: CommandDeps,
  running: RunningCommand,
  { success, score, commandId }: Input,
  { transactionId, reviewer, receiver, exchange, isArchived }: Proposed,
): Promise<Output> => {
  const { now } = running;
  const command: ReviewExchange = {
    type: 'ReviewExchange',
    transactionId,
    reviewer,
    receiver,
    success,
    score,
    isArchived,
    now,
  };
  const decided = { on: exchange, events: exchangeDecider.decide(command, exchange.state) };
  const stream = exchangeStream(transactionId);
  const reviewed = await runCommand(deps, running, exchangeStreams, stream, command, {
    commandId,
    decided,
    goesOn: false,
  });
  return { transactionId, position: writtenPosition(reviewed) };
};

/** An exchange that has ended has a start and an end. */
const revisionOfEnd = 1n;

/** The review by the read models alone; null if they do not know all of it. */
const knownFrom = (
  input: Input,
  { position, reviewer, receiver, transactionId }: Facts,
  read: KnownStream<ExchangeState> | null,
): Proposed | null => {
  const { callerAgentId, receiverAgentId, callerUniverse: universe } = input;
  if (reviewer === null || receiver === null || transactionId === null) return null;
  if (!sameUniverse(receiver.universe, universe)) return null;
  const ended = endedExchange({ transactionId, callerAgentId, receiverAgentId, universe });
  return {
    transactionId,
    reviewer: { ...reviewer, asOf: position, agentId: callerAgentId, universe },
    receiver: { ...receiver, agentId: receiverAgentId },
    exchange: read ?? { state: ended, revision: revisionOfEnd, position: null },
    isArchived: false,
  };
};

/** The same from the log; the reviewer's standing is in no event. */
const readFrom = async (
  deps: CommandDeps,
  input: Input,
  facts: Facts,
  read: KnownStream<ExchangeState> | null,
): Promise<Proposed> => {
  const { callerAgentId: agentId, receiverAgentId, callerUniverse: universe } = input;
  const state = await readState(deps.log, agentStreams, agentStream(receiverAgentId));
  const isVisible = state.kind === 'registered' && sameUniverse(state.universe, universe);
  const receiver = ensureRegisteredAgent(receiverAgentId, state, isVisible);
  if (facts.reviewer === null) {
    // The caller was authenticated, so it exists: the read model is behind.
    throw new DomainError(
      'read_model_behind',
      'the standing of the caller is not known yet; nothing was written, try again',
    );
  }
  // Without such an exchange, the decider checks the other rules first and then refuses the unknown one.
  const transactionId = input.transactionId ?? facts.transactionId ?? '';
  const stream = exchangeStream(transactionId);
  const exchange = read ?? (await readStream({ log: deps.log, ...exchangeStreams, stream }));
  return {
    transactionId,
    reviewer: { ...facts.reviewer, asOf: facts.position, agentId, universe },
    receiver,
    exchange,
    isArchived: facts.isArchived,
  };
};
