import type { SectionedReport } from "../../../api/evaluations.ts";
import { countOf } from "../../../core/wording.ts";
import { sectionedAgreement } from "../../../report/agreement/agreement-report.ts";
import { sectionedReaderAgreement, sectionedVotes } from "../../../report/agreement/reader-agreement.ts";
import { reportText } from "../../../report/report-forms.ts";
import { sectionedReproduction } from "../../../report/reproduce/reproduction-report.ts";
import { loadPaper, PAPERS } from "../../../tasks/reproduce/paper.ts";
import { type Agreement, agreeTask, agreeVotesTask, reproduceTask } from "../../../tasks/trust/agreement.ts";
import type { ExitCode } from "../../command.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { checkedReport, writeSections } from "../../output/write-report.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

const FLAGS = {
  out: { type: "string", value: "FILE", help: "write the report: .html with plots, .md or .json" },
} as const;

export const agreeCommand = taskCommand(agreeTask, {
  flags: FLAGS,
  usage: "Give one table: `fabula agree ratings.csv --human H --metric M`.",
  examples: [
    "fabula agree ratings.csv --human human --metric judge",
    "fabula agree scores.csv --human coherence --metric bertscore,rouge --system model --item prompt --out agreement.html",
    "fabula agree books.csv --human average_rating --evaluations evaluations/",
    "fabula agree books.csv --human average_rating --run 20260115-093012-k3fw",
    "fabula agree --votes votes.jsonl",
  ],
  prepare: checkedReport,
  async present(agreement, context) {
    const { report, exit } = outcomeOf(agreement);
    await writeSections(context.flags.out, report, context);
    await context.show(() => reportText(report));
    return exit;
  },
  others: [
    otherWay(agreeVotesTask, {
      flags: FLAGS,
      flag: "--votes",
      when: ({ votes }) => votes !== undefined,
      withOperands: "Give a table or --votes: votes name their judges and books themselves.",
      prepare: checkedReport,
      async present(votes, context) {
        const report = sectionedVotes(votes);
        await writeSections(context.flags.out, report, context);
        await context.show(() => reportText(report));
        return 0;
      },
    }),
  ],
});

function outcomeOf({ kind, report }: Agreement): { readonly report: SectionedReport; readonly exit: ExitCode } {
  if (kind === "readers") {
    const isPartial = report.rows.some(({ overall }) => overall.missing > 0 || overall.kendall.value === null);
    return { report: sectionedReaderAgreement(report), exit: isPartial ? 3 : 0 };
  }
  const isUndefined = report.study.metrics.some(({ agreement: { pearson, spearman, kendall } }) =>
    [pearson, spearman, kendall].some(({ value }) => value === null),
  );
  // A requested figure that does not exist counts as unscored.
  return { report: sectionedAgreement(report), exit: isUndefined ? 3 : 0 };
}

export const reproduceCommand = taskCommand(reproduceTask, {
  usage: `Name one paper of ${PAPERS.join(", ")}: \`fabula reproduce literaryqa --data LiteraryQA/\`.`,
  helpList: async () => ({
    title: "Papers, with the files that go into the folder (each may end in .gz)",
    rows: await Promise.all(
      PAPERS.map(async (paper) => {
        const { files, get } = await loadPaper(paper);
        const needed = files.map(({ name, about, optional }) => {
          const file = name.endsWith("-") ? `${name}NAME.jsonl` : name;
          return `${file}${optional ? " (optional)" : ""}: ${about}`;
        });
        return { left: paper, right: `${needed.join(". ")}. From ${get}.` };
      }),
    ),
  }),
  flags: { out: { type: "string", value: "FILE", help: "write the report: .html, .md or .json" } },
  examples: [
    "fabula reproduce longstoryeval --data LongStoryEval/",
    "fabula reproduce longstoryeval --data LongStoryEval/ --set test",
    "fabula reproduce literaryqa --data LiteraryQA/ --out literaryqa.html",
    "fabula reproduce literaryqa --data LiteraryQA/ --judge prometheus-7b-v2.0@http://localhost:8000/v1 --protocol prometheus",
    "fabula reproduce longstoryeval --data LongStoryEval/ --evaluations evaluations.jsonl",
  ],
  prepare: checkedReport,
  async present(reproduction, { flags: { out, json }, terminal, document, show }) {
    if (reproduction.plan) return showPlan(reproduction.plan, json, terminal);
    const report = sectionedReproduction(reproduction);
    await writeSections(out, report, { terminal, document });
    await show(() => `${report.title}\n\n${reportText(report)}`);
    if (reproduction.run) terminal.note(runInWords(reproduction.run));
    const missing = reproduction.figures.flatMap(({ name: figure, value, reason }) =>
      value === null && reason === undefined ? [figure] : [],
    );
    if (missing.length === 0) return 0;
    const figures = countOf(missing.length, "figure");
    terminal.note(`Exit code 3: too little data to compute ${figures}, shown as a dash: ${missing.join("; ")}.`);
    return 3;
  },
});
