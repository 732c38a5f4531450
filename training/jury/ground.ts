import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { contentHash } from "../../src/core/hash.ts";
import { seededRandom, shuffled } from "../../src/core/random.ts";
import { JUROR_IDS, type JurorId } from "../../src/jury/juror.ts";
import type { TrainedJuror } from "../../src/jury/juror-file.ts";
import { quantile } from "../../src/stats/distribution/quantile.ts";
import { fitRidge, predictRidge, type RidgeModel } from "../../src/stats/linear/ridge-regression.ts";
import { readBook } from "../../src/text/read-book.ts";
import { dealFolds } from "../pocket/folds.ts";
import { countTexts } from "./counted-texts.ts";
import { type Design, learnDesign, textRows } from "./design.ts";
import { WINDOW } from "./material.ts";
import { COVERAGE, characterRuns, storedWeights } from "./train-juror.ts";

/** A text of known kind: one of a juror's own, or a passage of an old novel, which is outside for all. */
export interface KnownText {
  readonly text: string;
  readonly family: string;
  readonly jurors: readonly JurorId[];
}

const SETTINGS = { minimumTexts: 60, styleWeight: 0.2 } as const;
const PENALTY = 3;
const FOLDS = 4;
const SEED = 1903;
const TEXTS_PER_KIND = 400;
const PASSAGES_PER_NOVEL = 6;
const PASSAGE_WORDS = 900;
/** Of a juror's own texts, held back, this share stays inside. */
const INSIDE = 0.98;

export interface GroundFigures {
  /** By juror: the part of its own texts, held back, that is inside, and of whole novels, held back, that is outside. */
  readonly byJuror: Readonly<Record<JurorId, { readonly inside: number; readonly novelsOutside: number }>>;
  readonly novels: number;
}

/** Learns to tell each juror's own kind of text from old novels, and from which distance on a text is outside. */
export async function trainGround(
  own: readonly KnownText[],
  novels: string,
  say: (line: string) => void,
): Promise<{ readonly model: TrainedJuror; readonly figures: GroundFigures }> {
  const chosen = JUROR_IDS.flatMap((juror) =>
    shuffled(
      own.filter(({ jurors }) => jurors[0] === juror),
      seededRandom(SEED),
    ).slice(0, TEXTS_PER_KIND),
  );
  const passages = await novelPassages(novels);
  say(`${chosen.length} own texts, ${passages.length} passages of novels`);
  const known = [...chosen, ...passages];
  const counted = countTexts(
    known.map(({ text }) => text),
    { window: WINDOW, minimumTexts: SETTINGS.minimumTexts },
  );
  const every = known.map((_, place) => place);
  const folds = dealFolds(
    known.map(({ family }) => family),
    FOLDS,
    seededRandom(SEED),
  );
  const distances = JUROR_IDS.map(() => new Float64Array(known.length));
  for (let fold = 0; fold < FOLDS; fold++) {
    const isTest = (place: number) => folds.get(known[place]!.family) === fold;
    const training = every.filter((place) => !isTest(place));
    const test = every.filter(isTest);
    const design = learnDesign(counted, training, SETTINGS);
    const rows = textRows(counted, design, test);
    JUROR_IDS.forEach((juror, output) => {
      const predictions = predictRidge(fitGround(known, counted, design, training, juror), rows);
      test.forEach((place, row) => {
        distances[output]![place] = predictions[row]!;
      });
    });
    say(`fold ${fold + 1} of ${FOLDS}`);
  }
  const design = learnDesign(counted, every, SETTINGS);
  const models = JUROR_IDS.map((juror) => fitGround(known, counted, design, every, juror));
  const limits = JUROR_IDS.map((juror, output) => limitsOf(known, distances[output]!, juror));
  return {
    model: {
      ...storedWeights(
        counted,
        design,
        models,
        models.map(() => 1),
      ),
      head: {
        outputs: [...JUROR_IDS],
        intercepts: models.map(({ intercepts }) => intercepts[0]!),
        lengthWeights: models.map(() => 0),
        window: WINDOW,
        characterRuns: characterRuns(counted, design),
        coverage: COVERAGE,
        misses: [],
        limits: Object.fromEntries(JUROR_IDS.map((juror, output) => [juror, limits[output]!])) as Record<
          JurorId,
          (typeof limits)[number]
        >,
        training: {
          texts: { own: chosen.length, passages: passages.length },
          penalty: PENALTY,
          dataHash: contentHash(known.map(({ text }) => text)),
        },
      },
    },
    figures: {
      novels: new Set(passages.map(({ family }) => family)).size,
      byJuror: Object.fromEntries(
        JUROR_IDS.map((juror, output) => [juror, shares(known, distances[output]!, juror, limits[output]!.outside)]),
      ) as GroundFigures["byJuror"],
    },
  };
}

