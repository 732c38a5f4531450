import { z } from "zod";
import { rubricHash } from "../../criteria/rubric.ts";
import type { Reading } from "../../models/ask.ts";
import type { ChatMessage, ChatModel, ChatReply } from "../../models/chat-model.ts";
import { type ReplyReading, readJsonReply } from "../../models/read-reply.ts";
import type { PromptValues } from "../../prompts/render-prompt.ts";
import { askPrompt } from "../ask.ts";
import { criteriaText, type Judging } from "../material/judging.ts";

const choiceSchema = z.enum(["first", "second", "tie"]);
const OVERALL = "overall";
const COMPARISON = "comparison";

/** The shape of a comparison: for every aspect the reason and then the choice. */
export function comparisonSchema({ criteria }: { readonly criteria: readonly { readonly id: string }[] }) {
  return z.object({ ...aspectsShape(criteria), ...WHOLE_SHAPE });
}

const WHOLE_SHAPE = { reason: z.string(), overall: choiceSchema };

function aspectsShape(criteria: readonly { readonly id: string }[]) {
  const aspect = z.object({ reason: z.string(), better: choiceSchema });
  return { aspects: z.object(Object.fromEntries(criteria.map(({ id }) => [id, aspect]))) };
}

interface Choice {
  readonly better: z.infer<typeof choiceSchema>;
  readonly reason: string;
}
type Choices = Readonly<Record<string, Choice>>;

const words = z.string().catch("");
const spoken = z
  .string()
  .transform((word) => word.trim().toLowerCase())
  .pipe(choiceSchema);
/** A choice as judges write it: with or without its reason, or the bare word. */
const anyChoice = z.union([
  spoken.transform((better) => ({ better, reason: "" })),
  z.object({ better: spoken, reason: words }),
]);
const anyComparison = z.looseObject({
  aspects: z.record(z.string(), z.unknown()).catch({}),
  reason: words,
  overall: z.unknown().optional(),
});

/** What can be read of a comparison: each choice by itself, so that one that is missing loses no other. */
function readChoices(
  reply: ChatReply,
  criteria: readonly { readonly id: string }[],
  prompt: readonly ChatMessage[],
): ReplyReading<Choices> {
  const reading = readJsonReply(reply, anyComparison, prompt, { partly: true });
  if (reading.kind === "unreadable") return reading;
  const { aspects, reason, overall } = reading.value;
  const given = [...criteria.map(({ id }) => [id, aspects[id]] as const), [OVERALL, overall] as const];
  const choices = given.flatMap(([id, value]) => {
    const choice = anyChoice.safeParse(value).data;
    return choice ? [[id, id === OVERALL && choice.reason === "" ? { ...choice, reason } : choice] as const] : [];
  });
  if (choices.length > 0) return { kind: "read", value: Object.fromEntries(choices) };
  return { kind: "unreadable", why: "wrong-shape", reason: "the reply chooses between the books on no aspect" };
}

/** Reads a comparison, and asks for the choices that are missing from it. */
function readComparison(
  reply: ChatReply,
  { criteria }: Pick<Judging, "criteria">,
  prompt: readonly ChatMessage[],
): Reading<Choices> {
  const reading = readChoices(reply, criteria, prompt);
  if (reading.kind === "unreadable") return reading;
  const missing = missingFrom(reading.value, criteria);
  if (missing.length === 0) return reading;
  const lacking = criteria.filter(({ id }) => missing.includes(id));
  const schema = z.object({
    ...(lacking.length > 0 && aspectsShape(lacking)),
    ...(missing.includes(OVERALL) && WHOLE_SHAPE),
  });
  const named = missing.map((id) => (id === OVERALL ? id : `aspects.${id}`)).join(", ");
  const rest = {
    missing: named,
    reason: `no choice (first, second or tie) could be read for ${named}`,
    shape: { name: COMPARISON, schema },
    complete: (second: ChatReply): Choices => {
      const others = readChoices(second, lacking, prompt);
      return others.kind === "read" ? { ...others.value, ...reading.value } : reading.value;
    },
  };
  return { ...reading, rest };
}

function missingFrom(
  choices: Readonly<Record<string, unknown>>,
  criteria: readonly { readonly id: string }[],
): string[] {
  return [...criteria.map(({ id }) => id), OVERALL].filter((id) => choices[id] === undefined);
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
      const answer = await askPrompt(
        judge,
        {
          prompt: presentation.prompt,
          language: judging.language,
          values: { ...presentation.values, criteria: criteriaText(judging), first: first.text, second: second.text },
          purpose: "judge",
          shape: { name: COMPARISON, schema: comparisonSchema(judging) },
          read: (reply, prompt) => readComparison(reply, judging, prompt),
          maximumTokens: TOKENS_FOR_THE_WHOLE + TOKENS_PER_ASPECT * judging.criteria.length,
          temperature: judging.temperature,
          sample: run,
          basis: rubricHash(judging.rubric),
        },
        signal,
      );
      if (answer.kind === "unanswered") return answer.reason;
      const outcome = (choice: z.infer<typeof choiceSchema>) =>
        choice === "tie"
          ? ("tie" as const)
          : (choice === "first") === leftFirst
            ? ("left" as const)
            : ("right" as const);
      const choices = Object.entries(answer.value).map(
        ([id, { better, reason }]) => [id, { outcome: outcome(better), reason }] as const,
      );
      return { left: left.id, right: right.id, leftFirst, run, choices: Object.fromEntries(choices) } satisfies Meeting;
    }),
  );
  const meetings = answers.filter((answer) => typeof answer !== "string");
  const incomplete = meetings.flatMap(({ choices }) => {
    const missing = missingFrom(choices, judging.criteria);
    return missing.length > 0 ? [`the judge chose between the books, but not on ${missing.join(", ")}`] : [];
  });
  return { meetings, failures: [...answers.filter((answer) => typeof answer === "string"), ...incomplete] };
}
