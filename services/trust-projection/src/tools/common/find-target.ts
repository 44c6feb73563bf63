export type Target = {
  databaseUrl: string;
  eventLogUrl: string;
  /** The event log for the user of retention; the same where all share one user. */
  retentionUrl: string;
  /** Where the services of that event log listen; undefined when nobody has said. */
  natsUrl: string | undefined;
  /** Where that is, for people; without credentials. */
  description: string;
  /** Stops what was started for the command. */
  release(): Promise<void>;
};

const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** The database and event log of the environment, else of the development stack on DATA_DIR, which is started for the command if needed. */
export async function findTarget(env: NodeJS.ProcessEnv, onProgress: (line: string) => void): Promise<Target> {
  const { DATABASE_URL: databaseUrl, EVENT_LOG_URL: eventLogUrl, NATS_URL: natsUrl } = env;
  const retentionUrl = env['EVENT_LOG_RETENTION_URL'] || eventLogUrl || '';
  if (databaseUrl && eventLogUrl) {
    const release = (): Promise<void> => Promise.resolve();
    return {
      databaseUrl,
      eventLogUrl,
      retentionUrl,
      natsUrl: natsUrl || undefined,
      description: placeOf(databaseUrl),
      release,
    };
  }
  if (databaseUrl || eventLogUrl) {
    throw new Error('Set both DATABASE_URL and EVENT_LOG_URL, or neither to use the development stack.');
  }
  // Only a checkout of the whole project has the development stack; an installed service has its addresses in settings.
  const { findRunningStack, startStack } = await import('@agent-trust/dev-stack');
  const targetOf = (
    stack: { environment: Readonly<Record<string, string>>; dataDir: string },
    release: () => Promise<void>,
  ): Target => ({
    databaseUrl: stack.environment['DATABASE_URL'] ?? '',
    eventLogUrl: stack.environment['EVENT_LOG_URL'] ?? '',
    retentionUrl: stack.environment['EVENT_LOG_RETENTION_URL'] ?? '',
    natsUrl: stack.environment['NATS_URL'],
    description: `the stack on ${stack.dataDir}`,
    release,
  });
  const running = findRunningStack(env['DATA_DIR'] || undefined);
  if (running !== undefined) return targetOf(running, () => Promise.resolve());
  onProgress('The development stack is not running; starting it for this command…');
  const started = await startStack({ env, onProgress });
  return targetOf(started, started.stop);
}
