import { writeBook } from "../../src/bench/books.ts";
import { askDuel } from "../../src/bench/duels/duel.ts";
import { modelScorer } from "../../src/bench/scoring.ts";
import { makeSynopsis, type Synopsis } from "../../src/bench/synopsis.ts";
import { writeChapter } from "../../src/bench/writing.ts";
import { seededRandom } from "../../src/core/random.ts";
import { loadRubric } from "../../src/criteria/load-rubric.ts";
import { makeNameMap } from "../../src/judge/anonymise.ts";
import { buildEvaluation } from "../../src/judge/build-evaluation.ts";
import { askLetter } from "../../src/judge/letter/ask-letter.ts";
import { bookText, type JudgeInstructions, metadataText, selectCriteria } from "../../src/judge/material.ts";
import { PUBLISHED_METHODS } from "../../src/judge/methods/method.ts";
import { comparePair, digestBook } from "../../src/judge/pairwise.ts";
import { recognise } from "../../src/judge/probe/recognise.ts";
import { outlineSubject, type Subject, wholeBook } from "../../src/judge/subjects.ts";
import { closeSubject } from "../../src/letter/close-letter.ts";
import type { Answer } from "../../src/models/ask.ts";
import type { ChatModel } from "../../src/models/chat-model.ts";
import { createChatModel } from "../../src/models/create-chat-model.ts";
import type { PromptLanguage } from "../../src/prompts/load-prompt.ts";
import { shippedPrompts } from "../../src/prompts/own-prompts.ts";
import { type AnswerMaterial, answerQuestion, passagesOf } from "../../src/qa/answering.ts";
import { GRADING_PROTOCOLS } from "../../src/qa/choices.ts";
import { judgeDocument } from "../../src/qa/filtering/judge-document.ts";
import { gradeAnswer } from "../../src/qa/grading.ts";
import { checkAnswer, checkQuestion } from "../../src/qa/refinement.ts";
import { questionsAboutBook, questionsAboutPart } from "../../src/qa/writing.ts";
import { prepareStory } from "../../src/reader/dataset.ts";
import { compareAs } from "../../src/reader/evaluation/personal-comparison.ts";
import { reviewAs } from "../../src/reader/evaluation/personal-review.ts";
import { TEN } from "../../src/reader/evaluation/score-scale.ts";
import { PROTOCOLS } from "../../src/reader/perse.ts";
import { Likeness } from "../../src/reader/predictor/likeness.ts";
import { loadPersonalModel } from "../../src/reader/predictor/personal-weights.ts";
import type { Story } from "../../src/reader/predictor/story.ts";
import { loadAspectVocabulary } from "../../src/reviews/aspect-vocabulary.ts";
import { aspectMapper } from "../../src/reviews/map-aspect.ts";
import { structureReview } from "../../src/reviews/structure-review.ts";
import { askBook } from "../../src/story/ask-book.ts";
import { distinctivePassages } from "../../src/tasks/books/compare-with-jury.ts";
import { createSimulatedServer, type ReplyHandler } from "../../src/testing/index.ts";
import { type ExampleMaterial, exampleMaterial } from "./example-books.ts";

const RAW_REVIEW =
  "ok so I stayed up till 3 for this one. the island felt REAL, you can smell the herring. Hester is such a good lead, " +
  "stubborn in the right way, but the buyer is a cardboard cutout and the middle is slow. still thinking about that weight. 4 stars";

/** A review and a comparison as one reader would make them, a story made hard to recognise, and a raw review put in order. */
async function readerSessions(language: PromptLanguage, material: ExampleMaterial): Promise<Session[]> {
  const { book, outline, reviews } = material;
  const story: Story = { title: book.title, genres: [...book.genres], premise: book.premise ?? undefined };
  const planned: Story = {
    title: outline.title,
    genres: [...outline.genres],
    premise: outline.premise ?? undefined,
    plot_summary: outline.plot,
  };
  const model = { likeness: Likeness.fit([...reviews, story, planned]), centres: loadPersonalModel().centres };
  const rubric = await loadRubric("personal");
  const instructions = { rubric, criteria: selectCriteria(rubric, null), definitions: true, language, temperature: 0 };
  // PerSE's own form is in English alone.
  const protocols = language === "en" ? PROTOCOLS : (["fabula"] as const);
  return [
    ...protocols.map((protocol) => ({
      name: `reader review (${protocol})`,
      async run(judge: ChatModel, signal: AbortSignal) {
        const { spread } = await reviewAs(
          judge,
          model,
          reviews,
          story,
          {
            count: 2,
            withWords: true,
            scale: TEN,
            orders: 1,
            language,
            reviewLanguage: language,
            temperature: 0,
            protocol,
            random: seededRandom(1),
          },
          signal,
        );
        if (spread.verdict.kind === "unscored") throw new Error(`review: ${spread.verdict.reason}`);
      },
    })),
    ...protocols.map((protocol) => ({
      name: `reader compare (${protocol})`,
      async run(judge: ChatModel, signal: AbortSignal) {
        const earlier = { left: planned, right: story, preferred: { ending: "left" as const } };
        const comparisons = protocol === "perse" ? [earlier] : [];
        const options = { instructions, count: 2, withWords: true, runs: 1, protocol, comparisons };
        const { failures } = await compareAs(judge, model, reviews, { left: story, right: planned }, options, signal);
        if (failures.length > 0) throw new Error(`comparison: ${failures[0]}`);
      },
    })),
    {
      name: "reader dataset",
      async run(judge, signal) {
        const prepared = await prepareStory(judge, planned, language, signal);
        if (prepared.kind === "unprepared") throw new Error(prepared.reason);
      },
    },
    ...(language === "en" ? [await structuring()] : []),
  ];
}

