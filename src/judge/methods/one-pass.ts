import { askJudge } from "../ask.ts";
import { bookText, metadataText } from "../material/book-material.ts";
import type { Method } from "./method.ts";
import { ledgerEntry, outcomeOf, unscoredOutcome } from "./outcome.ts";

/** The whole text in one request. What does not fit is refused, never cut. R runs take R calls. */
export const onePass: Method = {
  name: "one-pass",
  about: "the whole text in one request",
  async judge(judge, { book, segments, judging }, run, signal) {
    const { language } = judging;
    const values = { metadata: metadataText(book, language), book: bookText(book, language) };
    const answer = await askJudge(judge, judging, { prompt: "judge-one-pass", values, sample: run }, signal);
    if (answer.kind === "read") {
      return outcomeOf(
        answer.value,
        segments.map((segment) => ledgerEntry(segment, "text")),
      );
    }
    const ledger = segments.map((segment) => ledgerEntry(segment, "nothing", answer.reason));
    return unscoredOutcome(judging, answer.reason, ledger);
  },
};
