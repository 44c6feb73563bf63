import type { Mail } from './mailer.ts';

type ClaimMail = {
  to: string;
  agentId: string;
  claimLink: string;
  baseUrl: string;
  /** Network address of whoever asked. */
  askedFrom: string;
  /** RFC 3339; null for a link that does not end. */
  expiresAt: string | null;
};

/** The mail that brings a claim link to the contact address of an agent, on the word of a stranger. */
export function claimMail({ to, agentId, claimLink, baseUrl, askedFrom, expiresAt }: ClaimMail): Mail {
  return {
    to,
    subject: 'A new key for your agent',
    text: `The Agent Trust Registry at ${baseUrl} was asked for a new key of the agent

    ${shownAgentId(agentId)}

whose contact address this is. Whoever asked did so without a credential, from the network address ${askedFrom}.

To get the key, open this link:

    ${claimLink}

It works once${expiresAt === null ? '' : `, until ${expiresAt}`}. The key is shown then, and the agent's present key stops working.

If it was not you who asked, do nothing: nobody gets a key without this link, and the present key goes on working.
Pass the link on to nobody: whoever opens it can act as your agent.
`,
  };
}

/**
 * An agent_id may hold any text, and whoever registered the agent chose both it and the address: it must not become words of the
 * registry's own, a link or an address. Letters and digits stay, everything else is percent-encoded as in a URL's path.
 */
export function shownAgentId(agentId: string): string {
  return agentId.replaceAll(/[^\p{L}\p{M}\p{N}._~-]/gu, (character) =>
    encodeURIComponent(character).replaceAll(
      /[!'()*]/gu,
      (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  );
}