function isOwn({ jurors }: KnownText, juror: JurorId): boolean {
  return jurors.includes(juror);
}

function fitGround(
  known: readonly KnownText[],
  counted: ReturnType<typeof countTexts>,
  design: Design,
  training: readonly number[],
  juror: JurorId,
): RidgeModel {
  // Other jurors' texts are neither in nor out: they do not teach where the border lies.
  const taught = training.filter((place) => isOwn(known[place]!, juror) || known[place]!.jurors.length === 0);
  const insiders = taught.filter((place) => isOwn(known[place]!, juror)).length;
  return fitRidge(
    textRows(counted, design, taught),
    Float64Array.from(taught, (place) => (isOwn(known[place]!, juror) ? 0 : 1)),
    1,
    {
      penalty: PENALTY,
      rowWeights: Float64Array.from(
        taught,
        (place) => 500 / (isOwn(known[place]!, juror) ? insiders : taught.length - insiders),
      ),
      tolerance: 2e-3,
    },
  );
}

/** Outside begins where all but a few of the juror's own texts end; far outside, as far beyond novels as they are beyond that. */
function limitsOf(known: readonly KnownText[], distances: Float64Array, juror: JurorId) {
  const of = (isMember: (text: KnownText) => boolean) => [...distances].filter((_, place) => isMember(known[place]!));
  const outside = quantile(
    of((text) => isOwn(text, juror)),
    INSIDE,
  );
  const furthest = Math.max(...of(({ jurors }) => jurors.length === 0));
  return { outside, farOutside: furthest + (furthest - outside) };
}

function shares(known: readonly KnownText[], distances: Float64Array, juror: JurorId, limit: number) {
  const inside = [...distances].filter((_, place) => isOwn(known[place]!, juror));
  const novels = new Map<string, number[]>();
  known.forEach(({ jurors, family }, place) => {
    if (jurors.length === 0) novels.set(family, [...(novels.get(family) ?? []), distances[place]!]);
  });
  const means = [...novels.values()].map((own) => own.reduce((sum, value) => sum + value, 0) / own.length);
  return {
    inside: inside.filter((distance) => distance < limit).length / inside.length,
    novelsOutside: means.filter((distance) => distance >= limit).length / means.length,
  };
}

async function novelPassages(folder: string): Promise<KnownText[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".epub")).sort();
  const passages: KnownText[] = [];
  for (const file of files) {
    const { chapters } = await readBook(join(folder, file));
    const words = chapters
      .map(({ text }) => text)
      .join("\n\n")
      .split(/(?<=\s)(?=\S)/);
    for (let passage = 0; passage < PASSAGES_PER_NOVEL; passage++) {
      const start = Math.floor(((words.length - PASSAGE_WORDS) * (passage + 0.5)) / PASSAGES_PER_NOVEL);
      passages.push({ text: words.slice(start, start + PASSAGE_WORDS).join(""), family: file, jurors: [] });
    }
  }
  return passages;
}
