import { useTexts } from "../../texts/preferences.tsx";
import { type MarkShape, markOf } from "./judge-mark.ts";
import { isEmbedded, judgeName } from "./judge-name.ts";
import { useKnownJudges } from "./known-judges.ts";
import "./judge-label.css";

/** A judge by its name, with the same sign in every view. The name may say more, such as the method. */
export function JudgeLabel({ judge, name }: { readonly judge: string; readonly name?: string }) {
  const texts = useTexts();
  // A juror's name is an ordinary word, which may stand in what is said of it.
  const shown = isEmbedded(judge) ? name : name?.replace(judge, () => judgeName(judge, texts));
  return (
    <span className="judge-label">
      <JudgeSign judge={judge} />
      <span title={judge}>{shown ?? judgeName(judge, texts)}</span>
    </span>
  );
}

/** The sign alone, for a sentence that names the judge. */
export function JudgeSign({ judge }: { readonly judge: string }) {
  const known = useKnownJudges(judge);
  const mark = known && markOf(judge, known);
  return (
    <svg
      className="judge-sign"
      viewBox="-6 -6 12 12"
      aria-hidden="true"
      data-sign={mark ? `${mark.shape} ${mark.colour}` : undefined}
      style={mark ? { color: `var(--judge-${mark.colour})` } : undefined}
    >
      {mark ? <Shape shape={mark.shape} /> : null}
    </svg>
  );
}

function Shape({ shape }: { readonly shape: MarkShape }) {
  switch (shape) {
    case "circle":
      return <circle r="5" />;
    case "square":
      return <rect x="-4.5" y="-4.5" width="9" height="9" />;
    case "triangle":
      return <path d="M0 -5.5 5.5 4.5 -5.5 4.5Z" />;
    case "diamond":
      return <path d="M0 -6 6 0 0 6 -6 0Z" />;
    default:
      return shape satisfies never;
  }
}
