import { indexOfRoot } from '../../v1/incremental/root-table.ts';
import { compareRoots } from '../../v1/review.ts';
import type { Mark } from '../mark.ts';
import type { EvidenceV2 } from './evidence.ts';

type Marks = Pick<EvidenceV2, 'marks' | 'formerMarks'>;

/** The marks of evidence whose list of roots has changed; no mark is lost. */
export function marksFor(roots: readonly string[], before: EvidenceV2): Marks {
  const former = new Map(before.formerMarks);
  const marks: Mark[] = [];
  let place = 0;
  const oldRoots = before.sums.roots;
  const leave = (root: string): void => {
    const mark = before.marks[place] ?? 0;
    if (mark !== 0) former.set(root, mark);
    place += 1;
  };
  for (const root of roots) {
    for (let old = oldRoots[place]; old !== undefined && old < root; old = oldRoots[place]) leave(old);
    if (oldRoots[place] === root) {
      marks.push(before.marks[place] ?? 0);
      place += 1;
    } else {
      marks.push(former.get(root) ?? 0);
      former.delete(root);
    }
  }
  for (let old = oldRoots[place]; old !== undefined; old = oldRoots[place]) leave(old);
  return { marks, formerMarks: [...former].sort(([a], [b]) => compareRoots(a, b)) };
}

/** The marks with another one for a root of the evidence. */
export function withMark(marks: readonly Mark[], roots: readonly string[], root: string, mark: Mark): readonly Mark[] {
  const place = indexOfRoot(roots, root);
  if (marks[place] === mark) return marks;
  const changed = marks.slice();
  changed[place] = mark;
  return changed;
}
