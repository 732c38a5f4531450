import type { ChapterEvent } from "../../api/jobs.ts";
import { averageVerdicts, type Verdict } from "../../core/verdict.ts";
import type { JudgedSegment } from "../../judge/methods/method.ts";

/**
 * What runs and judges said of each segment so far, as the mean. A segment is known by the chapter it begins in; a long
 * chapter of several segments has one place, and the mean of them all.
 */
export class SegmentMeans {
  readonly #heard = new Map<number, { lastChapter: number; readonly verdicts: Verdict[] }>();

  add({ chapters, overall }: Pick<JudgedSegment, "chapters" | "overall">): ChapterEvent {
    const chapter = chapters[0] ?? 1;
    const heard = this.#heard.get(chapter) ?? { lastChapter: chapter, verdicts: [] };
    heard.lastChapter = Math.max(heard.lastChapter, ...chapters);
    heard.verdicts.push(overall);
    this.#heard.set(chapter, heard);
    return {
      kind: "chapter",
      chapter,
      lastChapter: heard.lastChapter,
      verdict: averageVerdicts(heard.verdicts).verdict,
    };
  }
}
