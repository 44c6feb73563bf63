export type NoteErrorCode =
  | 'malformed_note'
  | 'malformed_key'
  | 'malformed_checkpoint'
  | 'unknown_key'
  | 'wrong_signature'
  | 'wrong_origin';

/** What is wrong with a note, a checkpoint or a key; `line` (from 1) says where in the note. */
export class NoteError extends Error {
  override readonly name = 'NoteError';
  readonly code: NoteErrorCode;
  readonly line: number | null;

  constructor(code: NoteErrorCode, message: string, line: number | null = null, options?: ErrorOptions) {
    super(line === null ? message : `line ${line}: ${message}`, options);
    this.code = code;
    this.line = line;
  }
}
