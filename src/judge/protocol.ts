import type { Answer } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { askJudge } from "./ask.ts";
import type { JudgeReply } from "./judge-reply.ts";
import type { Judging } from "./material/judging.ts";
import { askNovelCritique } from "./novelcritique/ask-novel-critique.ts";
import type { ShownStory } from "./novelcritique/review-layout.ts";

/** What a judge is shown of a book that it knows by its summary. */
export interface BookSummary extends Omit<ShownStory, "excerpt"> {
  /** Title, genres and premise in one text. */
  readonly metadata: string;
  readonly excerpts: string | null;
}

/** Asks for verdicts on a book known by its summary, in the way the judge is used to being asked. */
export function askFromSummary(
  judge: ChatModel,
  judging: Judging,
  summary: BookSummary,
  sample: number,
  signal: AbortSignal,
): Promise<Answer<JudgeReply>> {
  const { protocol = "rubric" } = judging;
  const { metadata, plot, characters, excerpts } = summary;
  switch (protocol) {
    case "rubric": {
      const values = { metadata, plot, characters, excerpts };
      return askJudge(judge, judging, { prompt: "judge-summary", values, sample }, signal);
    }
    case "novelcritique": {
      const { title, genres, premise } = summary;
      const story = { title, genres, premise, plot, characters, excerpt: excerpts };
      return askNovelCritique(judge, judging, story, sample, signal);
    }
    default:
      return protocol satisfies never;
  }
}
