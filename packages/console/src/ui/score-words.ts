import type { TrustObject } from '@agent-trust/client';

/** What to do at a score, as the registry recommends it. */
export type Action = TrustObject['recommended_action'];

/** The recommendation in words. */
export const actionWords: Readonly<Record<Action, string>> = {
  proceed: 'Proceed',
  proceed_with_limits: 'Proceed with limits',
  abort: 'Abort',
  block: 'Block',
};

/** Why, in a sentence. */
export const actionReasons: Readonly<Record<Action, string>> = {
  proceed: 'The score is 70 or more.',
  proceed_with_limits: 'The score is from 50 to 69: keep amounts small, or ask for more proof.',
  abort: 'The score is below 50: do not deal with this agent.',
  block: 'The registry does not vouch for this agent at all.',
};

/** The recommendation at a score of an agent that is not suspended or retired. The bands are those of the registry's answers. */
export function actionAt(score: number): Exclude<Action, 'block'> {
  if (score >= 70) return 'proceed';
  return score >= 50 ? 'proceed_with_limits' : 'abort';
}
