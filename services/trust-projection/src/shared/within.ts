import type { UnaryMethodsOf } from '@agent-trust/contracts';
import type { UnaryHandler } from '@agent-trust/nats-rpc';

type Methods = UnaryMethodsOf<'trust-projection'>;
type Handlers = { [Name in keyof Methods]: UnaryHandler<Methods[Name]> };
type Within<Some> = { [Name in keyof Some]: { handle: Some[Name]; concurrentMax: number } };

/** Limits each of these handlers to so many calls at one time; further calls are answered `overloaded`. */
export function within<Some extends Partial<Handlers>>(concurrentMax: number, handlers: Some): Within<Some> {
  const limited = Object.entries(handlers).map(([name, handle]) => [name, { handle, concurrentMax }]);
  return Object.fromEntries(limited) as Within<Some>;
}
