const faultsShownMax = 20;

/** The data files of the taxonomy break its rules. The message names each fault with its file and entry, so that an editor finds it. */
export class TaxonomyError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const more = faults.length > faultsShownMax ? `\n… and ${faults.length - faultsShownMax} more` : '';
    super(`the taxonomy's data cannot be used:\n${faults.slice(0, faultsShownMax).join('\n')}${more}`);
    this.name = 'TaxonomyError';
    this.faults = faults;
  }
}
