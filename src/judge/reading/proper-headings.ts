import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import type { LabelReader } from "./aspect-labels.ts";
import { isSetOff, type ReplyLine } from "./reply-lines.ts";
import type { LabelSplitter } from "./split-label.ts";

export interface ProperHeadings {
  /** Whether a line that begins with an aspect's name is a remark, since that aspect has its heading elsewhere. */
  isRemark(criterion: Criterion, line: ReplyLine, alone: boolean): boolean;
  /** Whether a line has the markup of the headings. */
  looksLikeOne(line: ReplyLine, alone: boolean): boolean;
}

/**
 * A reply marks up its aspects alike: the markup that most aspects have is that of headings, and a line with another
 * that begins with the name of an aspect so headed ("The plot: a girl of twelve…") belongs to the critique around it.
 */
export function properlyHeaded(
  lines: readonly ReplyLine[],
  label: LabelReader,
  split: LabelSplitter,
  rubric: Rubric,
): ProperHeadings {
  const aspectsOf = new Map<string, Set<string>>();
  for (const line of lines) {
    const { head, rest } = split(line.text);
    const meaning = head === null ? null : label(head);
    if (meaning?.kind !== "aspect" || meaning.scoreWord) continue;
    const markup = `${line.markup}|${rest === ""}`;
    const aspects = aspectsOf.get(markup) ?? new Set();
    aspectsOf.set(markup, aspects.add(meaning.criterion.id));
  }
  // Parts may be more than their aspects: the markup of most of the aspects themselves comes first.
  const top = new Set(rubric.criteria.filter(({ parent }) => parent === undefined).map(({ id }) => id));
  const rank = (aspects: ReadonlySet<string>) => 100 * [...aspects].filter((id) => top.has(id)).length + aspects.size;
  const [usual] = [...aspectsOf].sort((left, right) => rank(right[1]) - rank(left[1]));
  if (usual === undefined || usual[1].size < 2) return { isRemark: () => false, looksLikeOne: () => false };
  const [usualMarkup, aspects] = usual;
  const looksLikeOne = ({ markup }: ReplyLine, alone: boolean) => `${markup}|${alone}` === usualMarkup;
  return {
    looksLikeOne,
    isRemark({ id, parent }, line, alone) {
      if (looksLikeOne(line, alone)) return false;
      // Where headings stand alone, a bare sentence or list item that begins with a name is none, even if that aspect has no other.
      const bare = usualMarkup.endsWith("|true") && !alone && !isSetOff(line);
      return bare || aspects.has(parent ?? id);
    },
  };
}
