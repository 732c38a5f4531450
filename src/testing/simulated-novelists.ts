import type { Random } from "../core/random.ts";
import { normalDraw } from "../stats/resampling.ts";
import type { SimulatedRequest } from "./simulated-exchange.ts";
import { type ReplyHandler, seededReply } from "./simulated-model.ts";

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
