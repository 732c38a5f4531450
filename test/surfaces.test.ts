import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { commandSurface, differences, librarySurface } from "./support/surfaces.ts";

/**
 * Every flag of the command line and every option of the library, as they were before options came from the definitions of
 * tasks. The file is never written again: whatever differs from it on purpose is listed here, with the reason.
 */
const BEFORE = JSON.parse(readFileSync("test/fixtures/surfaces.json", "utf8"));

/** What every command that asks a model takes. */
const MODEL_FLAGS =
  "batch concurrency detach dry-run local max-cost prices refresh requests-per-minute resume store tokens-per-minute".split(
    " ",
  );

/** Command, or command and flag → why it was added, changed or removed. */
const CHANGED_FLAGS: Readonly<Record<string, string>> = {
  "compare --as": "`reader compare` does it",
  "compare --profiles": "it went with --as",
  check: "a new command: what would stop a reader",
  ask: "a new command: asks a book a question",
  story: "a new command: writes the story bible of a book",
  "evaluate --against": "a model compares with the draft in a file too, finding by finding",
  "evaluate --context": "for models whose context length is not known, or known wrongly",
  "evaluate --depth": "how closely the new method `close` reads",
  "evaluate --judge": "its help names the ways to a language model",
  "evaluate --method": "`close` is new and the default: a model reads the story",
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
  "score --keep": "ratings travel with the scores to `agree` and `trust`",
  "agree --human": "of several raters, their mean",
  "read --why": "how the chapters were found",
  "serve --host": "a token is always required",
  "serve --token": "a token is always required",
  "settings trust": "settings of a folder count when its user trusts it",
  "settings untrust": "settings of a folder count when its user trusts it",
  setup: "finds the judges that work here and saves a default",
  "stress --method": "`close` is new",
  "notes --in": "its help says that - is standard input, as that of `map --in` does",
};

/** Interface, or interface and option → why. */
const CHANGED_OPTIONS: Readonly<Record<string, string>> = {
  WriteQuestionsOptions: "for the new function writeQuestions",
  ExamOptions: "for the new function examineReading",
  "ScoreAnswersOptions protocol": "graders trained like Prometheus 2",
  CheckOptions: "for the new function checkBooks",
  AskOptions: "for the new function askBook",
  StoryOptions: "for the new function storyOf",
  CheckRubricOptions: "for the new function checkRubric",
  "ForecastOptions as": "as the command had it",
  MapOptions: "mapManuscript has options of its own: `reference` beside those for reading a book",
  NotesOptions: "lineNotes has options of its own: those for reading a book",
  "ReadBookOptions keptCharacters": "only the command line knows of a library",
  "ReadBookOptions stdin": "only the command line has a standard input; a program gives bytes",
  "ReadOptions storyCorrections": "what a writer says about the story, as book.yaml has it",
  "RunServices byHand": "the judge `paste`: a person answers",
  RepliesOptions: "for the new function readReplies",
};

it("no flag is lost or changed without a reason", async () => {
  const found = differences(BEFORE.commands, await commandSurface());
  expect(Object.keys(found).sort(), JSON.stringify(found, null, 1)).toEqual(Object.keys(CHANGED_FLAGS).sort());
});

it("no option of the library is lost or changed without a reason", () => {
  const found = differences(BEFORE.library, librarySurface());
  expect(Object.keys(found).sort(), JSON.stringify(found, null, 1)).toEqual(Object.keys(CHANGED_OPTIONS).sort());
});

it("a removed flag, a new default and a new command are noticed", () => {
  const before = { read: { operands: "FILE", "--top": "--top N | how many [20]", "--all": "--all | all" } };
  const now = { read: { operands: "FILE", "--top": "--top N | how many [25]" }, check: { operands: "" } };
  expect(Object.keys(differences(before, now))).toEqual(["read --top", "read --all", "check"]);
});
