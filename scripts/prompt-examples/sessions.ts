import { loadRubric } from "../../src/criteria/load-rubric.ts";
import { makeNameMap } from "../../src/judge/anonymise/anonymise.ts";
import { buildEvaluation } from "../../src/judge/build-evaluation.ts";
import { askLetter } from "../../src/judge/letter/ask-letter.ts";
import { metadataText } from "../../src/judge/material/book-material.ts";
import { type Judging, selectCriteria } from "../../src/judge/material/judging.ts";
import { METHOD_NAMES } from "../../src/judge/methods/method.ts";
import { comparePair } from "../../src/judge/pairwise/compare-pair.ts";
import { digestBook } from "../../src/judge/pairwise/digest.ts";
import { recognise } from "../../src/judge/probe/recognise.ts";
import { outlineSubject } from "../../src/judge/subjects/outline.ts";
import type { Subject } from "../../src/judge/subjects/subject.ts";
import { wholeBook } from "../../src/judge/subjects/whole-book.ts";
import type { ChatModel } from "../../src/models/chat-model.ts";
import type { PromptLanguage } from "../../src/prompts/load-prompt.ts";
import { pocketDistinctiveness } from "../../src/workflows/books/jury/pocket-distinctiveness.ts";
import { benchSessions } from "./bench-sessions.ts";
import { type ExampleMaterial, exampleMaterial } from "./example-books.ts";
import { qaSessions } from "./qa-sessions.ts";
import { readerSessions } from "./reader-sessions.ts";
import { type Session, wasRead } from "./session.ts";

const ASPECTS = ["plot", "writing"];
const SEGMENT_WORDS = 150;

/** Everything the tool asks a model for, done once on the example of a language: each prompt is sent by the code that uses it. */
export async function sessionsIn(language: PromptLanguage): Promise<Session[]> {
  const material = await exampleMaterial(language);
  const judging = await judgingIn(language);
  return [
    ...judgeSessions(material, judging),
    ...(await benchSessions(language, material)),
    ...(await readerSessions(language, material)),
    ...(language === "en" ? await qaSessions(material) : []),
  ];
}

async function judgingIn(language: PromptLanguage): Promise<Judging> {
  const rubric = await loadRubric(language === "zh" ? "long-story-zh" : "long-story");
  return { rubric, criteria: selectCriteria(rubric, ASPECTS), definitions: true, language, temperature: 0 };
}

function judgeSessions({ book, outline, files }: ExampleMaterial, judging: Judging): Session[] {
  const { language } = judging;
  const judged = (name: string, subject: (model: ChatModel, signal: AbortSignal) => Promise<Subject>): Session => ({
    name,
    async run(model, signal) {
      const { overall } = await (await subject(model, signal)).judge(model, 0, signal);
      if (overall.kind === "unscored") throw new Error(`${name}: ${overall.reason}`);
    },
  });
  const whole =
    (method: (typeof METHOD_NAMES)[number], asked: Judging) => async (summariser: ChatModel, signal: AbortSignal) =>
      wholeBook(book, {
        method,
        judging: asked,
        summariser,
        bySegment: false,
        segmentWords: SEGMENT_WORDS,
        signal,
        distinctiveness: await pocketDistinctiveness(book, signal),
      });
  return [
    ...METHOD_NAMES.map((method) => judged(method, whole(method, judging))),
    ...(language === "en"
      ? [judged("novelcritique", whole("summary", { ...judging, protocol: "novelcritique" }))]
      : []),
    {
      name: "edit-letter",
      async run(model, signal) {
        const outcomes = [await (await whole("one-pass", judging)(model, signal)).judge(model, 0, signal)];
        const shown = { book, judge: model.id, method: "one-pass" as const, judging, outcomes, suspicions: [] };
        const evaluation = await buildEvaluation({ ...shown, calls: 1, cost: null });
        const question = { metadata: metadataText(book, language), language, temperature: 0 };
        wasRead(await askLetter(model, evaluation, question, signal));
      },
    },
    judged("outline", async () => outlineSubject(outline, files[1], language, judging)),
    {
      name: "compare",
      async run(model, signal) {
        const halves = book.chapters.map((chapter) => ({ ...book, chapters: [chapter], words: chapter.words }));
        const [left, right] = await Promise.all(halves.map((half) => digestBook(model, half, language, signal)));
        if (left?.kind !== "digest" || right?.kind !== "digest") throw new Error("compare: no digest");
        const sides = [
          { id: "left", text: left.text },
          { id: "right", text: right.text },
        ] as const;
        const { failures } = await comparePair(model, judging, ...sides, 1, signal);
        if (failures.length > 0) throw new Error(`compare: ${failures[0]}`);
      },
    },
    {
      name: "probe",
      async run(model, signal) {
        wasRead(await makeNameMap(model, book, language, signal));
        wasRead(await recognise(model, book.chapters[0]!.text, book, language, signal));
      },
    },
  ];
}
