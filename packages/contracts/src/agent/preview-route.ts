import { z } from 'zod';
import { capabilityName } from '../capability/name.ts';
import { route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId } from '../text.ts';
import { settlementRails } from './fields.ts';
import type { previewMatch } from './queries.ts';
import { matchResult, matchResultToWire } from './wire-output.ts';

/** How a draft would rank if it were live. */

const previewRequest = z
  .object({
    sandbox_agent_id: agentId,
    required_capabilities: z
      .array(capabilityName)
      .max(limits.listEntriesMax)
      .nullable()
      .optional()
      .meta({ description: "Default: the draft's own capabilities. An empty list asks for none." }),
    settlement_rail: settlementRails.nullable().optional(),
  })
  .meta({ id: 'PreviewMatchRequest' });

export const previewResult = matchResult
  .extend({ is_draft: z.boolean().meta({ description: 'Whether this is the draft itself.' }) })
  .meta({ id: 'PreviewMatchResult' });

export const previewMatchResponse = z
  .object({
    draft_agent_id: z.string(),
    draft_rank: z.int().meta({ description: 'Place of the draft among all, 1 for the best.' }),
    total: z.int().meta({ description: 'Number of agents that were ranked, the draft included.' }),
    results: z.array(previewResult).meta({
      description: `The best ${limits.previewResultsMax}, best first. The draft is always among them: last when it ranks behind them.`,
    }),
    explanation: z.string().nullable().meta({
      description: 'What the rank comes from and what would raise it, in a few sentences made from the scores.',
    }),
    disclaimer: z.string(),
  })
  .meta({ id: 'PreviewMatchResponse' });
type PreviewMatchResponse = z.infer<typeof previewMatchResponse>;

export const previewMatchRoute = route({
  method: 'POST',
  path: '/sandbox/preview_match',
  operationId: 'previewMatch',
  summary: 'How a sandbox agent would rank if it were live',
  description:
    'Ranks the configuration of a draft among the live agents that answer the question, are verified and have a trust_score of 50 or more, by the match_score of /match. ' +
    'A clone is ranked with what its live agent has earned, and that agent is not among the others; any other draft with its own record. ' +
    'Names mean what they mean to /match in production. The draft is ranked also when /match would not find it as it is, because it has no endpoint_url, accepts none of the settlement rails or ' +
    'has none of the capabilities: the explanation says so. Nothing is written.',
  tag: 'Sandbox',
  credentials: ['organisation'],
  body: previewRequest,
  answers: { 200: { description: 'The draft among live agents.', body: previewMatchResponse } },
  errors: ['validation_failed', 'credential_required', 'invalid_api_key', 'sandbox_key_required', 'agent_not_found'],
});

const disclaimer =
  'A preview from the records of this moment: nothing was written, and ranks move as agents come, change and earn. It promises no match.';

/** The answer of a preview, from the code's names to the wire's. */
export const previewToWire = (
  draftAgentId: string,
  preview: z.output<typeof previewMatch.output>,
  baseUrl: string,
): PreviewMatchResponse => ({
  draft_agent_id: draftAgentId,
  draft_rank: preview.draftRank,
  total: preview.total,
  results: preview.results.map(({ isDraft, ...match }) => ({
    ...matchResultToWire(match, baseUrl),
    is_draft: isDraft,
  })),
  explanation: preview.explanation,
  disclaimer,
});
