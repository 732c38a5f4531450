import type { Random } from "../core/random.ts";
import { normalDraw, normalPair } from "../stats/resampling.ts";
import { normalCumulative } from "../stats/special/normal.ts";
import type { SimulatedRequest } from "./simulated-exchange.ts";
import { type ReplyHandler, seededReply } from "./simulated-model.ts";

/** One row of scores as a judge would give them, in the order of the dimensions. */
export interface SimulatedChapter {
  readonly novel: string;
  readonly writer: string;
  readonly chapter: number;
  readonly words: number;
  readonly scores: readonly number[];
}

/** How much of a score is the novel, the prompt, the chapter and the judge's noise in a dimension: standard deviations. */
export interface SimulatedNoise {
  /** Human novels differ this much. */
  readonly human: number;
  /** Prompts (novels to be rewritten) differ this much, for all writers alike: what pairing takes out. */
  readonly prompt: number;
  /** A writer's own luck with a prompt. */
  readonly writer: number;
  readonly chapter: number;
  readonly dimension: number;
  /** `skewed`: a writer's luck is exponential instead of normal, with the same deviation. */
  readonly shape?: "normal" | "skewed";
}

export const SIMULATED_NOISE: SimulatedNoise = { human: 1, prompt: 0.6, writer: 0.5, chapter: 0.6, dimension: 0.4 };

export interface SimulatedSize {
  readonly novels: number;
  readonly chapters: number;
  readonly dimensions: number;
}

/** Human novels whose true quality is standard normal: a population on which a writer's true level is known. */
export function simulatedHumans(size: SimulatedSize, noise: SimulatedNoise, random: Random): SimulatedChapter[] {
  return Array.from({ length: size.novels }, (_, novel) => {
    const quality = noise.human * normalDraw(random);
    return chaptersOf({ novel: `human ${novel}`, writer: `author ${novel}` }, quality, size, noise, random);
  }).flat();
}

/** Writers of known quality who all write from the same prompts. */
export function simulatedWriters(
  qualities: Readonly<Record<string, number>>,
  size: SimulatedSize,
  noise: SimulatedNoise,
  random: Random,
): SimulatedChapter[] {
  const prompts = Array.from({ length: size.novels }, () => noise.prompt * normalDraw(random));
  return Object.entries(qualities).flatMap(([writer, quality]) =>
    prompts.flatMap((prompt, novel) => {
      const luck = noise.writer * (noise.shape === "skewed" ? -Math.log(1 - random()) - 1 : normalDraw(random));
      return chaptersOf({ novel: `prompt ${novel}`, writer }, quality + prompt + luck, size, noise, random);
    }),
  );
}

/** How much judges drawn at random differ: standard deviations. */
export interface SimulatedJudges {
  readonly judges: number;
  /** Of all writers of a board against human novels. */
  readonly common: number;
  /** Of one writer against the others. */
  readonly bias: number;
  /** Of one chapter, in the judge's composite. */
  readonly noise: number;
}

/** Human novels as a panel scores them: a judge's composite in the place of a dimension. */
export function panelOfHumans(
  size: SimulatedSize,
  noise: SimulatedNoise,
  { judges, noise: ofJudge }: SimulatedJudges,
  random: Random,
): SimulatedChapter[] {
  return simulatedHumans({ ...size, dimensions: judges }, { ...noise, dimension: ofJudge }, random);
}

/** Writers as a panel of judges drawn at random scores them. */
export function panelOfWriters(
  qualities: Readonly<Record<string, number>>,
  size: SimulatedSize,
  noise: SimulatedNoise,
  { judges, common, bias, noise: ofJudge }: SimulatedJudges,
  random: Random,
): SimulatedChapter[] {
  const all = Array.from({ length: judges }, () => common * normalDraw(random));
  const own = new Map(
    Object.keys(qualities).map((writer) => [writer, all.map((shift) => shift + bias * normalDraw(random))]),
  );
  const chapters = simulatedWriters(
    qualities,
    { ...size, dimensions: judges },
    { ...noise, dimension: ofJudge },
    random,
  );
  return chapters.map((chapter) => ({
    ...chapter,
    scores: chapter.scores.map((score, judge) => score + own.get(chapter.writer)![judge]!),
  }));
}

/** The level that infinitely many novels of such a writer would have in an infinite population, 0–100. */
export function trueLevel(quality: number, size: SimulatedSize, noise: SimulatedNoise): number {
  const within = (noise.chapter ** 2 + noise.dimension ** 2 / size.dimensions) / size.chapters;
  const spread = noise.human ** 2 + noise.prompt ** 2 + noise.writer ** 2 + 2 * within;
  return 100 * normalCumulative(quality / Math.sqrt(spread));
}

