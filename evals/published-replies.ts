/**
 * Whether the replies that LongStoryEval's authors released are read as their own scripts read them:
 *
 *   npx tsx evals/published-replies.ts CHECKOUT
 *
 * Prints, for each kind of reply, how many scores their scripts take from it, how many of those are read here, and how many
 * are equal. Their scripts take scores by position (the first nine of a reply, in the order of their list of aspects);
 * here each is read under its own heading, so the two can differ, and every difference is shown.
 */
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../src/core/json-lines.ts";
import { loadRubric } from "../src/criteria/load-rubric.ts";
import { topLevel } from "../src/criteria/rubric.ts";
import { loadReviewForm } from "../src/judge/novelcritique/review-layout.ts";
import { readVerdicts } from "../src/judge/replies/read-verdicts.ts";
import { ownPrompts } from "../src/prompts/own-prompts.ts";
import { openRelease } from "../src/tasks/reproduce/longstoryeval-release.ts";
import { reviewedBookSchema } from "../src/tasks/reviews/review-pairs.ts";

const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error("Usage: npx tsx evals/published-replies.ts CHECKOUT");

/** The aspects in the order in which the authors' scripts count scores; the ninth score is the whole's. */
const ORDER = ["plot", "characters", "writing", "world", "themes", "emotion", "enjoyment", "expectation", "overall"];
const FOLDERS = ["Plot", "Characters", "Writing", "World-Building", "Themes", "Emotional", "Enjoyment", "Expectation"];
const MARK = "**Score:** ";
/** Spellings of a score's label that the authors' scripts make one, in their order; those of chapters know more. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ["**Score**:", "**Score:**"],
  ["### Score:", "**Score:**"],
  ["**Overall Score:**", "**Score:**"],
  [" Score: ", MARK],
  ["**Score: ", MARK],
  ["Score:** **", "Score:** "],
];
const CHAPTER_SPELLINGS: readonly (readonly [string, string])[] = [
  ["Score: ", MARK],
  ["*Score:* ", MARK],
  ["a score of ", MARK],
  ["rate the book ", MARK],
  ["**Rating:** ", MARK],
  ["Rating: ", MARK],
  [")", ""],
  ["(", ""],
];
const WHOLE_SPELLINGS: readonly (readonly [string, string])[] = [["Score: ", "Score:** "]];

/** The scores that the authors' scripts find in a text, as far as they go. */
function authorsScores(text: string, more: readonly (readonly [string, string])[]): number[] {
  const plain = [...SPELLINGS, ...more].reduce((left, [from, to]) => left.replaceAll(from, to), text);
  return [...plain.matchAll(/\*\*Score:\*\* (\d+(?:\.\d+)?)/g)].map((match) => Number(match[1]));
}

/** Their scripts take a reply with fewer than nine scores for none at all. */
const nine = (scores: readonly number[]) => (scores.length < ORDER.length ? [] : scores.slice(0, ORDER.length));

interface Reply {
  readonly file: string;
  readonly text: string;
  readonly authors: Readonly<Record<string, number>>;
  readonly aspect?: string;
}

const chapters = z.array(z.looseObject({ response: z.string(), eval: z.string() }));
const outputs = join(checkout, "evaluation_codes", "outputs");
const predicted = join(checkout, "NovelCritique", "predict", "output", "long_story_eval");

async function filesUnder(folder: string, ending: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const inOrder = (scores: readonly number[]) => Object.fromEntries(scores.map((score, at) => [ORDER[at]!, score]));

async function chapterReplies(method: string): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const file of await filesUnder(join(outputs, method), ".json")) {
    const saved = chapters.parse(JSON.parse(await readFile(file, "utf8")));
    for (const [at, chapter] of saved.entries())
      replies.push({
        file: `${basename(dirname(file))}/${basename(file)} #${at + 1}`,
        text: chapter.response,
        authors: inOrder(nine(authorsScores(chapter.eval, CHAPTER_SPELLINGS))),
      });
  }
  return replies;
}

async function summaryReplies(): Promise<Reply[]> {
  const files = await filesUnder(join(outputs, "sum_based"), ".txt");
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, "utf8");
      return { file, text, authors: inOrder(nine(authorsScores(text, WHOLE_SPELLINGS))) };
    }),
  );
}

/** NovelCritique's: of a file for one aspect, as of one for the whole, their script reads the last paragraph. */
async function critiqueReplies(folder: string, subject: string): Promise<Reply[]> {
  const files = (await filesUnder(predicted, ".txt")).filter((file) => basename(dirname(file)) === folder);
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, "utf8");
      const last = (text.split("### Review:\n")[1] ?? text).split("\n\n").at(-1)!;
      const [score] = authorsScores(last, WHOLE_SPELLINGS);
      return {
        file,
        text,
        authors: score === undefined ? {} : { [subject]: score },
        ...(subject !== "overall" && { aspect: subject }),
      };
    }),
  );
}

