import { reproduceHanna } from "./hanna.ts";
import { reproduceLiteraryQa } from "./literaryqa.ts";
import { reproduceLongStoryEval } from "./longstoryeval.ts";
import { loadPaper, openData, type Paper, type PaperData, type PaperName } from "./paper.ts";
import { reproducePerse } from "./perse.ts";
import type { ReproduceRequest } from "./reproduce-request.ts";
import type { Findings, ReproducedFigure, Reproduction } from "./reproduction.ts";
import { reproduceWebNovelBench } from "./webnovelbench.ts";

type Reproducer<Found> = (paper: Paper, data: PaperData, request: ReproduceRequest) => Promise<Found>;

const REPRODUCERS: Readonly<Record<PaperName, Reproducer<Findings>>> = {
  longstoryeval: figuresAlone(reproduceLongStoryEval),
  literaryqa: reproduceLiteraryQa,
  hanna: figuresAlone(reproduceHanna),
  webnovelbench: figuresAlone(reproduceWebNovelBench),
  perse: figuresAlone(reproducePerse),
};

function figuresAlone(reproducer: Reproducer<ReproducedFigure[]>): Reproducer<Findings> {
  return async (...given) => ({ figures: await reproducer(...given), differences: [] });
}

/** A paper's figures that need no language model, from its released data, each beside the printed value, with what differs. */
export async function reproduce(name: PaperName, request: ReproduceRequest): Promise<Reproduction> {
  const paper = await loadPaper(name);
  request.onProgress({ stage: "Checking files", done: 0, total: null });
  const data = await openData(paper, request.folder);
  const { figures, differences: found } = await REPRODUCERS[name](paper, data, request);
  const others = data.checked.filter(({ isKnown }) => isKnown === false).map(({ file }) => file);
  const differences = [
    ...(others.length > 0
      ? [
          `${others.join(", ")}: not the ${others.length === 1 ? "file" : "files"} that our own figures were measured with, by checksum.`,
        ]
      : []),
    ...cellsApart(figures),
    ...found,
    ...paper.files.flatMap(({ name: file, without }) => (data.paths(file).length === 0 && without ? [without] : [])),
    ...paper.differences,
  ];
  return { paper: paper.title, files: data.checked, figures, differences };
}

/** Figures that a rule was named for and that still do not come out as printed. */
const APART = 0.0005;

function cellsApart(figures: readonly ReproducedFigure[]): string[] {
  const apart = figures.flatMap(({ name, rule, value, printed }) =>
    rule === undefined || value === null || printed === null || Math.abs(value - printed) <= APART
      ? []
      : // A digit more than the limit has: −0.00053 is beyond it, which −0.0005 would not show.
        [`${name} ${(value - printed).toFixed(5).replace("-", "−")}`],
  );
  return apart.length === 0 ? [] : [`More than ${APART} from the printed figure by every rule: ${apart.join("; ")}.`];
}