async function structuring(): Promise<Session> {
  const map = aspectMapper(await loadAspectVocabulary(), await loadRubric("long-story"));
  return {
    name: "reviews structure",
    async run(model, signal) {
      const structured = await structureReview({ book: "1", reviewer: "1", text: RAW_REVIEW }, [model], map, signal);
      if (structured.kind !== "structured") throw new Error(structured.reason);
    },
  };
}

const QUESTION = "Who carries the box of standards down the steps?";
const ANSWER = "Anders Coll, the ferryman";

/** Questions about the example answered, graded and checked, and the example itself checked as a document of a data set. */
async function qaSessions({ book }: ExampleMaterial): Promise<Session[]> {
  const rubric = await loadRubric("qa-grading");
  const { title } = book;
  const summary = book.premise ?? title;
  const materials: AnswerMaterial[] = [
    { setting: "summary", summary },
    { setting: "retrieval", passages: passagesOf(book).slice(0, 2) },
  ];
  return [
    ...materials.map(
      (material): Session => ({
        name: `qa answer (${material.setting})`,
        async run(model, signal) {
          const answer = await answerQuestion(model, { title, question: QUESTION, material }, signal);
          if (answer.kind === "unanswered") throw new Error(answer.reason);
        },
      }),
    ),
    {
      name: "qa score",
      async run(model, signal) {
        const answered = { question: QUESTION, references: [ANSWER, "the ferryman"], answer: "A boatman", summary };
        for (const protocol of GRADING_PROTOCOLS) {
          const { verdict } = await gradeAnswer(model, rubric, answered, signal, protocol);
          if (verdict.kind === "unscored") throw new Error(verdict.reason);
        }
      },
    },
    {
      name: "qa write",
      async run(model, signal) {
        const part = bookText({ chapters: book.chapters.slice(0, 1) }, "en");
        const answers = [
          await questionsAboutPart(model, { title, part, count: 2 }, signal),
          await questionsAboutBook(model, { title, book: part, across: 1, whole: 1 }, signal),
        ];
        const gap = answers.find(({ kind }) => kind === "unanswered");
        if (gap?.kind === "unanswered") throw new Error(gap.reason);
      },
    },
    {
      name: "qa refine",
      async run(model, signal) {
        const checks = [
          await checkQuestion(model, { summary, question: QUESTION }, signal),
          await checkAnswer(model, { summary, question: QUESTION, answer: ANSWER }, signal),
        ];
        const gap = checks.find((check) => check.kind === "unchecked");
        if (gap) throw new Error(gap.reason);
      },
    },
    {
      name: "qa filter",
      async run(model, signal) {
        const opinion = await judgeDocument(model, { title, summary, opening: book.chapters[0]!.text }, signal);
        if (opinion.kind === "unjudged") throw new Error(opinion.reason);
      },
    },
  ];
}

const ASPECTS = ["plot", "writing"];
const SEGMENT_WORDS = 150;
/** A second reader of a book this long is shown parts of it. */
const LONGER_THAN_SHOWN_WHOLE = 20_000;

/** Everything the tool asks a model for, done once on the example of a language: each prompt is sent by the code that uses it. */
export async function sessionsIn(language: PromptLanguage): Promise<Session[]> {
  const material = await exampleMaterial(language);
  const instructions = await instructionsIn(language);
  return [
    ...judgeSessions(material, instructions),
    ...(await benchSessions(language, material)),
    ...(await readerSessions(language, material)),
    ...(language === "en" ? await qaSessions(material) : []),
  ];
}

async function instructionsIn(language: PromptLanguage): Promise<JudgeInstructions> {
  const rubric = await loadRubric(language === "zh" ? "long-story-zh" : "long-story");
  return { rubric, criteria: selectCriteria(rubric, ASPECTS), definitions: true, language, temperature: 0 };
}

