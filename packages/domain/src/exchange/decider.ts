import type { ExchangeEvent } from '@agent-trust/contracts';
import type { Decider } from '../decider.ts';
import type { ExchangeCommand } from './commands.ts';
import { decideExchange } from './decide.ts';
import { evolveExchange, type ExchangeState } from './state.ts';

/** The rules of an exchange's stream (`exchangeStream(transactionId)`), its review among them. */
export const exchangeDecider: Decider<ExchangeCommand, ExchangeState, ExchangeEvent> = {
  initialState: { kind: 'absent' },
  evolve: evolveExchange,
  decide: decideExchange,
};
