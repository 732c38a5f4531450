import type { BookMapAnswer, ComparedFigure } from "../../../../src/api/map.ts";
import { figureInWords } from "../../../parts/formats.ts";

const WIDTH = 180;
const HEIGHT = 18;

/** One tick per novel, which names it when pointed at, and where this book stands among them. */
export function NovelStrip({
  figure,
  novels,
  book,
}: {
  readonly figure: ComparedFigure;
  readonly novels: BookMapAnswer["novels"];
  readonly book: string;
}) {
  const { id, unit, value } = figure;
  const known = novels.flatMap(({ title, figures }) => {
    const own = figures[id];
    return own === undefined ? [] : [{ title, value: own }];
  });
  if (value === null || known.length === 0) return null;
  const all = [value, ...known.map((novel) => novel.value)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (of: number) => 3 + ((of - low) / (high - low || 1)) * (WIDTH - 6);
  return (
    <svg className="novel-strip" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {known.map((novel) => (
        <g key={novel.title}>
          <title>{`${novel.title}: ${figureInWords(novel.value, unit)}`}</title>
          <rect className="reach" x={x(novel.value) - 2} width="4" height={HEIGHT} />
          <rect className="tick" x={x(novel.value) - 0.5} y="4" width="1" height={HEIGHT - 8} />
        </g>
      ))}
      <g>
        <title>{`${book}: ${figureInWords(value, unit)}`}</title>
        <rect className="own" x={x(value) - 1.5} width="3" height={HEIGHT} />
      </g>
    </svg>
  );
}
