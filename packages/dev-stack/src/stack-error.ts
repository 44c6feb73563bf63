/** The stack cannot start or go on, for a reason that its user can do something about. The message is one line that says what. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

/** The message of whatever was thrown, on one line. */
export function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code || error.name : String(error))
    .replace(/\s*\n\s*/g, ' | ')
    .trim();
}
