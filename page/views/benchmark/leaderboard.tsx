import type { BenchmarkSummary, BenchmarkWriter } from "../../../src/api/benchmarks.ts";
import { intervalOf, type Scale } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { IntervalInWords, VerdictInWords } from "../../parts/verdict.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** Writers by level, each with its interval; a line separates groups that can be told apart. */
export function Leaderboard({
  writers,
  subject,
}: {
  readonly writers: readonly BenchmarkWriter[];
  readonly subject: BenchmarkSummary["subject"];
}) {
  const texts = useTexts();
  const scale = scaleOf(writers);
  return (
    <>
      <p className="hint">{texts.groupHint}</p>
      <TableScroller label={texts.leaderboard}>
        <table className="leaderboard">
          <thead>
            <tr>
              <th scope="col">{texts.rank}</th>
              <th scope="col">{subject === "books" ? texts.rankedBook : texts.writer}</th>
              <th scope="col">{texts.level}</th>
              <th scope="col" className="wide">
                <span className="visually-hidden">{texts.level}</span>
              </th>
              <th scope="col">{texts.interval}</th>
              <th scope="col">{texts.composite}</th>
              <th scope="col">{texts.group}</th>
              <th scope="col">{texts.texts}</th>
            </tr>
          </thead>
          <tbody>
            {writers.map((writer, position) => (
              <tr
                key={writer.name}
                className={position > 0 && !sharesLetter(writers[position - 1], writer) ? "new-group" : undefined}
              >
                <td className="number">{writer.rank}</td>
                <th scope="row">
                  {writer.name} {writer.isAnchor ? <span className="tag quiet">{texts.anchor}</span> : null}
                </th>
                <td>
                  <VerdictInWords verdict={writer.level} />
                </td>
                <td className="wide">
                  <IntervalDot writer={writer} scale={scale} />
                </td>
                <td>
                  <IntervalInWords verdict={writer.level} />
                </td>
                <td className="number">{writer.composite?.toFixed(2) ?? "–"}</td>
                <td className="number">{writer.letters}</td>
                <td className="number">{writer.texts}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </>
  );
}

/** Letters may carry a number: a, b, …, z, a1. */
function sharesLetter(one: BenchmarkWriter | undefined, other: BenchmarkWriter): boolean {
  const letters = new Set(one?.letters.match(/[a-z]\d*/g));
  return (other.letters.match(/[a-z]\d*/g) ?? []).some((letter) => letters.has(letter));
}

function IntervalDot({ writer, scale }: { readonly writer: BenchmarkWriter; readonly scale: Scale }) {
  if (writer.level.kind === "unscored") return null;
  const percent = (score: number) => ((score - scale.minimum) / (scale.maximum - scale.minimum)) * 100;
  const interval = intervalOf(writer.level);
  return (
    <span className="interval-dot" aria-hidden="true">
      {interval ? (
        <i
          className="range"
          style={{ left: `${percent(interval[0])}%`, width: `${percent(interval[1]) - percent(interval[0])}%` }}
        />
      ) : null}
      <i className="dot" style={{ left: `${percent(writer.level.score)}%` }} />
    </span>
  );
}

function scaleOf(writers: readonly BenchmarkWriter[]): Scale {
  const values = writers.flatMap(({ level }) =>
    level.kind === "scored" ? [level.score, ...(level.interval ?? [])] : [],
  );
  if (values.length === 0) return { minimum: 0, maximum: 1 };
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = (high - low) * 0.05 || 1;
  return { minimum: low - margin, maximum: high + margin };
}
