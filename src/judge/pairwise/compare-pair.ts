import { z } from "zod";
import { rubricHash } from "../../criteria/rubric.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { PromptValues } from "../../prompts/render-prompt.ts";
import { ask } from "../ask.ts";
import { criteriaText, type Judging } from "../material/judging.ts";

const choiceSchema = z.enum(["first", "second", "tie"]);

/** The shape of a comparison: for every aspect the reason and then the choice. */
export function comparisonSchema({ criteria }: Pick<Judging, "criteria">) {
  const aspect = z.object({ reason: z.string(), better: choiceSchema });
  return z.object({
    aspects: z.object(Object.fromEntries(criteria.map(({ id }) => [id, aspect]))),
    reason: z.string(),
    overall: choiceSchema,
  });
}

/** A book as it is shown beside another. */
export interface Contestant {
  readonly id: string;
  readonly text: string;
}

/** One reply: which book was better, whatever the order they were shown in. */
export interface Meeting {
  readonly left: string;
  readonly right: string;
  /** Whether `left` was shown first. */
  readonly leftFirst: boolean;
  readonly run: number;
  /** Per aspect id, and `overall`. */
  readonly choices: Readonly<Record<string, { readonly outcome: "left" | "right" | "tie"; readonly reason: string }>>;
}

export interface PairOutcome {
  readonly meetings: readonly Meeting[];
  readonly failures: readonly string[];
}

const TOKENS_PER_ASPECT = 140;
const TOKENS_FOR_THE_WHOLE = 320;

/** Which prompt is used, and its values beyond the aspects and the two texts: a reader's taste, a shared premise. */
export interface Presentation {
  readonly prompt: string;
  readonly values: PromptValues;
}

const PLAIN: Presentation = { prompt: "compare-books", values: {} };

/** Asks for a comparison in both orders, so often: R runs take 2·R calls. */
export async function comparePair(
  judge: ChatModel,
  judging: Judging,
  left: Contestant,
  right: Contestant,
  runs: number,
  signal: AbortSignal,
  presentation: Presentation = PLAIN,
): Promise<PairOutcome> {
  const orders = Array.from({ length: runs }, (_, run) =>
    [true, false].map((leftFirst) => ({ run, leftFirst })),
  ).flat();
  const answers = await Promise.all(
    orders.map(async ({ run, leftFirst }) => {
      const [first, second] = leftFirst ? [left, right] : [right, left];
      const answer = await ask(
        judge,
        {
          prompt: presentation.prompt,
          language: judging.language,
          values: { ...presentation.values, criteria: criteriaText(judging), first: first.text, second: second.text },
          purpose: "judge",
          shape: { name: "comparison", schema: comparisonSchema(judging) },
          maximumTokens: TOKENS_FOR_THE_WHOLE + TOKENS_PER_ASPECT * judging.criteria.length,
          temperature: judging.temperature,
          sample: run,
          basis: rubricHash(judging.rubric),
        },
        signal,
      );
      if (answer.kind === "unread") return answer.reason;
      const outcome = (choice: z.infer<typeof choiceSchema>) =>
        choice === "tie"
          ? ("tie" as const)
          : (choice === "first") === leftFirst
            ? ("left" as const)
            : ("right" as const);
      const { aspects, overall, reason } = answer.value;
      const choices = [...Object.entries(aspects), ["overall", { better: overall, reason }] as const].map(
        ([id, { better, reason: why }]) => [id, { outcome: outcome(better), reason: why }] as const,
      );
      return { left: left.id, right: right.id, leftFirst, run, choices: Object.fromEntries(choices) } satisfies Meeting;
    }),
  );
  return {
    meetings: answers.filter((answer) => typeof answer !== "string"),
    failures: answers.filter((answer) => typeof answer === "string"),
  };
}