/** Plain loops: an evaluation draws a hundred million of these scores. */
function chaptersOf(
  names: { readonly novel: string; readonly writer: string },
  quality: number,
  size: SimulatedSize,
  noise: SimulatedNoise,
  random: Random,
): SimulatedChapter[] {
  const chapters: SimulatedChapter[] = [];
  for (let chapter = 1; chapter <= size.chapters; chapter++) {
    const level = 3 + quality + noise.chapter * normalDraw(random);
    const scores = new Array<number>(size.dimensions);
    for (let dimension = 0; dimension < size.dimensions; dimension += 2) {
      const [first, second] = normalPair(random);
      scores[dimension] = level + noise.dimension * first;
      if (dimension + 1 < size.dimensions) scores[dimension + 1] = level + noise.dimension * second;
    }
    chapters.push({ novel: names.novel, writer: names.writer, chapter, words: 1000, scores });
  }
  return chapters;
}

/** The word (and the character) whose share of a text is its quality to the simulated judges. */
const MARK = { en: "luminous", zh: "明" };
const OTHERS = {
  en: "the harbour waited while rain fell over old roofs and somebody counted boats by lamplight near empty stairs".split(
    " ",
  ),
  zh: [..."雨落在旧屋顶上有人在灯下数着船港口等了很久楼梯空着"],
};

/**
 * A text of a given quality, 0–1: prose enough for a test, and free of other people's words.
 *
 * @example
 * ```ts
 * const chapter = simulatedProse(0.2, 300, "en", Math.random);
 * ```
 */
export function simulatedProse(quality: number, words: number, language: "en" | "zh", random: Random): string {
  const others = OTHERS[language];
  const sentences: string[] = [];
  for (let written = 0; written < words; ) {
    const length = 8 + Math.floor(random() * 8);
    const units = Array.from({ length }, () =>
      random() < quality ? MARK[language] : others[Math.floor(random() * others.length)]!,
    );
    sentences.push(language === "en" ? `The ${units.join(" ")}.` : `${units.join("")}。`);
    written += length;
  }
  return sentences.join(language === "en" ? " " : "");
}

/**
 * Writers of known quality and judges who see it, each with noise of its own: what a whole leaderboard can be tried on. A model
 * that is no writer retells, judges and answers questions.
 *
 * @example
 * ```ts
 * const server = await createSimulatedServer({ reply: simulatedNovelists({ weak: 0.1, strong: 0.3 }, { noise: 0.2 }) });
 * const [weak, strong] = [server.judge("weak"), server.judge("strong")];
 * ```
 */
export function simulatedNovelists(
  qualities: Readonly<Record<string, number>>,
  options: { readonly words?: number; readonly noise?: number } = {},
): ReplyHandler {
  const { words = 300, noise = 0.3 } = options;
  return (request, random) => {
    const asked = request.messages.map(({ content }) => content).join("\n");
    const language = /\p{Script=Han}/u.test(asked) ? "zh" : "en";
    const properties = propertiesOf(request);
    if ("scores" in properties)
      return JSON.stringify({ scores: scoresFor(properties.scores, asked, language, noise, random) });
    if ("better" in properties) return JSON.stringify(choiceFor(asked, language, noise, random));
    if ("plot" in properties) return JSON.stringify(synopsisFor(language, random));
    const quality = qualities[request.model];
    if (quality === undefined || request.schema) return seededReply(request, random);
    return simulatedProse(quality, words, language, random);
  };
}

function propertiesOf({ schema }: SimulatedRequest): Readonly<Record<string, unknown>> {
  const found = (schema as { readonly properties?: unknown } | undefined)?.properties;
  return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : {};
}

function scoresFor(schema: unknown, text: string, language: "en" | "zh", noise: number, random: Random) {
  const dimensions = Object.keys((schema as { readonly properties?: object } | null)?.properties ?? {});
  const isWhole = JSON.stringify(schema).includes('"integer"');
  const common = 1 + 6 * qualityIn(text, language) + noise * normalDraw(random);
  return Object.fromEntries(
    dimensions.map((id) => {
      const score = Math.min(5, Math.max(1, common + (noise / 2) * normalDraw(random)));
      return [id, { reason: "simulated", score: isWhole ? Math.round(score) : Math.round(score * 10) / 10 }];
    }),
  );
}

/** Which of two chapters has the larger share of the word, as far as the noise lets the judge see. */
function choiceFor(text: string, language: "en" | "zh", noise: number, random: Random) {
  const [, first = "", second = ""] = text.split(/The (?:first|second) chapter:|第[一二]章文字：/);
  const seen = qualityIn(first, language) - qualityIn(second, language) + (noise / 6) * normalDraw(random);
  return { reason: "simulated", better: seen > 0 ? "first" : "second" };
}

function qualityIn(text: string, language: "en" | "zh"): number {
  const size = language === "en" ? text.split(/\s+/).length : text.length;
  return (text.split(MARK[language]).length - 1) / Math.max(1, size);
}

function synopsisFor(language: "en" | "zh", random: Random) {
  const number = Math.floor(random() * 1e9);
  return language === "en"
    ? {
        characters: [{ name: `Keeper ${number}`, about: "wants the ledger to balance" }],
        plot: [`Visitor ${number} arrives`, "a debt is named", "they part at dawn"],
        scenes: ["an office by the water, uneasy"],
      }
    : {
        characters: [{ name: `守夜人${number}`, about: "想把账目理清" }],
        plot: [`来客${number}到访`, "说出一笔旧债", "清晨分手"],
        scenes: ["水边的账房，气氛紧张"],
      };
}
