import type { FindingMark } from "../../api/letters.ts";
import type { LetterView } from "../../judge/letter/parts.ts";
import { loadLetterTexts } from "./letter-words.ts";

/** The writer's decisions on findings, by id. */
export type FindingMarks = ReadonlyMap<string, FindingMark | null>;

/** Whether nothing is left to do about it. */
export function isSettled(mark: FindingMark | null | undefined): boolean {
  return mark === "done" || mark === "intended";
}

/** The letter with the writer's decisions after the titles of its findings: "How many names? (done)". */
export function markedLetter({ blocks, language }: LetterView, marks: FindingMarks): LetterView {
  const { headings } = loadLetterTexts(language);
  return {
    language,
    blocks: blocks.map((block) => {
      const mark = block.kind === "item" ? marks.get(block.id) : null;
      if (block.kind !== "item" || !mark) return block;
      const said = headings[`mark-${mark}`]!;
      return { ...block, title: language === "zh" ? `${block.title}（${said}）` : `${block.title} (${said})` };
    }),
  };
}
