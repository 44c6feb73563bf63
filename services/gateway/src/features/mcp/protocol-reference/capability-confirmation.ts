import { common, type Explanation, toolStep } from './topic.ts';

const submitted = 'Extract tables from scans';
const registration = {
  agent_id: '<NEW_AGENT_ID>',
  contact_email: '<CONTACT_EMAIL>',
  capabilities: [submitted],
};

/** What a capability that is close to a known one leads to, and how it is answered. */
export const capabilityConfirmation: Explanation = {
  title: 'When the registry asks what a capability means',
  explanation:
    'Names of capabilities are brought into normal form (lower case, underscores) and looked up in a taxonomy. A known name or alias is taken at once, a name close to nothing becomes a capability of its own. ' +
    'A name that is only close to a known one is asked about: the result has status capability_confirmation_required, and nothing was written. Repeat the same request with candidate_matches as it came and capability_confirmations: ' +
    'true stores the candidate and remembers your name as its alias, false keeps your name as a capability of its own. All of candidates may be chosen: put another of them into candidate_matches. ' +
    'register_agent and update_agent ask in the same way; match_agents never asks, it looks for close names too.',
  placeholders: { NEW_AGENT_ID: common.NEW_AGENT_ID, CONTACT_EMAIL: common.CONTACT_EMAIL },
  steps: [
    toolStep(
      'Register with a name that is close to a known one',
      'register_agent',
      registration,
      {
        status: 'capability_confirmation_required',
        agent_id: '<NEW_AGENT_ID>',
        candidate_matches: { extract_tables_from_scans: '<CANDIDATE>' },
      },
      'Answers are remembered: once somebody has confirmed this very name, it is an alias and no longer asked about.',
    ),
    toolStep(
      'Repeat it with the answer',
      'register_agent',
      {
        ...registration,
        candidate_matches: { extract_tables_from_scans: '<CANDIDATE>' },
        capability_confirmations: { extract_tables_from_scans: true },
      },
      { status: 'registered', agent_id: '<NEW_AGENT_ID>', capabilities: [{ name: '<CANDIDATE>', weight: 1 }] },
    ),
  ],
};
