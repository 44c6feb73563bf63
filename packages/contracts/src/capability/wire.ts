import { z } from 'zod';
import type { ConfirmationRequest } from '../agent/commands.ts';
import { boundedRecord } from '../http/bounded-record.ts';
import type { Examples } from '../http/route.ts';
import { limits } from '../limits.ts';
import { text } from '../text.ts';
import { normaliseCapabilityName } from './name.ts';
import { capabilityCandidate } from './rpc.ts';

const submittedName = text(limits.capabilityNameCharsMax);

/** The fields of a registration or an update that answer an earlier request for confirmation. */
export const confirmationAnswersOnWire = {
  capability_confirmations: boundedRecord(submittedName, z.boolean(), limits.capabilitiesMax)
    .nullish()
    .describe('For each name in question: whether the candidate in candidate_matches is meant.'),
  candidate_matches: boundedRecord(submittedName, text(limits.capabilityNameCharsMax), limits.capabilitiesMax)
    .nullish()
    .describe('From the answer 202; another of its candidates may replace the best one.'),
};

type AnswersOnWire = {
  capability_confirmations?: Record<string, boolean> | null | undefined;
  candidate_matches?: Record<string, string> | null | undefined;
};

/** Answers by the normal form of the name, which a client may spell as in `capabilities` or as in the question. */
export function confirmationAnswersFromWire(body: AnswersOnWire): {
  confirmations: Record<string, boolean>;
  candidateMatches: Record<string, string>;
} {
  return {
    confirmations: byNormalName(body.capability_confirmations, (accepted) => accepted),
    candidateMatches: byNormalName(body.candidate_matches, normaliseCapabilityName),
  };
}

const byNormalName = <Value>(
  answers: Record<string, Value> | null | undefined,
  toCode: (value: Value) => Value,
): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(answers ?? {}).map(([name, value]) => [normaliseCapabilityName(name), toCode(value)]),
  );

/** The answer 202 of a registration or an update: nothing was written; the client repeats the request with answers. */
export const capabilityConfirmationRequired = z
  .object({
    status: z.literal('capability_confirmation_required').describe('Nothing was written.'),
    agent_id: z.string().describe('The agent of the request.'),
    message: z.string().describe('How to answer.'),
    candidate_matches: z
      .record(z.string(), z.string())
      .describe('Each name in question with the canonical name that is closest.'),
    candidates: z
      .record(
        z.string(),
        z.array(
          capabilityCandidate.meta({ id: 'CapabilityCandidate', description: 'A capability that may be meant.' }),
        ),
      )
      .describe('Each name in question with every canonical name that is close to it, closest first.'),
  })
  .meta({
    id: 'CapabilityConfirmationRequired',
    description: 'A question: names close to canonical ones, and their candidates.',
  });
type CapabilityConfirmationRequired = z.infer<typeof capabilityConfirmationRequired>;

const howToAnswer =
  'Nothing was written. Repeat the request with capability_confirmations {name: true | false} for each of these names and the ' +
  'candidate_matches from here: true means the candidate, false keeps the name as a capability of its own.';

export const confirmationExamples: Examples = {
  question: {
    summary: 'One name in question',
    value: {
      status: 'capability_confirmation_required',
      agent_id: 'globex-translator',
      message: howToAnswer,
      candidate_matches: { text_translating: 'machine_translation' },
      candidates: { text_translating: [{ name: 'machine_translation', similarity: 0.8312 }] },
    } satisfies CapabilityConfirmationRequired,
  },
};

export function confirmationRequestToWire(
  agentId: string,
  { candidateMatches, candidates }: ConfirmationRequest,
): CapabilityConfirmationRequired {
  return {
    status: 'capability_confirmation_required',
    agent_id: agentId,
    message: howToAnswer,
    candidate_matches: candidateMatches,
    candidates,
  };
}
