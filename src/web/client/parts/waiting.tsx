import type { ReactNode } from "react";
import { RequestProblem } from "../api/request.ts";
import type { Asked } from "../api/use-answer.ts";
import { useTexts } from "../texts/preferences.tsx";

/** Shows an answer once it is there; until then that it is coming, or why it is not. */
export function Waiting<Answer>({
  asked,
  children,
}: {
  readonly asked: Asked<Answer>;
  readonly children: (answer: Answer) => ReactNode;
}) {
  const texts = useTexts();
  if (asked.problem) return <ProblemNotice problem={asked.problem} again={asked.reload} />;
  if (asked.answer === null) return <p className="loading">{texts.loading}</p>;
  return children(asked.answer);
}

export function ProblemNotice({ problem, again }: { readonly problem: Error; readonly again?: () => void }) {
  const texts = useTexts();
  return (
    <div className="notice problem" role="alert">
      <p>{problemInWords(problem, texts.unreachable)}</p>
      {again ? (
        <button type="button" onClick={again}>
          {texts.tryAgain}
        </button>
      ) : null}
    </div>
  );
}

function problemInWords(problem: Error, unreachable: string): string {
  return problem instanceof RequestProblem && problem.code === "unreachable" ? unreachable : problem.message;
}
