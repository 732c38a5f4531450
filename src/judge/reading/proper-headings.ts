import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import type { LabelReader } from "./aspect-labels.ts";
import { isDressed, type ReplyLine } from "./reply-lines.ts";
import type { LabelSplitter } from "./split-label.ts";

export interface ProperHeadings {
  /** Whether a line that begins with an aspect's name is a remark, since that aspect has its heading elsewhere. */
  isRemark(criterion: Criterion, line: ReplyLine, alone: boolean): boolean;
  /** Whether a line is dressed as headings are. */
  wears(line: ReplyLine, alone: boolean): boolean;
}

/**
 * A reply dresses its aspects alike: the dress that most aspects wear is that of headings, and a line in another dress
 * that begins with the name of an aspect so headed ("The plot: a girl of twelve…") belongs to the critique around it.
 */
export function properlyHeaded(
  lines: readonly ReplyLine[],
  label: LabelReader,
  split: LabelSplitter,
  rubric: Rubric,
): ProperHeadings {
  const wearers = new Map<string, Set<string>>();
  for (const line of lines) {
    const { head, rest } = split(line.text);
    const meaning = head === null ? null : label(head);
    if (meaning?.kind !== "aspect" || meaning.scoreWord) continue;
    const dress = `${line.dress}|${rest === ""}`;
    const aspects = wearers.get(dress) ?? new Set();
    wearers.set(dress, aspects.add(meaning.criterion.id));
  }
  // Parts may be more than their aspects: what dresses most of the aspects themselves comes first.
  const top = new Set(rubric.criteria.filter(({ parent }) => parent === undefined).map(({ id }) => id));
  const rank = (aspects: ReadonlySet<string>) => 100 * [...aspects].filter((id) => top.has(id)).length + aspects.size;
  const [usual] = [...wearers].sort((left, right) => rank(right[1]) - rank(left[1]));
  if (usual === undefined || usual[1].size < 2) return { isRemark: () => false, wears: () => false };
  const [usualDress, aspects] = usual;
  const wears = ({ dress }: ReplyLine, alone: boolean) => `${dress}|${alone}` === usualDress;
  return {
    wears,
    isRemark({ id, parent }, line, alone) {
      if (wears(line, alone)) return false;
      // Where headings stand alone, a bare sentence or list item that begins with a name is none, even if that aspect has no other.
      const bare = usualDress.endsWith("|true") && !alone && !isDressed(line);
      return bare || aspects.has(parent ?? id);
    },
  };
}
