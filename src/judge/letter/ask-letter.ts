import { z } from "zod";
import { type Answer, asJson } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import { askPrompt } from "../ask.ts";
import type { BookEvaluation, Remark } from "../evaluation.ts";

/** A reference to a remark: its aspect, whether it is a strength, and its position in that list. */
export interface RemarkReference {
  readonly aspect: string;
  readonly kind: "strength" | "weakness";
  readonly remark: number;
}

/**
 * A letter that a judge writes from its own verdicts. Quotations come from the remarks it refers to, never from its
 * own words.
 */
export interface WrittenLetter {
  readonly well: string;
  readonly standsOut: string;
  readonly assessment: string;
  readonly items: readonly {
    readonly title: string;
    readonly finding: string;
    readonly advice: string;
    readonly basis: readonly RemarkReference[];
  }[];
}

const replySchema = z.object({
  well: z.string(),
  stands_out: z.string(),
  items: z
    .array(z.object({ title: z.string(), finding: z.string(), advice: z.string(), rests_on: z.array(z.number()) }))
    .max(8),
  assessment: z.string(),
});

/**
 * How many remarks are shown, and how many characters of each, so that the call costs little compared with the
 * verdicts.
 */
const MOST_REMARKS = 48;
const LONGEST_REMARK = 300;
const TOKENS = 1500;
const MOST_ITEMS = 4;

export interface LetterQuestion {
  readonly metadata: string;
  readonly language: PromptLanguage;
  readonly temperature: number;
}

/**
 * In one call, turns the judge's remarks into a letter in its own words; each item refers to the remarks it is based
 * on.
 */
export async function askLetter(
  judge: ChatModel,
  evaluation: BookEvaluation,
  { metadata, language, temperature }: LetterQuestion,
  signal: AbortSignal,
): Promise<Answer<WrittenLetter>> {
  const listed = listRemarks(evaluation).slice(0, MOST_REMARKS);
  const answer = await askFor(judge, { metadata, language, temperature }, remarksText(listed), signal);
  return answer.kind === "answered" ? { ...answer, value: written(answer.value, listed) } : answer;
}

/** The same call at its largest possible size, for a plan, which has no remarks yet. */
export function planLetter(judge: ChatModel, question: LetterQuestion, signal: AbortSignal): Promise<Answer<unknown>> {
  const longest = `1. - aspect: ${"remark ".repeat(LONGEST_REMARK / 7)}`;
  return askFor(judge, question, new Array<string>(MOST_REMARKS).fill(longest).join("\n"), signal);
}

function askFor(
  judge: ChatModel,
  { metadata, language, temperature }: LetterQuestion,
  remarks: string,
  signal: AbortSignal,
) {
  return askPrompt(
    judge,
    {
      prompt: "edit-letter",
      language,
      values: { metadata, remarks },
      purpose: "judge",
      ...asJson("edit_letter", replySchema),
      maximumTokens: TOKENS,
      temperature,
      sample: 0,
    },
    signal,
  );
}

interface ListedRemark extends RemarkReference {
  readonly name: string;
  readonly said: Remark;
}

/** Weaknesses first, most frequent first; then strengths. */
function listRemarks({ aspects }: BookEvaluation): ListedRemark[] {
  const all = aspects.flatMap(({ id, name, strengths, weaknesses }) => [
    ...weaknesses.map((said, remark) => ({ aspect: id, name, kind: "weakness" as const, remark, said })),
    ...strengths.map((said, remark) => ({ aspect: id, name, kind: "strength" as const, remark, said })),
  ]);
  const times = ({ said }: ListedRemark) => said.times ?? 1;
  return all.sort(
    (left, right) => Number(right.kind === "weakness") - Number(left.kind === "weakness") || times(right) - times(left),
  );
}

export function hasRemarks(evaluation: BookEvaluation): boolean {
  return listRemarks(evaluation).length > 0;
}

function remarksText(listed: readonly ListedRemark[]): string {
  return listed
    .map(({ name, kind, said }, at) => {
      const often = (said.times ?? 1) > 1 ? ` (said ${said.times} times)` : "";
      return `${at + 1}. ${kind === "strength" ? "+" : "-"} ${name}${often}: ${said.text.slice(0, LONGEST_REMARK)}`;
    })
    .join("\n");
}

/** Items based on nothing in the list are dropped. */
function written(
  { well, stands_out, assessment, items }: z.infer<typeof replySchema>,
  listed: readonly ListedRemark[],
): WrittenLetter {
  return {
    well: well.trim(),
    standsOut: stands_out.trim(),
    assessment: assessment.trim(),
    items: items
      .map(({ title, finding, advice, rests_on }) => ({
        title: title.trim(),
        finding: finding.trim(),
        advice: advice.trim(),
        basis: [...new Set(rests_on)].flatMap((number) => {
          const known = listed[number - 1];
          return known ? [{ aspect: known.aspect, kind: known.kind, remark: known.remark }] : [];
        }),
      }))
      .filter(({ title, basis }) => title !== "" && basis.length > 0)
      .slice(0, MOST_ITEMS),
  };
}
