import type { JudgeChoice } from "../api/about.ts";
import type { EvaluationRequest } from "../api/jobs.ts";
import { FabulaError } from "../core/errors.ts";
import { splitLabel } from "../core/wording.ts";
import { loadRubric } from "../criteria/load-rubric.ts";
import { topLevel } from "../criteria/rubric.ts";
import { METHOD_NAMES } from "../judge/methods/method.ts";
import { isOfTheJury, JUROR_IDS, JURY } from "../jury/juror.ts";
import { CLOUD_PROVIDERS, CLOUDS, type CloudProvider, isCloudProvider } from "../models/adapters/clouds.ts";
import { parseJudgeName } from "../models/judge-name.ts";
import { loadPrices } from "../models/prices.ts";
import { NAMED_PROVIDERS, type NamedProvider } from "../models/providers.ts";
import { describedBook } from "./library/book-files.ts";
import type { Services } from "./services.ts";
import type { ServerSettings } from "./settings.ts";

const EMBEDDED = [JURY, ...JUROR_IDS];
const READY = { isReady: true, missingKey: null };
const ANY = { languages: null, aspects: null };

/**
 * The judges that the web app offers: the embedded ones, those named when the server was started, and the models of
 * every provider with a key. A provider without a key is shown with one model and the missing key's name.
 */
export async function judgeChoices(settings: ServerSettings): Promise<JudgeChoice[]> {
  const { models } = await loadPrices(settings.prices);
  const priced = CLOUD_PROVIDERS.flatMap((provider) => {
    const names = Object.keys(models).filter((name) => name.startsWith(`${provider}:`));
    return settings.connections[provider]?.key ? names : names.slice(0, 1);
  });
  const named = NAMED_PROVIDERS.filter((provider) => settings.connections[provider]?.key).flatMap((provider) =>
    Object.keys(models).filter((name) => name.startsWith(`${provider}:`)),
  );
  const names = [...new Set([...settings.judges, ...priced, ...named])];
  const embedded = EMBEDDED.map((name): JudgeChoice => ({ name, ...READY, languages: ["en"], aspects: ["writing"] }));
  return [...embedded, ...names.map((name) => choice(name, settings))];
}

function choice(name: string, { connections }: ServerSettings): JudgeChoice {
  const judge = parseJudgeName(name);
  const provider = CLOUD_PROVIDERS.find((candidate) => candidate === judge.provider);
  if (!provider || connections[provider]?.key) return { name, ...READY, ...ANY };
  return { name, isReady: false, missingKey: CLOUDS[provider].keys[0], ...ANY };
}

/** The jury reads English only: a book in another language would come back without a single score. */
export function checkLanguage(names: readonly string[], language: string | null): void {
  if (language === null || language === "en" || !names.some(isOfTheJury)) return;
  const called = new Intl.DisplayNames("en", { type: "language", fallback: "code" }).of(language) ?? language;
  throw new FabulaError(
    "E_JUDGE_LANGUAGE",
    `This book is in ${called}, and the embedded judges read English only: choose a language model, such as openai:gpt-4.1. The map reads the book offline. If the language is wrong, correct it on the book's page.`,
  );
}

/**
 * A request may name any model of a provider that the server has a key for. It may not name its own address, file or command:
 * those reach the network, the file system and programs, and only whoever starts the server decides about them.
 */
export function checkJudges(names: readonly string[], settings: ServerSettings): void {
  if (names.some(isOfTheJury)) {
    if (names.length === 1) return;
    throw new FabulaError(
      "E_JUDGE_PANEL",
      "An embedded judge is not averaged with others: choose it by itself, or all three as the jury, or language models.",
    );
  }
  for (const name of names) {
    const { provider } = parseJudgeName(name);
    const isOwn = settings.connections[provider as CloudProvider | NamedProvider]?.key !== undefined;
    const reachesElsewhere = !isCloudProvider(provider) && provider !== "ollama" && !isOwn;
    if ((reachesElsewhere || splitLabel(name)[1] !== null) && !settings.judges.includes(name)) {
      throw new FabulaError(
        "E_JUDGE_UNKNOWN",
        `The judge "${name}" was not offered: start \`fabula serve --judges ${name}\` to use it.`,
      );
    }
    const { missingKey } = choice(name, settings);
    if (missingKey === null) continue;
    throw new FabulaError(
      "E_JUDGE_UNREADY",
      `${name} cannot be asked: no key. Enter one on the Evaluate page, or set ${missingKey} and start \`fabula serve\` again.`,
    );
  }
}

/** A valid request: this server has its judge, method and aspects. */
export async function checkedRequest(
  request: EvaluationRequest,
  { books, settings }: Services,
): Promise<EvaluationRequest> {
  const { language } = describedBook(books.card(request.bookId));
  checkJudges(request.judges, settings);
  checkLanguage(request.judges, language);
  if (!METHOD_NAMES.some((name) => name === request.method)) {
    throw new FabulaError("E_METHOD", `There is no method "${request.method}": choose ${METHOD_NAMES.join(", ")}.`);
  }
  const known = topLevel(await loadRubric("long-story")).map(({ id }) => id);
  const unknown = request.aspects.find((aspect) => !known.includes(aspect));
  if (unknown !== undefined) {
    throw new FabulaError("E_ASPECT_UNKNOWN", `There is no aspect "${unknown}": choose among ${known.join(", ")}.`);
  }
  return request;
}
