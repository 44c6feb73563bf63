/** The stack cannot start or continue, for a reason that its user can fix. The message is one line that says how. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

export function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code || error.name : String(error))
    .replace(/\s*\n\s*/g, ' | ')
    .trim();
}
