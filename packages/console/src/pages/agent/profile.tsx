import type { AgentProfile } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { Ago } from '../../ui/moment.tsx';
import { ScoreBadge } from '../../ui/score-badge.tsx';
import { actionReasons } from '../../ui/score-words.ts';
import { Facts, Section } from '../../ui/section.tsx';
import { Foreign } from '../../ui/text.tsx';
import { answersText } from './answers-text.ts';
import { flagWords, verifiedBecause } from './flags.ts';

const none = '–';

/** The verdict, what it rests on, and what the agent does. */
export function Profile({ profile }: { profile: AgentProfile }): ReactElement {
  const { capabilities, flags, routing } = profile;
  return (
    <>
      <Section title="Verdict">
        <p>
          <ScoreBadge score={profile.trust_score} action={profile.recommended_action} size="large" />
        </p>
        <p>{actionReasons[profile.recommended_action]}</p>
        <p>
          <strong>{profile.verified ? 'Verified. ' : 'Not verified. '}</strong>
          <Foreign text={verifiedBecause(profile)} />
        </p>
        {flags.length > 0 && (
          <ul>
            {flags.map((flag) => (
              <li key={flag}>{flagWords[flag]}</li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="What it does">
        <Facts
          facts={[
            ['Specialty', text(profile.specialty)],
            ['Success rate', profile.success_rate === null ? none : `${Math.round(profile.success_rate * 100)} %`],
            ['Calls answered', profile.transaction_count],
            ['Answers lately', answersText(profile.liveness)],
            ['Last active', <Ago key="active" at={profile.last_active} />],
            ['Registered', <Ago key="registered" at={profile.registered_at} />],
            ['Protocol', profile.message_protocol],
            [
              'Payments',
              routing.settlement_rail === null ? none : <Foreign text={routing.settlement_rail.join(', ')} />,
            ],
            ['Contact', text(profile.contact_info)],
            ['Trust policy', profile.trust_policy],
          ]}
        />
        <h3>Capabilities</h3>
        {capabilities.length === 0 ? (
          <p>None.</p>
        ) : (
          <ul>
            {capabilities.map(({ name, weight }) => (
              <li key={name}>
                <Foreign text={name} /> (weight {weight} of 3)
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

const text = (value: string | null): ReactElement | string => (value === null ? none : <Foreign text={value} />);
