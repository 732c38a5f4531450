import type { Answer } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { askJudge } from "./ask.ts";
import type { JudgeReply } from "./judge-reply.ts";
import type { Judging } from "./material/judging.ts";
import { askNovelCritique, type BookSummary } from "./novelcritique/ask-novel-critique.ts";

/** Asks for verdicts on a book known by its summary, in the way the judge is used to being asked. */
export function askFromSummary(
  judge: ChatModel,
  judging: Judging,
  summary: BookSummary,
  sample: number,
  signal: AbortSignal,
): Promise<Answer<JudgeReply>> {
  const { protocol = "rubric" } = judging;
  switch (protocol) {
    case "rubric":
      return askJudge(judge, judging, { prompt: "judge-summary", values: { ...summary }, sample }, signal);
    case "novelcritique":
      return askNovelCritique(judge, judging, summary, sample, signal);
    default:
      return protocol satisfies never;
  }
}