function judgeSessions({ book, outline, files }: ExampleMaterial, instructions: JudgeInstructions): Session[] {
  const { language } = instructions;
  const judged = (name: string, subject: (model: ChatModel, signal: AbortSignal) => Promise<Subject>): Session => ({
    name,
    async run(model, signal) {
      const { overall } = await (await subject(model, signal)).judge(model, 0, signal);
      if (overall.kind === "unscored") throw new Error(`${name}: ${overall.reason}`);
    },
  });
  const whole =
    (method: (typeof PUBLISHED_METHODS)[number], asked: JudgeInstructions) =>
    async (summariser: ChatModel, signal: AbortSignal) =>
      wholeBook(book, {
        method,
        instructions: asked,
        summariser,
        bySegment: false,
        segmentWords: SEGMENT_WORDS,
        signal,
        distinctiveness: await distinctivePassages(book, signal),
      });
  return [
    ...PUBLISHED_METHODS.map((method) => judged(method, whole(method, instructions))),
    ...(language === "en"
      ? [judged("novelcritique", whole("summary", { ...instructions, protocol: "novelcritique" }))]
      : []),
    {
      name: "edit-letter",
      async run(model, signal) {
        const outcomes = [await (await whole("one-pass", instructions)(model, signal)).judge(model, 0, signal)];
        const shown = { book, judge: model.id, method: "one-pass" as const, instructions, outcomes, suspicions: [] };
        const evaluation = await buildEvaluation({ ...shown, calls: 1, cost: null });
        const question = { metadata: metadataText(book, language), language, temperature: 0 };
        wasRead(await askLetter(model, evaluation, question, signal));
      },
    },
    {
      name: "close",
      async run(model, signal) {
        const mainPeople = () => ["Nobody the simulated server would mention"];
        for (const words of [book.words, LONGER_THAN_SHOWN_WHOLE]) {
          const subject = closeSubject(
            { ...book, words },
            { instructions, depth: "full", mainPeople, replyLanguage: null },
          );
          const { overall } = await subject.judge(model, 0, signal);
          if (overall.kind === "unscored") throw new Error(`close: ${overall.reason}`);
          await subject.closeLetter!(model, signal);
        }
      },
    },
    {
      name: "ask",
      async run(model, signal) {
        const how = { model, language, temperature: 0, sample: 0, mainPeople: () => [], replyLanguage: null };
        wasRead(await askBook(book, QUESTION, { ...how, depth: "full" }, signal));
      },
    },
    judged("outline", async () => outlineSubject(outline, files[1], language, instructions)),
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
        const { failures } = await comparePair(model, instructions, ...sides, 1, signal);
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

/** A chapter's synopsis, a chapter written from it, and the scores of the original: what the benchmark asks for. */
async function benchSessions(language: PromptLanguage, { book }: ExampleMaterial): Promise<Session[]> {
  const rubric = await loadRubric(`novel-bench-${language}`);
  const chapter = book.chapters[0]!.text;
  return [
    {
      name: "bench",
      async run(model, signal) {
        const made = await makeSynopsis(
          model,
          chapter,
          { language, leakLimit: 0.2, attempts: 1, prompts: shippedPrompts },
          signal,
        );
        if (made.kind === "failed") throw new Error(`synopsis: ${made.reason}`);
        const synopsis: Synopsis = made.synopsis;
        const options = { language, maximumTokens: 4000, temperature: 0, words: 800, prompts: shippedPrompts };
        const written = await writeChapter(model, synopsis, rubric, options, signal);
        if (written.kind === "failed") throw new Error(`chapter: ${written.reason}`);
        const texts = { synopsis, first: chapter, second: written.text };
        const duel = await askDuel(model, texts, { rubric, prompts: shippedPrompts }, signal);
        if (duel.kind === "undecided") throw new Error(`duel: ${duel.reason}`);
        const premise = [...synopsis.characters.map(({ name, about }) => `${name}: ${about}`), ...synopsis.plot].join(
          "\n",
        );
        const short = { ...options, chapters: 3, context: 0 };
        const { reason } = await writeBook(model, premise, rubric, short, signal);
        if (reason !== null) throw new Error(`book: ${reason}`);
        for (const wholeNumbers of [false, true]) {
          const scorer = modelScorer(model, rubric, shippedPrompts, { wholeNumbers });
          const verdicts = Object.values(await scorer.score(chapter, 0, signal));
          const gap = verdicts.find((verdict) => verdict.kind === "unscored");
          if (gap) throw new Error(`scores: ${gap.reason}`);
        }
      },
    },
  ];
}

/** A piece of the tool's own work that asks a model; it fails when a reply cannot be read by what asked for it. */
interface Session {
  readonly name: string;
  run(model: ChatModel, signal: AbortSignal): Promise<void>;
}

function wasRead(answer: Answer<unknown>): void {
  if (answer.kind === "unanswered") throw new Error(answer.reason);
}

export const MODEL = "simulated-small";

/** Does everything that asks a model, one thing after the other, against a simulated server that answers as told. */
export async function playSessions(language: PromptLanguage, reply: ReplyHandler): Promise<void> {
  const server = await createSimulatedServer({ reply });
  try {
    const model = await createChatModel(`openai:${MODEL}`, { connections: server.connections });
    const { signal } = new AbortController();
    for (const session of await sessionsIn(language)) {
      try {
        await session.run(model, signal);
      } catch (cause) {
        throw new Error(`${language}, ${session.name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
      }
    }
  } finally {
    await server.close();
  }
}
