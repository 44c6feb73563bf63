import type { RotateResponse } from '@agent-trust/client';
import { UsageError } from '../usage-error.ts';
import type { Context } from '../program/context.ts';
import { checkCanSave, saveAgent } from '../settings/save.ts';
import { safeLine } from '../output/safe-text.ts';

/** Redeems a claim link for its bearer key. */
export async function redeem(context: Context, link: string): Promise<RotateResponse> {
  const { client, options } = await context.registry(['none']);
  return client.redeemClaim(link, { signal: options.signal });
}

/** Fails before a key is issued that could not be saved. */
export function prepareSave(context: Context, save: boolean | undefined): void {
  if (save === true) checkCanSave(context.settings());
}

/** Shows a new bearer key, or saves it with --save. It is never shown again. */
export function showKey(context: Context, rotated: RotateResponse, save: boolean | undefined, isFirst = false): void {
  const { out } = context;
  const { agent_id: agentId, agent_key: agentKey, claim_link: claimLink, status } = rotated;
  if (save === true && agentKey !== null) {
    try {
      saveAgent(context.settings(), agentId, { agent_key: agentKey });
    } catch (error) {
      // The new key is valid and the old one is not: showing it is better than losing it.
      context.answer(rotated, () => out.line(safeLine(agentKey)));
      throw new UsageError(`the key could not be saved and is shown instead (${(error as Error).message})`, {
        cause: error,
      });
    }
  }
  context.answer(rotated, () => {
    if (agentKey !== null) {
      const has = isFirst ? 'has its bearer key' : 'has a new bearer key; a former one has stopped working';
      out.line(`${safeLine(agentId)} ${has}.`);
      if (save === true)
        out.line(
          safeLine(`It is saved in ${context.settings().configFile}, profile ${context.settings().profileName}.`),
        );
      else {
        out.line(out.paint('bold', safeLine(agentKey)));
        out.note('It is shown this once. --save keeps it for the next commands.');
      }
      return;
    }
    if (status === 'claim_sent') out.line('A claim link went to the contact e-mail of the agent.');
    else {
      out.line(out.paint('bold', safeLine(claimLink ?? '')));
      out.note('This claim link is good for one new key: agent-trust claim <link> --save');
    }
  });
}
