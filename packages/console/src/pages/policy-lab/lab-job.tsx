import type { RegistryClient, TrustPolicy } from '@agent-trust/client';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useAsk, useChange } from '../../session/use-ask.ts';
import { Section } from '../../ui/section.tsx';
import { Answer, ErrorNote } from '../../ui/states.tsx';
import { isUnderWay, type Job, JobNote } from './job-note.tsx';

const lookEveryMs = 1_000;

/** A kind of job that the registry does for a policy. */
export type JobKind<Shown extends Job> = {
  /** Part of the key under which its answers are kept. */
  name: 'policy trial' | 'policy simulation';
  /** Begins one, and returns its id. */
  start: (client: RegistryClient, policy: TrustPolicy) => Promise<string>;
  ask: (client: RegistryClient, id: string, signal: AbortSignal) => Promise<Shown>;
  stop: (client: RegistryClient, id: string) => Promise<unknown>;
};

export type LabJobProps<Shown extends Job> = {
  title: string;
  /** What the button says before the first job, and after it. */
  words: { begin: string; again: string };
  kind: JobKind<Shown>;
  policy: TrustPolicy;
  children: (job: Shown, id: string) => ReactNode;
};

/** A job for a policy: begun by a button, followed to its end, and stopped on request. Nothing in the registry is changed. */
export function LabJob<Shown extends Job>({ title, words, kind, policy, children }: LabJobProps<Shown>): ReactElement {
  const start = useChange((client, tried: TrustPolicy) => kind.start(client, tried));
  // Kept apart from `start.data`, which the next attempt clears.
  const [begun, setBegun] = useState<string | null>(null);
  return (
    <Section
      title={title}
      aside={
        <button type="button" disabled={start.isPending} onClick={() => start.mutate(policy, { onSuccess: setBegun })}>
          {begun === null ? words.begin : words.again}
        </button>
      }
    >
      {start.error !== null && <ErrorNote error={start.error} />}
      {begun !== null && (
        <Followed key={begun} id={begun} kind={kind}>
          {children}
        </Followed>
      )}
    </Section>
  );
}

type FollowedProps<Shown extends Job> = Pick<LabJobProps<Shown>, 'kind' | 'children'> & { id: string };

function Followed<Shown extends Job>({ id, kind, children }: FollowedProps<Shown>): ReactElement {
  const key = [kind.name, id] as const;
  const job = useAsk(key, (client, signal) => kind.ask(client, id, signal), {
    everyMs: (answer) => (answer === undefined || isUnderWay(answer) ? lookEveryMs : undefined),
  });
  const stop = useChange((client, asked: string) => kind.stop(client, asked), [key]);
  return (
    <Answer of={job} what={`the ${kind.name}`}>
      {(answer) => (
        <>
          <JobNote job={answer} onStop={() => stop.mutate(id)} />
          {stop.error !== null && <ErrorNote error={stop.error} />}
          {children(answer, id)}
        </>
      )}
    </Answer>
  );
}
