import type { Logger } from '@agent-trust/service-kit';

/** Whether the embedding model answers, said once whenever it changes. */
export type Availability = {
  isUp(): boolean;
  answers(): void;
  fails(error: unknown): void;
};

export function availability(logger: Pick<Logger, 'info' | 'warn'>): Availability {
  let up: boolean | null = null;
  return {
    isUp: () => up === true,
    answers: () => {
      if (up !== true) logger.info('the embedding model answers');
      up = true;
    },
    fails: (err) => {
      if (up !== false) logger.warn({ err }, 'the embedding model does not answer; names are resolved without it');
      up = false;
    },
  };
}
