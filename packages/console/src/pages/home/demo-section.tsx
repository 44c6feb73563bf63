import type { Demo, RegistryClient } from '@agent-trust/client';
import type { ReactElement } from 'react';
import { isNotFound, useAsk, useChange } from '../../session/use-ask.ts';
import { useSession } from '../../session/use-session.ts';
import { AgentLink } from '../../ui/agent-link.tsx';
import { Chart } from '../../ui/chart.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Foreign } from '../../ui/text.tsx';
import { coursesOf } from './demo-courses.ts';
import styles from './home.module.css';

const lookEveryMs = 1_000;
/** Between steps, so that they can be followed. */
const pauseMs = 500;

/** Whether nobody plays the demo here, which no credential changes: once that was answered, this tab does not ask again. */
let isAbsent = false;

const askForDemo = async (client: RegistryClient, signal: AbortSignal): Promise<Demo> => {
  try {
    return await client.ops.demo({ signal });
  } catch (error) {
    isAbsent = isNotFound(error);
    throw error;
  }
};

/** The demo's story, played on request and shown while it happens. Only `npm start` plays it; elsewhere nothing is shown. */
export function DemoSection(): ReactElement | null {
  const { operator } = useSession();
  const demo = useAsk(['demo'], askForDemo, {
    enabled: operator !== null && !isAbsent,
    everyMs: (answer) => (answer?.state === 'running' ? lookEveryMs : undefined),
  });
  const runs = demo.data?.state === 'running';
  const play = useChange((client, pauseMs: number) => client.ops.playDemo({ pause_ms: pauseMs }), [['demo']]);
  if (operator === null || isAbsent) return null;
  return (
    <Section
      title="See it happen"
      aside={
        <button
          type="button"
          className="primary"
          disabled={runs || play.isPending || demo.data === undefined}
          onClick={() => play.mutate(pauseMs)}
        >
          {runs ? 'The demo plays…' : 'Play the demo'}
        </button>
      }
    >
      <p>
        Real agents register in this registry, call each other, and review what they got. Watch how their scores move.
      </p>
      {play.error !== null && <ErrorNote error={play.error} />}
      {demo.error !== null && <ErrorNote error={demo.error} onRetry={() => void demo.refetch()} />}
      {demo.data !== undefined && demo.data.steps.length > 0 && <Story demo={demo.data} />}
    </Section>
  );
}

/** What happened, with a link to the agent: where its text names it, else behind. */
function StepText({ text, agentId }: { text: string; agentId: string | null }): ReactElement {
  if (agentId === null) return <Foreign text={text} />;
  const at = text.indexOf(agentId);
  if (at < 0)
    return (
      <>
        <Foreign text={text} /> <AgentLink agentId={agentId} />
      </>
    );
  return (
    <>
      <Foreign text={text.slice(0, at)} />
      <AgentLink agentId={agentId} />
      <Foreign text={text.slice(at + agentId.length)} />
    </>
  );
}

function Story({ demo: { steps, state, error } }: { demo: Demo }): ReactElement {
  const { times, agents } = coursesOf(steps);
  return (
    <>
      {agents.length > 0 && (
        <Chart
          label="Scores of the agents that have most to do"
          times={times}
          range={[0, 100]}
          series={agents.map(({ agentId, scores }) => ({ name: agentId, values: scores, shape: 'steps' }))}
        >
          <DataTable
            caption="Each agent's last score"
            columns={[
              { head: 'Agent', cell: ({ agentId }) => <AgentLink agentId={agentId} /> },
              { head: 'Score', cell: ({ scores }) => scores.at(-1) ?? '', isNumber: true },
            ]}
            rows={agents}
            keyOf={({ agentId }) => agentId}
          />
        </Chart>
      )}
      {/* Chapters have numbers of their own. */}
      <ol className={styles['steps']} role="list" tabIndex={0} aria-label="Steps of the demo">
        {steps.map(({ at, kind, text, agent_id: agentId, trust_score: score }, place) => (
          <li key={`${place} ${at}`}>
            {kind === 'chapter' ? (
              <strong>
                <Foreign text={text} />
              </strong>
            ) : (
              // At the end it asks for an agent that is not registered.
              <StepText text={text} agentId={kind === 'judged' && score === null ? null : agentId} />
            )}
          </li>
        ))}
      </ol>
      {state === 'failed' && error !== null && (
        <p role="alert">
          The demo failed: <Foreign text={error} />
        </p>
      )}
      {state === 'finished' && (
        <p role="status">The demo is over. Open one of its agents to see why its score is what it is.</p>
      )}
    </>
  );
}
