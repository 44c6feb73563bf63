/** The section of a report that begins with a heading, without the empty line after it; undefined if there is none. */
export function sectionOf(report: string, heading: string): string | undefined {
  return sectionPattern(heading).exec(report)?.[0].trimEnd();
}

/** The report with another section: in the place of the former one with its heading, or before the aims. @param section begins with its heading (`## `) */
export function withSection(report: string, section: string): string {
  const [heading = ''] = section.split('\n', 1);
  const former = sectionPattern(heading);
  if (former.test(report)) return report.replace(former, () => `${section}\n\n`);
  return report.replace(/^## Aims$/mu, () => `${section}\n\n## Aims`);
}

const sectionPattern = (heading: string): RegExp => new RegExp(`^${heading}\\n[\\s\\S]*?(?=^## )`, 'mu');
