import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { commandSurface, differences, librarySurface } from "./support/surfaces.ts";

/**
 * Every flag of the command line and every option of the library, as they were before options came from the definitions of
 * tasks. The file is never written again: whatever differs from it on purpose is listed here, with the reason.
 */
const BEFORE = JSON.parse(readFileSync("test/fixtures/surfaces.json", "utf8"));

const WORKS_HERE = "it works in this process whatever is said";
/** What every command that asks a model takes. */
const MODEL_FLAGS =
  "batch concurrency dry-run max-cost prices refresh requests-per-minute resume store tokens-per-minute".split(" ");

/** Command, or command and flag → why it was added, changed or removed. */
const CHANGED_FLAGS: Readonly<Record<string, string>> = {
  "agree --human": "several raters count as their mean",
  "evaluate --baseline": "differences are tested, instead of two ranges that must not overlap",
  "evaluate --fail-below": "a score fails when its whole range does",
  "evaluate --strict": "limits and baselines that take scores as they are",
  "evaluate --calibration": "the overall score on people's scale",
  "evaluate --in": "a table of texts is judged too",
  "evaluate --no-pinned": "leaves out the texts that a calibration pins",
  "evaluate --require-calibration": "a gate that demands people's scale",
  ...Object.fromEntries(
    ["judge", "table", "grading", "protocol", "rubric", ...MODEL_FLAGS].map((flag) => [
      `reproduce --${flag}`,
      "LiteraryQA's tables of graders",
    ]),
  ),
  "score --keep": "columns that go with the scores into `agree` and `trust`",
  limits: "a new command: what all workers may send to a provider, and each owner's share",
  "runs cancel": "a new command: ends a shared run",
  ...Object.fromEntries(
    ["bench build", "bench run", "evaluate", "qa answer", "qa refine", "reviews structure", "score"].map((command) => [
      `${command} --priority`,
      "which of one's own runs the workers do first",
    ]),
  ),
  trust: "a new command: which judge to trust, and how many texts are needed",
  ...Object.fromEntries(
    ["agree --over", "qa agree --over", "reviews normalise --books", "reviews normalise --readers"].map((flag) => [
      flag,
      "the same in plainer words",
    ]),
  ),
  "compare --as": "`reader compare` does it",
  "compare --profiles": "it went with --as",
  "compare --detach": WORKS_HERE,
  "compare --local": WORKS_HERE,
  "probe --detach": WORKS_HERE,
  "probe --local": WORKS_HERE,
  "qa filter --detach": WORKS_HERE,
  "qa filter --local": WORKS_HERE,
  "qa score --detach": WORKS_HERE,
  "qa score --local": WORKS_HERE,
  "stress --judge": "a judge's name is NAME everywhere",
  "reader compare --detach": WORKS_HERE,
  "reader compare --local": WORKS_HERE,
  "reader curve --detach": WORKS_HERE,
  "reader curve --local": WORKS_HERE,
  "reader dataset --detach": WORKS_HERE,
  "reader dataset --local": WORKS_HERE,
  "reader compare --runs": "three by default, the fewest that can name a winner",
  "reader compare --anonymise": "compared without what gives a book away, as reviews are",
  "reader compare --anonymise-by": "names, plot, or both",
  "reader compare --protocol": "PerSE's own form of prompt and reply",
  "reader curve --anonymise": "without what gives a book away",
  "reader curve --anonymise-by": "names, plot, or both",
  "reader curve --longest": "histories may begin at 0 reviews",
  "reader curve --protocol": "PerSE's own form of prompt and reply",
  "reader curve --shortest": "histories may begin at 0 reviews",
  "reader curve --stars-only": "PerSE's ablation",
  "reader dataset --anonymise-by": "names, plot, or both",
  "reader dataset --pairs": "choices by aspect to train on",
  "reader dataset --protocol": "PerSE's own form of prompt and reply",
  "reader review --anonymise-by": "names, plot, or both",
  "reader review --protocol": "PerSE's own form of prompt and reply",
  ...Object.fromEntries(
    ["profile import", "predict", "review", "compare", "curve", "rank", "dataset"].map((command) => [
      `reader ${command} --ratings-scale`,
      "one name for the scale of a file of ratings",
    ]),
  ),
  "reader profile import --scale": "--ratings-scale, as in every reader command",
  "reader predict --scale": "--ratings-scale, as in every reader command",
  "reader review --orders": "no order twice",
  "reader rank --orders": "no order twice",
  "reader curve --orders": "no order twice",
  "reader questions": "a new command: which ratings would teach most",
  "reader rank --books": "a library's export is ranked too, and without it the profile's to-read shelf",
  "forecast --in": "says that expected ratings and an author's earlier books are read too",
  "reader rank --known-books": "averages and descriptions from a table of books",
  "reader predict --known-books": "averages and descriptions from a table of books",
  "reader profile import --known-books": "averages and descriptions from a table of books",
  "reader rank --profile": "an export has its own reader",
  "reader rank --detach": WORKS_HERE,
  "reader rank --local": WORKS_HERE,
  "reader review --detach": WORKS_HERE,
  "reader review --local": WORKS_HERE,
  "stress --detach": WORKS_HERE,
  "stress --local": WORKS_HERE,
  "bench build --preset": "an unknown one is refused with those there are",
  "bench leaderboard --preset": "an unknown one is refused with those there are",
  "bench leaderboard --writers": "a line may also give name, maker and date of release",
  "bench leaderboard --detach": WORKS_HERE,
  "bench leaderboard --local": WORKS_HERE,
  "bench place --detach": WORKS_HERE,
  "bench place --local": WORKS_HERE,
  "bench synopsis --detach": WORKS_HERE,
  "bench synopsis --local": WORKS_HERE,
  "bench book": "a new command: writers write whole books, followed over their length",
  "bench duel": "a new command: writers compared two by two, both orders, with people's blind votes",
  "bench extend": "a new command: adds writers and judges to a frozen benchmark",
  "bench freeze": "a new command: freezes a benchmark in a version",
  "bench site": "a new command: the site of a frozen benchmark",
  "bench submit": "a new command: checks a submission to a frozen benchmark",
  "bench verify": "a new command: makes a site again from its data",
  check: "a new command: what would stop a reader",
  ask: "a new command: asks a book a question",
  story: "a new command: writes the story bible of a book",
  "evaluate --against": "a model compares with the draft in a file too, finding by finding",
  "evaluate --context": "for models whose context length is not known, or known wrongly",
  "evaluate --depth": "how closely the new method `close` reads",
  "evaluate --judge": "its help names the ways to a language model",
  "evaluate --method": "`close` is new and the default: a model reads the story",
  "evaluate --author": "book.yaml says it as well",
  "evaluate --title": "book.yaml says it as well",
  "evaluate --protocol": "its help says how scores are converted",
  "evaluate --seed": "nothing is drawn at random",
  "qa score --embeddings": "BERTScore does it better",
  "qa write": "a new command: writes questions about a novel",
  "qa exam": "a new command: what reading a book adds to a model's answers",
  "qa score --protocol": "graders trained like Prometheus 2",
  ...Object.fromEntries(
    ["data", "judge", "protocol", "rubric", ...MODEL_FLAGS].map((flag) => [
      `qa agree --${flag}`,
      "rated answers can be graded first, in the same command",
    ]),
  ),
  models: "the providers and models that can judge, with prices and contexts",
  "evaluate --like": "judges again with the settings of a saved evaluation",
  "reproduce --store": "tokens and minutes of Table 8, from the calls behind evaluations",
  "reproduce --set": "a paper's test books alone",
  "evaluate --preset": "it sets more of what the paper does, and says what",
  "evaluate --prompts": "a checkout of LongStoryEval's release is a folder of prompts too",
  "reviews export --data": "a published release as it is",
  "reviews export --prompts": "examples in the form that a published model was trained on",
  "reviews export --ratings": "Equation 1 as printed, or shrunk",
  "reviews export --readers": "readers' statistics for Equation 1 as printed",
  "replies --aspect": "replies that were asked about one aspect alone",
  "read --format": "every format that is read",
  "read --why": "how the chapters were found",
  "serve --program-tokens": "tokens with a scope, for programs",
  "serve --people": "reviewers and readers, who cannot spend",
  "serve --host": "a token is always required",
  "serve --token": "a token is always required",
  "settings trust": "settings of a folder count when its user trusts it",
  "settings untrust": "settings of a folder count when its user trusts it",
  setup: "finds the judges that work here and saves a default",
  "stress --method": "`close` is new",
  "notes --in": "its help says that - is standard input, as that of `map --in` does",
};

