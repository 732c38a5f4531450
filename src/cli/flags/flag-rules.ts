import { FabulaError } from "../../core/errors.ts";
import { isEmbedded, judgesNamed, listed } from "./embedded-judge.ts";
import type { FlagWord } from "./flag.ts";

/** The words and flags of a command line. */
interface GivenArguments {
  readonly operands: readonly string[];
  isGiven(flag: string): boolean;
  /** The value of a flag, its default included. */
  value(flag: string): FlagWord;
}

/** When a flag has no effect. */
type Condition = (given: GivenArguments) => boolean;

const embedded: Condition = ({ value }) => judgesNamed(value).every(isEmbedded);
const without =
  (flag: string): Condition =>
  ({ isGiven }) =>
    !isGiven(flag);
const beside =
  (flag: string): Condition =>
  ({ isGiven }) =>
    isGiven(flag);
const all =
  (...conditions: readonly Condition[]): Condition =>
  (given) =>
    conditions.every((condition) => condition(given));
const always: Condition = () => true;

/** None of these flags may be given when the condition holds; the sentence says why, with FLAG for the one that was. */
interface FlagRule {
  readonly flags: readonly string[];
  readonly when: Condition;
  readonly sentence: string;
}

/** What decides how models are asked and paid; `--dry-run` is answered by every judge. */
const PAYING = [
  "max-cost",
  "refresh",
  "batch",
  "concurrency",
  "requests-per-minute",
  "tokens-per-minute",
  "prices",
] as const;

const FOR_MODELS = "FLAG is for language models: name one with --judge, such as --judge openai:gpt-4.1.";
const RUBRIC_OF_MODELS = "--rubric is for judges that are language models: name one.";

const PANEL_OR_JUDGE: FlagRule = {
  flags: ["judge"],
  when: beside("panel"),
  sentence: "--panel names all the judges: leave --judge out.",
};
const WORKS_HERE: FlagRule = {
  flags: ["detach"],
  when: always,
  sentence: "This command works in this process and leaves nothing to workers: leave --detach out.",
};

/** Holds for every command that has the flags. */
const EVERYWHERE: readonly FlagRule[] = [
  {
    flags: ["detach"],
    when: beside("local"),
    sentence: "--local works here and --detach leaves it to workers: give one.",
  },
  { flags: ["detach"], when: beside("dry-run"), sentence: "--dry-run queues nothing: leave --detach out." },
  {
    flags: ["batch"],
    when: beside("detach"),
    sentence: "--batch leaves the work to the provider: leave --detach out.",
  },
  {
    flags: ["language"],
    when: ({ value }) => !/^[a-z]{2}$/i.test(String(value("language"))),
    sentence: "--language takes a two-letter code, such as en or zh.",
  },
];

/**
 * Which flags apply when, for each command: the one place that says so. Whether a flag exists, which values it takes and
 * whether it repeats is declared with the flag itself.
 */
const RULES: Readonly<Record<string, readonly FlagRule[]>> = {
  "bench build": [
    PANEL_OR_JUDGE,
    { flags: ["prompts", ...PAYING], when: embedded, sentence: FOR_MODELS },
    // Published scores name the rubric they were given by.
    { flags: ["rubric"], when: all(embedded, without("scores")), sentence: FOR_MODELS },
  ],
  "bench run": [PANEL_OR_JUDGE, { flags: ["rubric"], when: embedded, sentence: RUBRIC_OF_MODELS }],
  "bench place": [
    WORKS_HERE,
    PANEL_OR_JUDGE,
    // A population of a panel names its own judges, which may be language models.
    {
      flags: ["rubric", "prompts", "resume", ...PAYING],
      when: all(embedded, without("population")),
      sentence: FOR_MODELS,
    },
  ],
  "bench synopsis": [WORKS_HERE],
  "bench leaderboard": [
    WORKS_HERE,
    {
      flags: ["rubric"],
      when: ({ value }) => listed(String(value("judges"))).every(isEmbedded),
      sentence: RUBRIC_OF_MODELS,
    },
  ],
  "reviews export": [
    {
      flags: ["test-share"],
      when: beside("test-books"),
      sentence: "--test-books names the books to test with, so no share of them is drawn: leave --test-share out.",
    },
  ],
};

/** Rejects a flag that would have no effect here, rather than ignoring it. */
export function refuseFlags(command: string, given: GivenArguments): void {
  for (const { flags, when, sentence } of [...EVERYWHERE, ...(RULES[command] ?? [])]) {
    const idle = flags.find((flag) => given.isGiven(flag));
    if (idle !== undefined && when(given)) throw new FabulaError("E_USAGE", sentence.replaceAll("FLAG", `--${idle}`));
  }
}
