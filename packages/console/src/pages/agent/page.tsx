import { RegistryError } from '@agent-trust/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactElement, useDeferredValue, useEffect, useEffectEvent, useRef, useState } from 'react';
import { agentPage } from '../../agent-address.ts';
import { isNotFound, useAskAgainSoon } from '../../session/use-ask.ts';
import { useLive } from '../../session/use-live.ts';
import { PageTitle } from '../../shell/page-title.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Answer, Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { changesUntil } from './changes-window.ts';
import { Comparison } from './comparison.tsx';
import { Contributions } from './contributions.tsx';
import { Counterparties } from './counterparties.tsx';
import { History } from './history.tsx';
import { Profile } from './profile.tsx';
import { Proofs } from './proofs.tsx';
import { Reviews } from './reviews.tsx';
import { TimeSlider } from './time-slider.tsx';
import { useProfile, useTrust } from './use-agent.ts';
import { useHistory, useHistoryUntil } from './use-history.ts';

/** How often the page asks where nobody may follow the events. */
const askEveryMs = 5_000;
/** The same where it follows them. */
const askAnywayMs = 30_000;

/** One agent: its trust, the reasons, and its past. */
export function Page(): ReactElement {
  const { agentId } = useParams({ from: agentPage });
  const { as_of: asOf, compare } = useSearch({ from: agentPage });
  const navigate = useNavigate({ from: agentPage });
  const askAgain = useAskAgainSoon(['agent', agentId]);
  const newest = useRef<string | null>(null);
  const live = useLive(
    ({ position }) => {
      newest.current = position;
      askAgain();
    },
    { query: { agent_id: agentId }, enabled: asOf === undefined },
  );
  // Events say when to ask; what they miss is found by asking now and then.
  const everyMs = live === 'following' ? askAnywayMs : askEveryMs;
  const now = asOf === undefined ? { everyMs } : {};

  const profile = useProfile(agentId, asOf, { ...now, keepsFormer: true });
  const trust = useTrust(agentId, asOf, { ...now, keepsFormer: true });
  const shownTo = asOf === undefined ? trust.data?.trust.as_of.position : undefined;
  const catchUp = useEffectEvent(() => {
    // The stream may bring an event before the read models have it.
    if (newest.current !== null && shownTo !== undefined && BigInt(shownTo) < BigInt(newest.current)) askAgain();
  });
  // After each answer, whether it is another one or not.
  useEffect(() => catchUp(), [trust.dataUpdatedAt]);
  const momentTime = asOf === undefined ? undefined : trust.data?.trust.as_of.time;
  const [historyEnd, setHistoryEnd] = useState<number | null>(null);
  // The slider leads to every moment, so it needs what came after the one that is shown.
  const history = useHistory(agentId, historyEnd, everyMs);
  const until = asOf === undefined || history.data === undefined ? history.data : changesUntil(asOf, history.data);
  const past = useHistoryUntil(agentId, asOf, historyEnd, { most: history.data?.total, enabled: until === null });

  // The chart takes as long to draw as all else, so it comes after the score, however soon its answer is there.
  const isScoreDrawn = useDeferredValue(!trust.isPending, false);

  // Whichever part is refused first: every other one will be, in the same words.
  const refusal = [profile.error, trust.error].find((error) => isNotFound(error) || isInvalid(error));
  const isUnknown = isNotFound(history.error) || (asOf === undefined && isNotFound(refusal));
  return (
    <>
      <PageTitle title={agentId} />
      <div className="row">
        <CopyButton text={agentId} what="agent id" />
        <span role="status">{live === 'following' ? 'Live' : live === 'waiting' ? 'Connecting again…' : ''}</span>
      </div>
      {history.data !== undefined && (
        <TimeSlider
          changes={history.data.changes}
          asOf={asOf}
          compares={compare === 'now'}
          onMoment={(moment) =>
            void navigate({ search: { as_of: moment, compare: moment === undefined ? undefined : compare } })
          }
          onCompare={(compares) => void navigate({ search: { as_of: asOf, compare: compares ? 'now' : undefined } })}
        />
      )}
      {refusal !== undefined ? (
        <Refusal error={refusal} asOf={asOf} />
      ) : (
        <>
          <Answer of={profile} what="the agent">
            {(shown) => <Profile profile={shown} />}
          </Answer>
          {compare === 'now' && isThere(profile) && isThere(trust) && (
            <Comparison profile={profile.data} trust={trust.data} agentId={agentId} />
          )}
          <Answer of={trust} what="the score's parts">
            {(page) => (
              <>
                <Contributions trust={page.trust} />
                <Reviews key={asOf} newest={page} ratings={profile.data?.ratings_received ?? []} agentId={agentId} />
              </>
            )}
          </Answer>
        </>
      )}
      {!isUnknown && (
        <>
          {refusal === undefined && (
            <Answer of={until === null ? past : history} what="the history">
              {(read) =>
                isScoreDrawn ? (
                  <History shown={until ?? read} onEnd={setHistoryEnd} momentTime={momentTime} agentId={agentId} />
                ) : (
                  <Loading what="the history" />
                )
              }
            </Answer>
          )}
          {profile.data !== undefined && <Counterparties ratings={profile.data.ratings_received} />}
          <Proofs agentId={agentId} isPast={asOf !== undefined} />
        </>
      )}
    </>
  );
}

/** Why there is nothing to show at this address. */
function Refusal({ error, asOf }: { error: unknown; asOf: string | undefined }): ReactElement {
  if (!isNotFound(error)) return <ErrorNote error={error} />;
  return (
    <Empty>
      {asOf === undefined
        ? 'No agent with this id is registered in the universe that you look at. '
        : 'At this moment the agent was not registered, or it was in the other universe. '}
      <Link to="/registry">All agents</Link>
    </Empty>
  );
}

/** Whether an answer is that the address says something that cannot be asked. */
const isInvalid = (error: unknown): boolean => error instanceof RegistryError && error.status === 422;

/** Whether an answer is that to the question, and not the former one that is shown until it comes. */
const isThere = <Of,>(answer: UseQueryResult<Of>): answer is UseQueryResult<Of> & { data: Of } =>
  answer.data !== undefined && !answer.isPlaceholderData;