const SPENDING = "it stands in the options of each function";

/** Interface, or interface and option → why it was changed or removed. What a task adds is no loss. */
const CHANGED_OPTIONS: Readonly<Record<string, string>> = {
  EvaluateBookOptions: "evaluateBook and evaluateBooks take the same options, as the command does",
  "AgreementOptions metric": "`evaluations` may stand in its place, as on the command line",
  "ScoreAnswersOptions setting": "it is called `grading`, as on the command line",
  "ModelOptions concurrency": SPENDING,
  "ModelOptions maxCost": SPENDING,
  "ModelOptions prices": SPENDING,
  "ModelOptions refresh": SPENDING,
  "ModelOptions store": SPENDING,
  "ReadBookOptions keptCharacters": "only the command line knows of a library",
  "ReadBookOptions stdin": "only the command line has a standard input; a program gives bytes",
};

it("no flag is lost or changed without a reason", async () => {
  const found = differences(BEFORE.commands, await commandSurface());
  expect(Object.keys(found).sort(), JSON.stringify(found, null, 1)).toEqual(Object.keys(CHANGED_FLAGS).sort());
});

it("no option of the library is lost or changed without a reason", () => {
  const all = Object.entries(differences(BEFORE.library, librarySurface()));
  const found = Object.fromEntries(all.filter(([, change]) => !/^(?:is new|nothing → may be given)$/.test(change)));
  expect(Object.keys(found).sort(), JSON.stringify(found, null, 1)).toEqual(Object.keys(CHANGED_OPTIONS).sort());
});

it("a removed flag, a new default and a new command are noticed", () => {
  const before = { read: { operands: "FILE", "--top": "--top N | how many [20]", "--all": "--all | all" } };
  const now = { read: { operands: "FILE", "--top": "--top N | how many [25]" }, check: { operands: "" } };
  expect(Object.keys(differences(before, now))).toEqual(["read --top", "read --all", "check"]);
});
