import type { Session } from '../../session/session.ts';
import type { RequestKeys } from './five-requests.ts';

/**
 * Which keys of the tab the five requests take: of one universe all, and of the others a sentence each that says why not and which key is
 * needed.
 */
export function requestKeysOf(session: Session): { keys: RequestKeys; notes: string[] } {
  const { agent, organisation, sandbox, operator, universe } = session;
  const isAdmin = operator?.grants.includes('admin') === true;
  const isBreakGlass = operator?.grants.includes('break-glass') === true;
  const isLookedAt = universe === 'sandbox';
  const hasOthers = organisation !== null || isAdmin || agent?.grants.includes('production') === true;
  const isSandbox = sandbox !== null && (isLookedAt || !hasOthers);
  const own = isSandbox ? sandbox : organisation;
  const isOfUniverse = agent?.grants.includes(isSandbox ? 'sandbox' : 'production') === true;
  const usedAgent = isOfUniverse ? agent : null;
  const isOperatorNeeded = own === null && usedAgent === null;
  const keys: RequestKeys = {
    organisation: own?.key ?? null,
    isSandbox,
    agent: usedAgent === null ? null : { key: usedAgent.key, agentId: usedAgent.who },
    operator: operator !== null && isAdmin && isOperatorNeeded ? { key: operator.key, registers: isBreakGlass } : null,
  };
  const notes: string[] = [];
  if (agent !== null && usedAgent === null)
    notes.push(
      isSandbox
        ? `The key of ${agent.who} is not filled in: it lives in production, and these requests are for your sandbox.`
        : `The key of ${agent.who} is not filled in: it lives in a sandbox, which its organisation's sandbox key opens, once you look at the sandbox.`,
    );
  if (own !== null && usedAgent === null && !own.grants.includes('register'))
    notes.push('Your key may not register agents: the second request needs one with the scope register.');
  if (operator !== null && !isAdmin && isOperatorNeeded)
    notes.push(
      `Your key has the role ${operator.grants.join()}, which opens none of them: the first request needs the role admin. The key of an organisation or of an agent is filled in, too.`,
    );
  if (operator === null && isOperatorNeeded)
    notes.push('Sign in with the key of your organisation or your agent, and it is filled in.');
  if (isOperatorNeeded && !isAdmin)
    notes.push(
      "Until then, the first request needs the installation's key: run it in the folder of npm start, or set ADMIN_KEY.",
    );
  return { keys, notes };
}
