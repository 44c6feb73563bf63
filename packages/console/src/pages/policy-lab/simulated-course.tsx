import type { ReactElement } from 'react';
import { useAsk } from '../../session/use-ask.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Answer } from '../../ui/states.tsx';
import styles from './simulated-course.module.css';

export type SimulatedCourseProps = { simulationId: string; attack: string; onClose: () => void };

const [width, height] = [600, 240];

/** The course of an attack: scores by steps, which are not times, so that it is drawn here and not on a time axis. */
export function SimulatedCourse({ simulationId, attack, onClose }: SimulatedCourseProps): ReactElement {
  const course = useAsk(['policy simulation', simulationId, attack], (client, signal) =>
    client.ops.simulatedCourse(simulationId, attack, { signal }),
  );
  return (
    <Dialog title={course.data?.title ?? attack} isOpen onClose={onClose} place="side">
      <Answer of={course} what="the course">
        {({ tracks, steps, marks, seed }) => {
          const last = Math.max(1, ...tracks.flatMap((track) => track.steps));
          const x = (step: number): number => (step / last) * width;
          const y = (score: number): number => height - (score / 100) * height;
          return (
            <>
              <svg
                viewBox={`0 0 ${width} ${height}`}
                className={styles['plot']}
                role="img"
                aria-label={`Scores from 0 to 100 by ${steps}, seed ${seed}`}
              >
                {marks.map(({ score, label }) => (
                  <line key={label} x1={0} x2={width} y1={y(score)} y2={y(score)} className={styles['mark']} />
                ))}
                {tracks.map(({ label, by, steps: at, scores }) => (
                  <polyline
                    key={label}
                    className={styles[by]}
                    points={at.flatMap((step, place) => pointOf(x(step), scores[place] ?? null, y)).join(' ')}
                  />
                ))}
              </svg>
              <DataTable
                caption={`Scores at the end; ${marks.map(({ label, score }) => `${label}: ${score}`).join(', ')}`}
                columns={[
                  { head: 'Course', cell: ({ label }) => label },
                  { head: 'Of', cell: ({ by }) => (by === 'policy' ? 'the policy (solid)' : 'the control (dashed)') },
                  { head: 'Score', cell: ({ scores }) => scores.at(-1) ?? 'none', isNumber: true },
                ]}
                rows={tracks}
                keyOf={({ label, by }) => `${by} ${label}`}
              />
            </>
          );
        }}
      </Answer>
    </Dialog>
  );
}

const pointOf = (x: number, score: number | null, y: (score: number) => number): string[] =>
  score === null ? [] : [`${x.toFixed(1)},${y(score).toFixed(1)}`];
