import { PEOPLE } from "../../../bench/duels/duel.ts";
import type { DuelBoard, DuelJudge } from "../../../bench/duels/duel-board.ts";
import { countOf, judgeInWords } from "../../../core/wording.ts";
import { benchDuelTask } from "../../../tasks/bench/duel.ts";
import type { DuelResult } from "../../../tasks/bench/run-duels.ts";
import { showAsked } from "../../output/show-plan.ts";
import { taskCommand } from "../../task-command.ts";

export const duelCommand = taskCommand(benchDuelTask, {
  usage: "Give a benchmark with texts of two writers: `fabula bench duel bench/ --judge openai:gpt-4.1`.",
  examples: [
    "fabula bench duel bench/ --judge openai:gpt-4.1 --dry-run",
    "fabula bench duel bench/ --judge openai:gpt-4.1,anthropic:claude-sonnet-4-5 --max-cost 10",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (result) => ({
      lines: linesOf(result),
      isWhole: result.board !== null && result.unanswered === 0,
    })),
});

const ENDED: Readonly<Record<DuelResult["ended"], string>> = {
  settled: "Every pair is far enough apart: more meetings would not change the letters.",
  "all met": "Every pair has met on all that both wrote.",
  "meetings spent": "All meetings are spent: --meetings N allows more.",
  "no judge": "No judge was asked: these are the answers and votes that are there.",
};

function* linesOf(result: DuelResult): Generator<string> {
  const { board, known, asked, votes, unanswered, ended, ownFamily, hasHuman } = result;
  if (!board) {
    yield "No two texts have been compared yet: name a judge with --judge.";
    return;
  }
  yield `${countOf(known + asked, "meeting")} by judges (${asked} new, both orders), ${countOf(votes, "vote")} of people, on ${countOf(board.novels, "novel")}.`;
  yield "";
  yield* tableOf(board, result.names);
  yield "";
  yield "Strength: log-odds of winning against the average contestant, with a 95 % interval. Writers that share a letter cannot be told apart,";
  yield `corrected for all pairs; the unit is the novel. ${
    board.acrossJudges
      ? "The judges are a sample: this holds for other judges too."
      : "This holds for these judges: three or more would say something about others."
  }`;
  yield "";
  for (const judge of board.judges) yield judgeLine(judge);
  if (board.amongPeople) {
    const { same, of } = board.amongPeople;
    yield `People among themselves: ${same} of ${of} votes on the same meeting agree.`;
  }
  if (votes > 0 && board.judges.every(({ withPeople }) => !withPeople))
    yield "No meeting was decided by a judge and by people: their agreement is not known.";
  if (!hasHuman)
    yield "The human originals took no part: their texts are not here. Name their folder with --originals.";
  if (ownFamily > 0)
    yield `${countOf(ownFamily, "answer")} of judges about writers of their own family ${ownFamily === 1 ? "does" : "do"} not count.`;
  if (unanswered > 0) yield `${countOf(unanswered, "answer")} could not be read.`;
  yield ENDED[ended];
}

function tableOf({ rows }: DuelBoard, names: Readonly<Record<string, string>>): string[] {
  const cells = rows.map(({ rank, writer, groups, strength, interval: [low, high], won, meetings }) => [
    String(rank),
    names[writer] ?? judgeInWords(writer),
    groups,
    strength.toFixed(2),
    `${low.toFixed(2)} to ${high.toFixed(2)}`,
    `${(100 * won).toFixed(0)} %`,
    String(Math.round(meetings)),
  ]);
  const all = [["#", "writer", "group", "strength", "95 %", "won", "meetings"], ...cells];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}

function judgeLine({ judge, meetings, consistent, first, withPeople, order }: DuelJudge): string {
  const parts = [
    countOf(meetings, "meeting"),
    ...(consistent.of > 0 ? [`the same answer in both orders in ${consistent.same} of ${consistent.of}`] : []),
    ...(first ? [`${(100 * first.share).toFixed(0)} % for the text shown first`] : []),
    ...(withPeople
      ? [
          `agrees with people on ${withPeople.same} of ${withPeople.of} (95 %: ${withPeople.interval.map((end) => (100 * end).toFixed(0)).join("–")} %)`,
        ]
      : []),
    ...(order === null ? [] : [`order like people's: Spearman ${order.toFixed(2)}`]),
  ];
  return `${judge === PEOPLE ? "People" : judgeInWords(judge)}: ${parts.join("; ")}.`;
}