const kinds: readonly (readonly [string, number, () => Promise<Reply[]>])[] = [
  ["GPT-4o, summary-based", 100, summaryReplies],
  ["GPT-4o, aggregation-based", 100, () => chapterReplies("aggre_based")],
  ["GPT-4o, incremental-updated", 100, () => chapterReplies("incre_updated")],
  ["NovelCritique, the whole", 5, () => critiqueReplies("Overall", "overall")],
  ["NovelCritique, the whole, a second copy", 5, () => critiqueReplies("whole", "overall")],
  ...FOLDERS.map(
    (folder, at) => [`NovelCritique, ${folder} alone`, 5, () => critiqueReplies(folder, ORDER[at]!)] as const,
  ),
];

const rubric = await loadRubric("long-story");
const ids = topLevel(rubric).map(({ id }) => id);
const differences: string[] = [];
const sums = { replies: 0, scores: 0, read: 0, equal: 0, more: 0 };
console.log("kind                                      replies  scores    read   equal  differ  read here alone");
for (const [kind, maximum, load] of kinds) {
  const row = { replies: 0, scores: 0, read: 0, equal: 0, more: 0 };
  for (const { file, text, authors, aspect } of await load()) {
    const { aspects, overall } = readVerdicts(
      text,
      rubric,
      { minimum: maximum === 5 ? 1 : 0, maximum },
      aspect === undefined ? {} : { aspect },
    );
    row.replies += 1;
    for (const id of [...ids, "overall"]) {
      const theirs = authors[id];
      const verdict = id === "overall" ? overall : aspects[id]!;
      const ours = verdict.kind === "scored" ? (verdict.written?.value ?? verdict.score) : null;
      if (theirs === undefined) {
        if (ours === null) continue;
        row.more += 1;
        differences.push(`${kind}: ${file}: ${id}: theirs none, ours ${ours}`);
        continue;
      }
      row.scores += 1;
      if (ours !== null) row.read += 1;
      if (ours === theirs) row.equal += 1;
      else
        differences.push(
          `${kind}: ${file}: ${id}: theirs ${theirs}, ours ${ours ?? (verdict.kind === "unscored" ? verdict.reason : "")}`,
        );
    }
  }
  for (const key of ["replies", "scores", "read", "equal", "more"] as const) sums[key] += row[key];
  print(kind, row);
}
print("all", sums);
for (const difference of differences.slice(0, 40)) console.log(difference);
if (differences.length > 40) console.log(`… and ${differences.length - 40} more`);

await comparePrompts(checkout);

/** Whether NovelCritique's prompts come out letter by letter, from the release's books and summaries and its own excerpts. */
async function comparePrompts(folder: string): Promise<void> {
  const signal = new AbortController().signal;
  const release = (await openRelease({ folder, set: "test", seed: 1, onProgress: () => {}, signal }))!;
  try {
    const books = await readJsonLines(join(release.converted, "books.jsonl"), reviewedBookSchema);
    const form = await loadReviewForm(ownPrompts(folder));
    const aspect = { id: "characters", name: "Characters" };
    let equal = 0;
    for (const { id, title, genres, premise = null, plot_summary, characters = null } of books) {
      const theirs = await readFile(join(folder, "NovelCritique", "predict", "prompt_format", `${id}.txt`), "utf8");
      const excerpt = /\n### Excerpt[^\n]*\n([\s\S]*?)\n<\\story>/.exec(theirs)?.[1] ?? null;
      const story = { title: title ?? id, genres, premise, plot: plot_summary ?? "", characters, excerpt };
      // Their scripts put the aspects into the place of this one word.
      const asked = form.question(story, [aspect]).at(-1)!.content;
      const [before, after] = theirs.trim().split("\nCharacters\n\n");
      if (asked.startsWith(`${before}\n**Characters:**`) && asked.endsWith(`\n\n${after}`)) equal += 1;
    }
    console.log(`prompts of NovelCritique that come out as released: ${equal} of ${books.length}`);
  } finally {
    await release.close();
  }
}

function print(kind: string, { replies, scores, read, equal, more }: typeof sums): void {
  const figures = [replies, scores, read, equal, read - equal, more].map((figure) => String(figure).padStart(8));
  console.log(kind.padEnd(41) + figures.join(""));
}
