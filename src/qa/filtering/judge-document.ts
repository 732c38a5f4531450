import { z } from "zod";
import { type Answer, asJson, ask, type Question } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { loadPrompt } from "../../prompts/load-prompt.ts";
import { type PromptValues, renderPrompt } from "../../prompts/render-prompt.ts";

const kindSchema = z.object({
  kind: z.enum(["narrative", "play", "non-fiction", "verse"]),
  reason: z.string(),
  quote: z.string(),
});
const sameSchema = z.object({ same: z.boolean(), reason: z.string(), quote: z.string() });

/** The explanation may be missing. */
const said = { reason: z.string().catch(""), quote: z.string().catch("") };
const acceptedKind = kindSchema.extend(said);
const acceptedSame = sameSchema.extend(said);

/** A model's verdict on a document, with a quotation that was looked up in the text the model was shown. */
export type DocumentOpinion =
  | { readonly kind: "keep" }
  | { readonly kind: "remove"; readonly reason: string; readonly evidence: readonly string[] }
  | { readonly kind: "unjudged"; readonly reason: string };

const REPLY_TOKENS = 300;

/** Asks what kind of work it is; for a narrative, then asks whether the summary belongs to it. */
export async function judgeDocument(
  model: ChatModel,
  { title, summary, opening }: { readonly title: string; readonly summary: string; readonly opening: string },
  signal: AbortSignal,
): Promise<DocumentOpinion> {
  const opened = { title: title || "(untitled)", opening, description: summary };
  const kind = await askOpinion(model, "qa-book-kind", opened, asJson("opinion", kindSchema, acceptedKind), signal);
  if (kind.kind === "unanswered") return { kind: "unjudged", reason: kind.reason };
  if (kind.value.kind !== "narrative") return removal(kind.value.kind, kind.value, opening);
  if (summary.trim() === "") return { kind: "unjudged", reason: "the document has no summary" };
  const both = { summary, opening };
  const same = await askOpinion(model, "qa-same-work", both, asJson("opinion", sameSchema, acceptedSame), signal);
  if (same.kind === "unanswered") return { kind: "unjudged", reason: same.reason };
  return same.value.same ? { kind: "keep" } : removal("mismatched summary", same.value, opening);
}

async function askOpinion<T>(
  model: ChatModel,
  name: string,
  values: PromptValues,
  reply: Pick<Question<T>, "shape" | "read">,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const messages = renderPrompt(await loadPrompt(name, "en"), values);
  return ask(
    model,
    { purpose: "refiner", messages, temperature: 0, maximumTokens: REPLY_TOKENS, sample: 0, ...reply },
    signal,
  );
}

/** A quotation that is not in the opening is marked as not found. */
function removal(reason: string, said: { reason: string; quote: string }, opening: string): DocumentOpinion {
  const singleSpaced = (text: string) => text.replace(/\s+/g, " ").trim();
  const quote = singleSpaced(said.quote);
  const stands = quote !== "" && singleSpaced(opening).includes(quote);
  return {
    kind: "remove",
    reason,
    evidence: [said.reason, ...(stands ? [`“${quote}”`] : ["(no quotation found in the text)"])],
  };
}
