import type { SectionedReport, TitledTable } from "../../api/evaluations.ts";
import type { JudgeHealth } from "../../stats/judge-health/judge-health.ts";
import type { CheckName, Finding } from "../../stats/judge-health/judgement.ts";
import { decimal } from "../agreement/agreement-report.ts";
import { tableSection, textSection } from "../report-forms.ts";

export interface HealthReport {
  readonly scores: string;
  readonly judges: readonly JudgeHealth[];
}

const QUESTIONS: Readonly<Record<CheckName, string>> = {
  "test-retest": "Says the same when asked again?",
  "position-bias": "Favours the text shown first?",
  "length-bias": "Favours long texts?",
  verbosity: "Scores by how much it writes?",
  "self-preference": "Favours its own writing?",
  halo: "Are all aspects one number?",
  "scale-use": "Uses its scale?",
  drift: "Changed on pinned texts?",
  damage: "Notices a damaged book?",
  agreement: "Do people side with it?",
};

function healthTables({ judges }: HealthReport): TitledTable[] {
  return judges.map(({ judge, findings }) => ({
    title: judge,
    headings: ["check", "question", "", "n", "figure", "what was found"],
    rows: findings.map((finding) => [
      finding.check,
      QUESTIONS[finding.check],
      finding.state,
      String(finding.n),
      figureInWords(finding),
      finding.message,
    ]),
  }));
}

function healthNotes({ scores, judges }: HealthReport): string[] {
  return [
    `Judge health from ${scores}. "unknown" means that the records do not allow the check, not that all is well.`,
    ...judges
      .filter(({ unscored }) => unscored > 0)
      .map(
        ({ judge, judgements, unscored }) =>
          `${judge}: ${unscored} of ${judgements} judgements are unscored and left out.`,
      ),
  ];
}

export function sectionedHealth(report: HealthReport): SectionedReport {
  return {
    title: "Judge health",
    sections: [textSection(null, healthNotes(report)), ...healthTables(report).map(tableSection)],
  };
}

function figureInWords({ figure }: Finding): string {
  if (figure === null) return "–";
  const range = figure.interval ? ` (${decimal(figure.interval[0])} to ${decimal(figure.interval[1])})` : "";
  return `${figure.name} ${decimal(figure.value)}${range}`;
}
