import { FabulaError } from "../core/errors.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { isOfTheJury, JURY } from "../workflows/books/jury/embedded-judge.ts";

/** The name of a judge (`jury`, `crowd`, `editor`, `grader`, `openai:MODEL`, `MODEL@http://host/v1`…) or a model of your own. */
export type OneJudge = string | ChatModel;

/** One judge, or several language models that judge together as a panel. */
export type Judge = OneJudge | readonly OneJudge[];

export type ChosenJudge =
  | { readonly kind: "embedded"; readonly name: string }
  | { readonly kind: "models"; readonly models: readonly OneJudge[] };

/** Who judges: one that ships inside, or language models. */
export function chooseJudge(judge: Judge = JURY): ChosenJudge {
  const judges = isList(judge) ? judge : [judge];
  const [first] = judges;
  if (first === undefined) throw new FabulaError("E_USAGE", "`judge` is an empty array: name at least one judge.");
  if (judges.length === 1 && typeof first === "string" && isOfTheJury(first)) return { kind: "embedded", name: first };
  const embedded = judges.find((one) => typeof one === "string" && isOfTheJury(one));
  if (embedded !== undefined) {
    throw new FabulaError(
      "E_JUDGE_PANEL",
      `A panel is made of language models, and "${embedded}" is an embedded judge: ask it in a call of its own.`,
    );
  }
  return { kind: "models", models: judges };
}

/** For what a single judge does: a panel cannot compare or be tested as one. */
export function chooseOne(judge: OneJudge | undefined, otherwise: string): ChosenJudge {
  return chooseJudge(judge ?? otherwise);
}

function isList(judge: Judge): judge is readonly OneJudge[] {
  return Array.isArray(judge);
}
