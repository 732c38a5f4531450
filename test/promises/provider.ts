import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createSimulatedServer,
  type ReplyHandler,
  type SimulatedRequest,
  type SimulatedServer,
  seededReply,
  simulatedNovelists,
} from "../../src/testing/index.ts";

/** A provider on loopback that stands in for every one that the documents name. */
export interface ScriptedProvider {
  readonly server: SimulatedServer;
  /** What points the clients of OpenAI, Anthropic, Google and Ollama at it. */
  readonly environment: Readonly<Record<string, string>>;
  /** A documented line with the addresses of a user's own servers replaced by this one's. */
  addressed(line: string): string;
}

const ASPECTS = [
  ...["Plot and structure", "Characters", "Writing and language", "World-building and setting", "Themes"],
  ...["Emotional impact", "Enjoyment and engagement", "Expectation fulfilment"],
];
/** A reply in words, with a score under each aspect. */
export const WRITTEN_REVIEW = [
  ...ASPECTS.map((name, at) => `**${name}**: it holds. Score: ${72 + at}/100`),
  "**Overall**: 75/100",
].join("\n\n");

/** Judges and retells; what it writes is a chapter of the story in `files/`, since the embedded grader refuses made-up words. */
const novelists = simulatedNovelists({});
const CHAPTERS = readFileSync(join(import.meta.dirname, "files", "novel.md"), "utf8")
  .split(/^# .*$/m)
  .slice(1);

/** What a well-behaved model answers, by the fields that it is asked for; the first entry that fits. */
const SCRIPT: readonly { readonly fields: readonly string[]; readonly reply: ReplyHandler }[] = [
  { fields: ["scores"], reply: novelists },
  { fields: ["plot", "scenes"], reply: novelists },
  { fields: ["aspects", "overall", "assessment"], reply: (request) => JSON.stringify(judgement(request)) },
  {
    fields: ["review", "score"],
    // Stories that are called by a number get different scores, so that these can be correlated.
    reply: (request) => {
      const story = /Title (\d+)/.exec(textOf(request))?.[1] ?? 3;
      return JSON.stringify({ review: "I was moved, and I missed my stop.", score: 1 + (Number(story) % 5) });
    },
  },
  { fields: ["names"], reply: () => JSON.stringify({ names: [{ from: "Ines", to: "Marta", kind: "character" }] }) },
  {
    fields: ["aspects", "conclusion"],
    reply: () =>
      JSON.stringify({
        aspects: [
          { aspect: "Pacing", viewpoints: ["the pacing drags in the middle"] },
          { aspect: "Heroine", viewpoints: ["the heroine is wonderful"] },
        ],
        conclusion: "the heroine is wonderful",
        rating: null,
      }),
  },
  { fields: ["summary", "questions"], reply: (request) => JSON.stringify(questions(request)) },
  {
    fields: ["answer"],
    reply: (request, random) => JSON.stringify({ ...placeholder(request, random), answer: "the guard 1" }),
  },
  { fields: ["grade"], reply: (request, random) => JSON.stringify({ ...placeholder(request, random), grade: 4 }) },
  {
    fields: ["acceptable"],
    reply: (request) => {
      const isWrong = textOf(request).includes("the the ledger");
      return JSON.stringify(
        isWrong
          ? { acceptable: false, reason: "a word stands twice", correction: "Where does the ledger lie?" }
          : { acceptable: true, reason: "", correction: null },
      );
    },
  },
];

const reply: ReplyHandler = (request, random) => {
  const asked = Object.keys((request.schema?.properties ?? {}) as object);
  const scripted = SCRIPT.find(({ fields }) => fields.every((field) => asked.includes(field)));
  return (scripted?.reply ?? (request.schema ? seededReply : unscripted))(request, random);
};

/** Without a schema: a review with its scores, or a chapter. */
const unscripted: ReplyHandler = (request, random) => {
  const asked = textOf(request);
  if (asked.includes("Score every aspect out of 100")) return WRITTEN_REVIEW;
  if (asked.includes("[RESULT]")) return "The answer says what the reference says. [RESULT] 4";
  if (/score/i.test(asked)) return "### Review:\nIt holds.\n\n### Overall Assessment:\nA good book.\n\n### Score: 4.1";
  return CHAPTERS[Math.floor(random() * CHAPTERS.length)]!;
};

function placeholder(request: SimulatedRequest, random: () => number): object {
  return JSON.parse(seededReply(request, random) as string);
}

function textOf({ messages }: SimulatedRequest): string {
  return messages.map(({ content }) => content).join("\n");
}

/** A question about each of some sentences of what was shown. */
function questions(request: SimulatedRequest): object {
  const shown = request.messages
    .at(-1)!
    .content.split(/<<<(?:part|book) /)
    .at(-1)!;
  const sentences = [...shown.matchAll(/[A-Z][a-z]+(?: [a-z]+){7,12}[.,]/g)].map(([sentence]) => sentence).slice(0, 6);
  return {
    summary: "A ferryman takes a passenger over at low water.",
    questions: sentences.map((quote) => ({
      question: `Whom does the sentence about ${quote.split(" ").slice(1, 5).join(" ")} mean?`,
      answers: ["the guard 1"],
      kind: "who",
      difficulty: "easy",
      evidence: [{ chapter: Number(/\[Chapter (\d+)/.exec(shown)?.[1] ?? 1), quote }],
    })),
  };
}

/** A verdict on every aspect that is asked for, with a quotation of what was shown. */
function judgement(request: SimulatedRequest): object {
  const properties = request.schema?.properties as { aspects: { properties?: object } };
  const quoted = /[A-Z][a-z]+(?: [a-z]+){7,12}[.,]/.exec(
    request.messages
      .at(-1)!
      .content.split(/<<<(?:segment|text|excerpts|book) /)
      .at(-1)!,
  )?.[0];
  const quotes = quoted === undefined ? [] : [{ chapter: 1, text: quoted }];
  // Books that are called by a number are judged by it, so that scores differ and can be correlated.
  const level = 55 + 3 * (Number(/Title: Book (\d+)/.exec(textOf(request))?.[1] ?? 5) % 10);
  const aspects = Object.keys(properties.aspects.properties ?? {}).map((id, at) => [
    id,
    {
      strengths: [{ point: "It holds.", quotes }],
      weaknesses: [{ point: "It drags here.", quotes: [] }],
      score: level + at,
    },
  ]);
  return { aspects: Object.fromEntries(aspects), overall: level, assessment: "A good book that takes its time." };
}

export async function startProvider(): Promise<ScriptedProvider> {
  const server = await createSimulatedServer({ reply });
  const key = "scripted-key";
  return {
    server,
    environment: {
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: `${server.url}/v1`,
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: `${server.url}/v1`,
      GOOGLE_GENERATIVE_AI_API_KEY: key,
      GOOGLE_GENERATIVE_AI_BASE_URL: `${server.url}/v1beta`,
      OLLAMA_HOST: server.url,
    },
    addressed: (line) => line.replace(/@https?:\/\/\S+?\/v1\b/g, `@${server.url}/v1`),
  };
}
