import type { ServiceContext } from './run-service.ts';

/**
 * Ends the service when a connection that it cannot do without is closed for good, unless it is stopping: a process that hears
 * nobody would otherwise live on, and nobody would start another in its place.
 *
 * @param closed resolves when the connection is closed, with the cause if there was one
 */
export function failWhenClosed(
  what: string,
  closed: Promise<void | Error>,
  { stopping, fail }: Pick<ServiceContext<unknown>, 'stopping' | 'fail'>,
): void {
  closed
    .then((cause) => {
      if (!stopping.aborted) fail(cause ?? new Error(`${what} was closed`));
    })
    .catch(fail);
}
